/** Searches for words in bytes at increasing offsets. All searches for one word together take one pass. */
export class WordSearch {
  private readonly found = new Map<string, number>();

  constructor(readonly bytes: Buffer) {}

  /** The next offset of the word at or after `from`, which must not decrease; Infinity when there is none. */
  next(word: string, from: number): number {
    const known = this.found.get(word) ?? -1;
    if (known >= from) return known;
    const at = this.bytes.indexOf(word, from, 'latin1');
    const offset = at < 0 ? Infinity : at;
    this.found.set(word, offset);
    return offset;
  }
}
