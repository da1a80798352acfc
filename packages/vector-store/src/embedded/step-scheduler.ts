/** A cooperative task that pauses at every `yield`. A search may have to wait for one step: keep them short. */
export type Steps<T> = Generator<void, T, void>;

/** A task of several steps, or a function that is a single short step. */
export type Work<T> = Steps<T> | (() => T);

/** A waiting write gets one step after this many read steps, so that searches cannot starve it. */
const READS_PER_WRITE = 8;

interface Task {
  /** @returns whether the task has ended */
  advance(): boolean;
}

/**
 * Interleaves the steps of tasks on one thread. Reads have priority and run round-robin, so that a search
 * that fills a large index does not block the others. Writes run one after the other, first in, first out.
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

  /** Resolves when no task is left. */
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

  /** Runs one step per iteration of the event loop, so that new requests arrive between steps. */
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
