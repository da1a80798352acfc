export interface PlacesWanted {
  /** At most as many as there are. */
  readonly count: number;
  /** Whose work it is: what many of one's pieces take does not keep another's waiting. Not given, it is nobody's. */
  readonly holder?: string;
}

interface Waiter extends Required<PlacesWanted> {
  readonly granted: PromiseWithResolvers<void>;
}

/**
 * A number of places. The next free one is for the holder that has the fewest; among those, for the one whose work has
 * taken the least time (start-time fair queueing: Goyal, Vin and Cheng, 1996); among those, who asked first comes first.
 * Who comes first and asks for several is waited for.
 */
export class Slots {
  private free: number;
  private readonly waiting: Waiter[] = [];
  private readonly held = new Map<string, number>();
  /** Until when, on the clock of {@link Slots.virtualMs}, holders have had their share. */
  private readonly servedUntilMs = new Map<string, number>();
  /** What a holder that never waits would have had by now. */
  private virtualMs = 0;

  constructor(readonly size: number) {
    this.free = size;
  }

  /** Waits for places and holds them until `work` has ended. @throws the signal's reason, or what `work` throws */
  async hold<Result>(
    wanted: PlacesWanted,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const giveBack = await this.take(wanted, signal);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** Waits for places. @returns what gives them back; to be called once @throws the signal's reason */
  async take({ count, holder = '' }: PlacesWanted, signal: AbortSignal): Promise<() => void> {
    await this.acquire({ count, holder, granted: Promise.withResolvers() }, signal);
    const [startMs, began] = [this.shareOf(holder), performance.now()];
    return () => {
      const tookMs = performance.now() - began;
      const servedUntilMs = this.servedUntilMs.get(holder) ?? 0;
      this.servedUntilMs.set(holder, Math.max(startMs, servedUntilMs) + count * tookMs);
      this.change(holder, -count);
      this.grant();
    };
  }

  private async acquire(waiter: Waiter, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const onAbort = (): void => {
      // Its turn may have come in the same moment; then it is for `work` to notice.
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
      this.virtualMs = this.shareOf(first.holder);
      this.change(first.holder, first.count);
      first.granted.resolve();
    }
  }

  private first(): Waiter | undefined {
    const [oldest, ...others] = this.waiting;
    return others.reduce((first, one) => (first && this.comesBefore(one, first) ? one : first), oldest);
  }

  private comesBefore({ holder: one }: Waiter, { holder: other }: Waiter): boolean {
    const more = (this.held.get(one) ?? 0) - (this.held.get(other) ?? 0);
    return more < 0 || (more === 0 && this.shareOf(one) < this.shareOf(other));
  }

  private shareOf(holder: string): number {
    return Math.max(this.virtualMs, this.servedUntilMs.get(holder) ?? 0);
  }

  private remove(waiter: Waiter): boolean {
    const index = this.waiting.indexOf(waiter);
    if (index >= 0) this.waiting.splice(index, 1);
    return index >= 0;
  }

  private change(holder: string, by: number): void {
    this.free -= by;
    const held = (this.held.get(holder) ?? 0) + by;
    if (held === 0) this.held.delete(holder);
    else this.held.set(holder, held);
    // Whom nobody waits for has taken nothing from anybody.
    if (this.held.size === 0 && this.waiting.length === 0) this.servedUntilMs.clear();
  }
}
