/** Counts what is in progress for each key, such as an organization, in this process. */
export class KeyedCounter {
  private readonly counts = new Map<string, number>();

  /** Counts one more, unless there are `limit` already. @returns whether it was counted */
  take(key: string, limit: number): boolean {
    const count = this.counts.get(key) ?? 0;
    if (count >= limit) return false;
    this.counts.set(key, count + 1);
    return true;
  }

  /** Counts one less. */
  release(key: string): void {
    const left = (this.counts.get(key) ?? 1) - 1;
    if (left === 0) this.counts.delete(key);
    else this.counts.set(key, left);
  }
}
