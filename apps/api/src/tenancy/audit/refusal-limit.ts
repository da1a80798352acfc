const HOUR_MS = 60 * 60_000;
/** Written per hour and key. */
const PER_HOUR = 20;
/** More keys than this are forgotten, oldest first. */
const MAX_KEYS = 10_000;

/** Limits how many refusals of one caller are written, so that nobody can fill the disk with them. */
export class RefusalLimit {
  private readonly keys = new Map<string, { since: number; written: number; omitted: number }>();

  /** @param now clock in ms */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @returns null: do not write; otherwise how many were not written since the last one */
  take(key: string): number | null {
    const now = this.now();
    let entry = this.keys.get(key);
    if (entry === undefined || now - entry.since >= HOUR_MS) {
      const omitted = entry?.omitted ?? 0;
      this.keys.delete(key);
      entry = { since: now, written: 1, omitted: 0 };
      this.keys.set(key, entry);
      const oldest = this.keys.keys().next().value;
      if (this.keys.size > MAX_KEYS && oldest !== undefined) this.keys.delete(oldest);
      return omitted;
    }
    if (entry.written >= PER_HOUR) {
      entry.omitted += 1;
      return null;
    }
    entry.written += 1;
    return 0;
  }
}
