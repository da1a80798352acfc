/**
 * A cache of bounded size with two generations. A full young generation becomes the old one, whose entries
 * are copied back when they are used. This approximates LRU at the cost of one map look-up per hit, which
 * matters because the cache is consulted for every word of every document.
 */
export class BoundedMemo<V extends object | string> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();

  /** @param capacity maximum number of entries per generation; the cache holds at most twice as many */
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
