/**
 * A cache of bounded size in two generations: when the young one is full it becomes the old one, and what is
 * still used is copied back on its next use. It approximates LRU at the price of one map look-up per hit, which
 * matters here: it is consulted for every word of every document.
 */
export class BoundedMemo<V extends object | string> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();

  /** @param capacity entries of one generation; at most twice as many are held. */
  constructor(private readonly capacity: number) {}

  get(key: string): V | undefined {
    const value = this.young.get(key);
    if (value !== undefined) return value;
    const aged = this.old.get(key);
    if (aged !== undefined) this.set(key, aged);
    return aged;
  }

  set(key: string, value: V): void {
    if (this.young.size >= this.capacity) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }

  get size(): number {
    return this.young.size + this.old.size;
  }
}
