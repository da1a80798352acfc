/** Longest citation, including its brackets, in UTF-16 code units. */
export const MAX_MARKER_LENGTH = 64;

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['【', '】'],
  ['［', '］'],
  ['(', ')'],
  ['（', '）'],
]);
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Characters that can begin a citation. */
export const MARKER_OPENERS: ReadonlySet<string> = new Set([...CLOSERS.keys(), ...SUPERSCRIPTS]);

/** Words before the number, as models write them: `[Source 1]`, `[citation:1]`. */
const LABELS = (
  'source sources passage passages citation citations cite ref reference doc document context chunk footnote ' +
  'note id quelle quellen fundstelle textstelle extrait référence fuente fuentes pasaje fonte passo bron источник 来源 出典 資料'
).split(' ');
const NUMBER_OR_RANGE = String.raw`\d{1,4}(?:\s*[\-–—]\s*\d{1,4})?`;
/** White space has one place only. With two, the time of a list would double with each label. */
const LABEL = String.raw`(?:(?:${LABELS.join('|')})(?:\s?[:.#_-]\s?|\s{0,2}))`;
/** `†` separates the number from what ChatGPT writes after it: `【1†source】`, `【1:0†L1-L3】`. */
// At most MAX_MARKER_LENGTH characters: with numbers of several digits, the time may be quadratic.
const BODY = new RegExp(
  String.raw`^\s*\^?(${LABEL}?)#?(${NUMBER_OR_RANGE}(?:\s*[,，、;；]\s*\^?${LABEL}?${NUMBER_OR_RANGE})*)(?::\d{1,3})?(?:†[^\]】］]*|\s*)$`,
  'iu',
);
const LINE_BREAK = /[\r\n]/;
const LETTER = /\p{L}/u;
const SPACE = /\s/;
/** Between the words of a citation. */
const SEPARATOR = /[\d,，、;；:.#_^\-–—]/;
const NOTE_END = ']】］';

/** What a citation is written in. Round brackets and superscripts are text, too. */
export type MarkerKind = 'square' | 'round' | 'superscript';

/** Incremental parser of one citation such as `[1, 3-5]`, `[Source 2]`, `(1)` or `¹`. */
export class CitationMarker {
  readonly kind: MarkerKind;
  raw: string;
  isComplete: boolean;
  private readonly closer: string;
  /** The letters since the last other character. */
  private word = '';
  /** A word may begin here: at the start, or after a comma. */
  private opensWord = true;
  /** A word has followed a comma. */
  private hasListedWord = false;
  private isNote = false;

  constructor(opener: string) {
    this.raw = opener;
    this.kind = SUPERSCRIPTS.includes(opener) ? 'superscript' : '(（'.includes(opener) ? 'round' : 'square';
    this.closer = CLOSERS.get(opener) ?? '';
    this.isComplete = this.kind === 'superscript';
  }

  /** Only numbers in square brackets, which passages are shown without. */
  get isPlain(): boolean {
    return this.kind === 'square' && !/[\p{L}^†#]/u.test(this.raw);
  }

  /** The words before the number; they make round brackets a citation wherever they are. */
  get hasLabel(): boolean {
    return (BODY.exec(this.raw.slice(1, -1))?.[1] ?? '') !== '';
  }

  /** Appends the character if the marker can continue with it, and returns whether it did. */
  accept(char: string): boolean {
    if (this.raw.length >= MAX_MARKER_LENGTH || LINE_BREAK.test(char)) return false;
    if (this.kind === 'superscript') {
      if (!SUPERSCRIPTS.includes(char)) return false;
    } else if (this.isComplete) return false;
    else if (char === this.closer) {
      if (!BODY.test(this.raw.slice(1))) return false;
      this.isComplete = true;
    } else if (!this.continuesWith(char)) return false;
    this.raw += char;
    return true;
  }

  /** Whether more characters can make it a citation after this one, which is no closing bracket. */
  private continuesWith(char: string): boolean {
    if (this.isNote) return !NOTE_END.includes(char);
    const before = this.raw.slice(1).trim();
    if (LETTER.test(char)) {
      this.hasListedWord ||= this.word === '' && /[,;]$/.test(before);
      this.word += char.toLowerCase();
      return this.opensWord && LABELS.some((label) => label.startsWith(this.word));
    }
    if (char === '†') return (this.isNote = true);
    const isSpace = SPACE.test(char);
    if (!isSpace && (!SEPARATOR.test(char) || (char === '^' && this.hasListedWord))) return false;
    // After a caret at the start, a word follows without a space.
    const isStart = isSpace ? this.word === '' && before !== '^' : char === '^' && before === '';
    this.opensWord = ',;'.includes(char) || (isStart && this.opensWord);
    this.word = '';
    return true;
  }

  /** Returns the numbers in 1..`last` in their order, each once, with ranges expanded. */
  numbers(last: number): number[] {
    if (this.kind === 'superscript') return superscriptNumbers(this.raw, last);
    const list = BODY.exec(this.raw.slice(1, -1))?.[2] ?? '';
    const numbers = new Set<number>();
    for (const [, from = '', to = from] of list.matchAll(/(\d+)(?:\s*[-–—]\s*(\d+))?/g)) {
      for (let n = Math.max(1, Number(from)); n <= Math.min(Number(to), last); n++) numbers.add(n);
    }
    return [...numbers];
  }

  /** Whether all of its numbers are in 1..`last`, and it has no range. */
  isExact(last: number): boolean {
    const written = this.raw.match(/\d+/g) ?? [];
    return (
      !/[-–—]/.test(this.raw) && written.every((number) => Number(number) >= 1 && Number(number) <= last)
    );
  }
}

/** `¹²` is 12 if there are at least 12 passages, otherwise 1 and 2. Empty if a digit has no passage. */
function superscriptNumbers(raw: string, last: number): number[] {
  const digits = [...raw].map((char) => SUPERSCRIPTS.indexOf(char));
  const whole = Number(digits.join(''));
  if (whole >= 1 && whole <= last) return [whole];
  return digits.every((digit) => digit >= 1 && digit <= last) ? [...new Set(digits)] : [];
}
