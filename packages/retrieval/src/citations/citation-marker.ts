/** Longest citation, including its brackets, in UTF-16 code units. */
export const MAX_MARKER_LENGTH = 64;

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['【', '】'],
  ['［', '］'],
]);
/** Characters that can begin a citation. */
export const MARKER_OPENERS: ReadonlySet<string> = new Set(CLOSERS.keys());

const INNER = /[\d\s,，、;；\-–—]/u;
const LINE_BREAK = /[\r\n]/;
const NUMBER_OR_RANGE = String.raw`\d{1,4}(?:\s*[\-–—]\s*\d{1,4})?`;
const BODY = new RegExp(String.raw`^\s*${NUMBER_OR_RANGE}(?:\s*[,，、;；]\s*${NUMBER_OR_RANGE})*\s*$`, 'u');

/** Incremental parser of one citation such as `[1, 3-5]`. */
export class CitationMarker {
  raw: string;
  isComplete = false;
  private readonly closer: string;

  constructor(opener: string) {
    this.raw = opener;
    this.closer = CLOSERS.get(opener) ?? ']';
  }

  /** Appends the character if the marker can continue with it, and returns whether it did. */
  accept(char: string): boolean {
    if (this.isComplete || this.raw.length >= MAX_MARKER_LENGTH) return false;
    if (char === this.closer) {
      if (!BODY.test(this.raw.slice(1))) return false;
      this.isComplete = true;
    } else if (!INNER.test(char) || LINE_BREAK.test(char)) return false;
    this.raw += char;
    return true;
  }

  /** Returns the numbers in 1..`last` in their order, each once, with ranges expanded. */
  numbers(last: number): number[] {
    const numbers = new Set<number>();
    for (const [, from = '', to = from] of this.raw.matchAll(/(\d+)(?:\s*[-–—]\s*(\d+))?/g)) {
      for (let n = Math.max(1, Number(from)); n <= Math.min(Number(to), last); n++) numbers.add(n);
    }
    return [...numbers];
  }
}
