/** How long a refused write counts. Space that was freed is noticed after this time at the latest. */
const REMEMBERED_MS = 60_000;

/** Remembers that a store refused a write because it is full, so that the readiness of the process can tell. */
export class FullStorage {
  private refusedAt = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Call it when a store has refused a write because it is full. */
  report(): void {
    this.refusedAt = this.now();
  }

  /** Whether a write was refused in the last minute. */
  get isFull(): boolean {
    return this.now() - this.refusedAt < REMEMBERED_MS;
  }
}
