/** Work that hands the thread back at every `yield`, each step short enough for a search to wait for. */
export type Steps<T> = Generator<void, T, void>;

/** Steps, or a function that is one short step. */
export type Work<T> = Steps<T> | (() => T);

/** Steps of reading after which a waiting writer gets one, so that a storm of searches cannot starve it. */
const READS_PER_WRITE = 8;

interface Task {
  /** @returns whether the task has ended */
  advance(): boolean;
}

/**
 * Takes turns between tasks on one thread. Readers go first, in turn, so that one that fills a large index does not hold
 * up the others. Writers go one after the other, in the order in which they came.
 */
export class StepScheduler {
  private readonly readers: Task[] = [];
  private readonly writers: Task[] = [];
  private readonly idleListeners: (() => void)[] = [];
  private readsSinceWrite = 0;
  private scheduled = false;

  read<T>(work: Work<T>): Promise<T> {
    return this.enqueue(this.readers, work);
  }

  write<T>(work: Work<T>): Promise<T> {
    return this.enqueue(this.writers, work);
  }

  /** Resolves when nothing is left to do. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.idleListeners.push(resolve);
      this.schedule();
    });
  }

  private enqueue<T>(queue: Task[], work: Work<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      queue.push({ advance: () => advance(work, resolve, reject) });
      this.schedule();
    });
  }

  /** One step for each turn of the event loop: new requests are seen between any two steps. */
  private schedule(): void {
    if (this.scheduled) return;
    if (this.readers.length + this.writers.length === 0) {
      for (const resolve of this.idleListeners.splice(0)) resolve();
      return;
    }
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.step();
      this.schedule();
    });
  }

  private step(): void {
    const reader = this.readers[0];
    const writer = this.writers[0];
    if (reader !== undefined && (writer === undefined || this.readsSinceWrite < READS_PER_WRITE)) {
      this.readsSinceWrite++;
      this.readers.shift();
      if (!reader.advance()) this.readers.push(reader);
    } else if (writer !== undefined) {
      this.readsSinceWrite = 0;
      if (writer.advance()) this.writers.shift();
    }
  }
}

function advance<T>(work: Work<T>, resolve: (value: T) => void, reject: (error: unknown) => void): boolean {
  try {
    const { done, value } = typeof work === 'function' ? { done: true as const, value: work() } : work.next();
    if (done === true) resolve(value);
    return done === true;
  } catch (error) {
    reject(error);
    return true;
  }
}
