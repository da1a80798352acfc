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
 * A number of places. The next free one is for the holder that has the fewest; among those, who asked first comes first.
 * Who comes first and asks for several is waited for.
 */
export class Slots {
  private free: number;
  private readonly waiting: Waiter[] = [];
  private readonly held = new Map<string, number>();

  constructor(readonly size: number) {
    this.free = size;
  }

  /** Waits for places and holds them until `work` has ended. @throws the signal's reason, or what `work` throws */
  async hold<Result>(
    { count, holder = '' }: PlacesWanted,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.acquire({ count, holder, granted: Promise.withResolvers() }, signal);
    try {
      return await work();
    } finally {
      this.change(holder, -count);
      this.grant();
    }
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
      this.change(first.holder, first.count);
      first.granted.resolve();
    }
  }

  private first(): Waiter | undefined {
    const heldBy = ({ holder }: Waiter): number => this.held.get(holder) ?? 0;
    const [oldest, ...others] = this.waiting;
    return others.reduce((first, one) => (first && heldBy(one) < heldBy(first) ? one : first), oldest);
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
  }
}
