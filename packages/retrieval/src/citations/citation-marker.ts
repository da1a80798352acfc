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
const LABEL = String.raw`(?:(?:${LABELS.join('|')})\s?[:.#_-]?\s?)`;
/** `†` separates the number from what ChatGPT writes after it: `【1†source】`, `【1:0†L1-L3】`. */
const BODY = new RegExp(
  String.raw`^\s*\^?(${LABEL}?)#?(${NUMBER_OR_RANGE}(?:\s*[,，、;；]\s*\^?${LABEL}?${NUMBER_OR_RANGE})*)(?::\d{1,3})?(?:†[^\]】］]*)?\s*$`,
  'iu',
);
const LINE_BREAK = /[\r\n]/;
/** Each repetition begins with a letter: with several ways to match, a long list of commas would take minutes. */
const INNER =
  /^\s*\^?(\p{L}*)[\s\d,，、;；:.#_^\-–—]*(?:(?<=[,;]\s*)(\p{L}+)[\s\d,，、;；:.#_\-–—]*)*(?:†[^\]】］]*)?$/u;

/** What a citation is written in. Round brackets and superscripts are text, too. */
export type MarkerKind = 'square' | 'round' | 'superscript';

/** Incremental parser of one citation such as `[1, 3-5]`, `[Source 2]`, `(1)` or `¹`. */
export class CitationMarker {
  readonly kind: MarkerKind;
  raw: string;
  isComplete: boolean;
  private readonly closer: string;

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
    } else if (!mayContinue(this.raw.slice(1) + char)) return false;
    this.raw += char;
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

/** Whether more characters can make it a citation. */
function mayContinue(inner: string): boolean {
  const [found, ...words] = INNER.exec(inner) ?? [];
  if (found === undefined) return false;
  return words.filter(Boolean).every((word) => LABELS.some((label) => label.startsWith(word.toLowerCase())));
}

/** `¹²` is 12 if there are so many passages, otherwise 1 and 2. Empty if a digit has no passage. */
function superscriptNumbers(raw: string, last: number): number[] {
  const digits = [...raw].map((char) => SUPERSCRIPTS.indexOf(char));
  const whole = Number(digits.join(''));
  if (whole >= 1 && whole <= last) return [whole];
  return digits.every((digit) => digit >= 1 && digit <= last) ? [...new Set(digits)] : [];
}
