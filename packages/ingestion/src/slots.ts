interface Waiter {
  readonly count: number;
  readonly granted: PromiseWithResolvers<void>;
}

/** A number of places; who asked first comes first, also who asks for several. */
export class Slots {
  private free: number;
  private readonly waiting: Waiter[] = [];

  constructor(readonly size: number) {
    this.free = size;
  }

  /** Waits for places and holds them until `work` has ended. @throws the signal's reason, or what `work` throws */
  async hold<Result>(count: number, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.acquire(count, signal);
    try {
      return await work();
    } finally {
      this.free += count;
      this.grant();
    }
  }

  private async acquire(count: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const waiter: Waiter = { count, granted: Promise.withResolvers() };
    const onAbort = (): void => {
      const index = this.waiting.indexOf(waiter);
      // Its turn may have come in the same moment; then it is for `work` to notice.
      if (index < 0) return;
      this.waiting.splice(index, 1);
      waiter.granted.reject(signal.reason);
      this.grant();
    };
    this.waiting.push(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
    this.grant();
    await waiter.granted.promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  private grant(): void {
    for (let [first] = this.waiting; first && first.count <= this.free; [first] = this.waiting) {
      this.waiting.shift();
      this.free -= first.count;
      first.granted.resolve();
    }
  }
}
