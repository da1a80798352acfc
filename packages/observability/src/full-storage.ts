/** How long a refused write counts. Space that was freed is noticed after this time at the latest. */
const REMEMBERED_MS = 60_000;

/** Remembers that a store refused a write because it is full, so that the readiness of the process can tell. */
export class FullStorage {
  private refusedAt = -Infinity;
  private low: string | null = null;
  private release: (() => void) | null = null;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Call it when a store has refused a write because it is full. */
  report(): void {
    this.refusedAt = this.now();
    for (const listener of this.listeners) listener();
  }

  /** Calls the listener at each {@link report}. */
  onReport(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Set by the watcher of a disk. While the disk is low, new content is refused and waiting runs are not started, so that
   * the rest of the space is left to deletions.
   *
   * @param warning how much space is missing; null if there is enough
   */
  setLow(warning: string | null): void {
    // Only when the disk has space again: a quota or another store can be full while this disk has space.
    if (warning === null && this.low !== null) this.refusedAt = -Infinity;
    this.low = warning;
  }

  /** @param makeRoom frees some of the reserved space if the disk has none */
  setReserve(makeRoom: () => void): void {
    this.release = makeRoom;
  }

  /** Call it before a deletion, which writes before it frees space. */
  makeRoom(): void {
    this.release?.();
  }

  get isLow(): boolean {
    return this.low !== null;
  }

  /** Whether the disk is low, or a write was refused in the last minute. */
  get isFull(): boolean {
    return this.isLow || this.now() - this.refusedAt < REMEMBERED_MS;
  }

  /** For readiness: `ok`, or that writes are refused. */
  get status(): string {
    if (!this.isFull) return 'ok';
    return this.low === null ? 'is full, writes are refused' : `is full, writes are refused: ${this.low}`;
  }
}
