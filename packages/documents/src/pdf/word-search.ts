/**
 * Looks for words in bytes, at places that only grow: all questions for one word together cost one pass over the bytes,
 * whatever is asked.
 */
export class WordSearch {
  private readonly found = new Map<string, number>();

  constructor(readonly bytes: Buffer) {}

  /** Where the word begins next, at this place or after it; Infinity when it does not. */
  next(word: string, from: number): number {
    const known = this.found.get(word) ?? -1;
    if (known >= from) return known;
    const at = this.bytes.indexOf(word, from, 'latin1');
    const place = at < 0 ? Infinity : at;
    this.found.set(word, place);
    return place;
  }
}
