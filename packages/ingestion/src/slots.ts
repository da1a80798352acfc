export interface SlotRequest {
  /** Slots to acquire together; at most {@link Slots.size}. */
  readonly count: number;
  /**
   * Key for fair sharing, such as a host or a file. Default: the empty key, shared by all requests without
   * one.
   */
  readonly holder?: string;
}

interface Waiter extends Required<SlotRequest> {
  readonly granted: PromiseWithResolvers<void>;
}

/**
 * A fair semaphore. A free slot goes to the holder with the fewest slots, then to the holder whose work has
 * taken the least time (start-time fair queueing: Goyal, Vin and Cheng, 1996), then to the oldest request.
 * While the first request in this order waits for several slots, later requests wait too.
 */
export class Slots {
  private free: number;
  private readonly waiting: Waiter[] = [];
  private readonly held = new Map<string, number>();
  /** Finish time of each holder's last work, in virtual milliseconds. */
  private readonly virtualEndMs = new Map<string, number>();
  /** The virtual clock: start time of the work that was granted last. */
  private virtualMs = 0;

  /** @param size number of slots */
  constructor(readonly size: number) {
    this.free = size;
  }

  /**
   * Acquires slots and holds them until `work` has ended.
   *
   * @throws the signal's reason, or the error of `work`
   */
  async hold<Result>(
    request: SlotRequest,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const release = await this.take(request, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Acquires slots.
   *
   * @returns the function that releases them, to be called once
   * @throws the signal's reason
   */
  async take({ count, holder = '' }: SlotRequest, signal: AbortSignal): Promise<() => void> {
    await this.acquire({ count, holder, granted: Promise.withResolvers() }, signal);
    const [virtualStartMs, startedAt] = [this.virtualStartOf(holder), performance.now()];
    return () => {
      const durationMs = performance.now() - startedAt;
      const virtualEndMs = this.virtualEndMs.get(holder) ?? 0;
      this.virtualEndMs.set(holder, Math.max(virtualStartMs, virtualEndMs) + count * durationMs);
      this.changeHeld(holder, -count);
      this.grant();
    };
  }

  private async acquire(waiter: Waiter, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const onAbort = (): void => {
      // Already granted at this moment: `work` sees the aborted signal.
      if (!this.remove(waiter)) return;
      waiter.granted.reject(signal.reason);
      this.grant();
    };
    this.waiting.push(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
    this.grant();
    await waiter.granted.promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  private grant(): void {
    for (let first = this.first(); first && first.count <= this.free; first = this.first()) {
      this.remove(first);
      this.virtualMs = this.virtualStartOf(first.holder);
      this.changeHeld(first.holder, first.count);
      first.granted.resolve();
    }
  }

  private first(): Waiter | undefined {
    const [oldest, ...later] = this.waiting;
    return later.reduce(
      (first, waiter) => (first && this.comesBefore(waiter, first) ? waiter : first),
      oldest,
    );
  }

  private comesBefore({ holder: a }: Waiter, { holder: b }: Waiter): boolean {
    const difference = (this.held.get(a) ?? 0) - (this.held.get(b) ?? 0);
    return difference < 0 || (difference === 0 && this.virtualStartOf(a) < this.virtualStartOf(b));
  }

  private virtualStartOf(holder: string): number {
    return Math.max(this.virtualMs, this.virtualEndMs.get(holder) ?? 0);
  }

  private remove(waiter: Waiter): boolean {
    const index = this.waiting.indexOf(waiter);
    if (index >= 0) this.waiting.splice(index, 1);
    return index >= 0;
  }

  private changeHeld(holder: string, by: number): void {
    this.free -= by;
    const held = (this.held.get(holder) ?? 0) + by;
    if (held === 0) this.held.delete(holder);
    else this.held.set(holder, held);
    // Nothing is held and nothing waits: shares start from zero again.
    if (this.held.size === 0 && this.waiting.length === 0) this.virtualEndMs.clear();
  }
}
