/** The longest text between brackets that is still read as a citation, brackets included, in UTF-16 units. */
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

/** A citation in the making: takes one character after another for as long as it can still become one. */
export class CitationMarker {
  raw: string;
  isComplete = false;
  private readonly closer: string;

  constructor(opener: string) {
    this.raw = opener;
    this.closer = CLOSERS.get(opener) ?? ']';
  }

  /** Whether the character belongs to the marker; if not, the marker stays as it was. */
  accept(char: string): boolean {
    if (this.isComplete || this.raw.length >= MAX_MARKER_LENGTH) return false;
    if (char === this.closer) {
      if (!BODY.test(this.raw.slice(1))) return false;
      this.isComplete = true;
    } else if (!INNER.test(char) || LINE_BREAK.test(char)) return false;
    this.raw += char;
    return true;
  }

  /** The numbers within 1..`last`, ranges spelt out, each once, in the order given. */
  numbers(last: number): number[] {
    const numbers = new Set<number>();
    for (const [, from = '', to = from] of this.raw.matchAll(/(\d+)(?:\s*[-–—]\s*(\d+))?/g)) {
      for (let n = Math.max(1, Number(from)); n <= Math.min(Number(to), last); n++) numbers.add(n);
    }
    return [...numbers];
  }
}
