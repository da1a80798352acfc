const MIN_FENCE = 3;
const BLANK_CHARACTERS = new Set([' ', '\t', '\r']);

/** Longest word that is not mistaken for a unit. */
const MAX_TAIL = 16;
/** A word, or the end of a sentence. Not a unit, a variable or a function, which have exponents. */
const AFTER_WORD =
  /(?:[.,;:!?。，；！？)\]"”»]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?<!\p{L})(?!(?:sin|cos|tan|log|inch|inches|feet|foot|met(?:er|re)s?|yards?|miles?|zoll|fuß)$)\p{L}{3,})$/iu;
/** Without a space, round brackets after a word are a function or a plural. */
const AFTER_CLOSED = /[.。!?！？)\]"”»\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const AFTER_SPACED = /[\p{L}\p{N}%°€$)\]"”»’'.。!?]$/u;
const BEFORE_END = /[.,;:!?。，；：！？、)\]\n"”»…([（【*_|]/;

/**
 * Validates and normalises the citations of an answer while it streams. `[2]`, `[1, 2]`, `[1-3]` and `【2】`
 * become `[2]`, `[1][2]`, `[1][2][3]` and `[2]`, and so do `[^2]`, `[Source 2]` and `【2†source】`. Numbers without a
 * passage are removed. If a citation has no other numbers, the space before it is removed as well. Code (fenced, or
 * in backticks within one line) is not changed.
 *
 * `(2)` at the end of a statement and `²` after a word become `[2]`, too, if there is such a passage and if no passage
 * contains that mark itself. Otherwise they stay as they are.
 *
 * The concatenated output of `push` and `flush` does not depend on how the input is split. At most one space
 * and one unfinished marker of `MAX_MARKER_LENGTH` are buffered.
 */
export class CitationStreamFilter {
  /** Numbers cited so far, in order of first citation. */
  readonly cited = new Set<number>();

  private readonly code = new CodeTracker();
  private marker: CitationMarker | undefined;
  private bufferedSpace = '';
  /** No text has been emitted for the current line. */
  private atLineStart = true;
  private skipNextSpace = false;
  /** The last output is an unfinished marker, which could continue if the next marker were removed. */
  private afterUnfinishedMarker = false;
  private lastChar = '';
  private output = '';

  /** The end of the output. */
  private tail = '';

  /**
   * @param passageCount passages are numbered from 1 to this number
   * @param passageText the passages as the model was given them
   */
  constructor(
    private readonly passageCount: number,
    private readonly passageText = '',
  ) {}

  /** Processes the next piece of the answer and returns the text that can be shown, possibly empty. */
  push(text: string): string {
    for (let i = 0; i < text.length; i++) this.processChar(text.charAt(i));
    return this.drain();
  }

  /** Ends the answer and returns the buffered text. */
  flush(): string {
    if (this.marker !== undefined) this.endMarker(this.marker, '');
    this.emitBufferedSpace();
    return this.drain();
  }

  private processChar(char: string): void {
    const marker = this.marker;
    if (marker !== undefined) {
      if (marker.accept(char)) return;
      this.endMarker(marker, char);
    }
    const inCode = this.code.push(char);
    if (!inCode && MARKER_OPENERS.has(char)) this.marker = new CitationMarker(char);
    else this.emitChar(char);
  }

  private emitChar(char: string): void {
    if (char === ' ') {
      if (this.skipNextSpace) this.skipNextSpace = false;
      else {
        this.emitBufferedSpace();
        this.bufferedSpace = char;
      }
      return;
    }
    this.emit(char);
    this.atLineStart = char === '\n';
  }

  /** Ends a marker before the character `next`: emits its valid numbers, or its text if it is no citation. */
  private endMarker(marker: CitationMarker, next: string): void {
    if (!marker.isComplete || !this.isCitation(marker, next)) return this.emitMarkerText(marker);
    this.marker = undefined;
    const numbers = marker.numbers(this.passageCount);
    if (numbers.length === 0) {
      // Removing the marker must not join the text on both sides: `[[9]1]` to `[1]`, or `~~[9]~` to a fence.
      const wouldJoin = next === this.lastChar && (next === '~' || next === '`');
      if (this.afterUnfinishedMarker || wouldJoin) return this.emit(`(${marker.raw.slice(1, -1)})`);
      this.code.undoLastChar();
      this.skipNextSpace = this.atLineStart && this.bufferedSpace === '';
      this.bufferedSpace = '';
      return;
    }
    for (const number of numbers) this.cited.add(number);
    this.emit(numbers.map((number) => `[${number}]`).join(''));
    this.atLineStart = false;
  }

  /** Whether a mark that can be text is a citation. The number of one that cannot may have no passage. */
  private isCitation(marker: CitationMarker, next: string): boolean {
    if (marker.isPlain) return true;
    if (this.passageText.includes(marker.raw)) return false;
    if (marker.kind === 'square') return true;
    if (marker.numbers(this.passageCount).length === 0) return false;
    if (marker.hasLabel) return true;
    if (marker.kind === 'superscript')
      return this.bufferedSpace === '' && AFTER_WORD.test(this.tail) && !/[\p{L}\p{N}⁺⁻]/u.test(next);
    const isAfterStatement = this.bufferedSpace === '' ? AFTER_CLOSED : AFTER_SPACED;
    return (
      !this.atLineStart &&
      marker.isExact(this.passageCount) &&
      isAfterStatement.test(this.tail) &&
      (next === '' || BEFORE_END.test(next))
    );
  }

  /** Emits the text of a marker unchanged. */
  private emitMarkerText(marker: CitationMarker): void {
    this.marker = undefined;
    this.emit(marker.raw);
    this.atLineStart = false;
    this.afterUnfinishedMarker = !marker.isComplete;
  }

  private emit(text: string): void {
    this.emitBufferedSpace();
    this.skipNextSpace = false;
    this.afterUnfinishedMarker = false;
    this.output += text;
    this.tail = (this.tail + text).slice(-MAX_TAIL);
    this.lastChar = text.slice(-1);
  }

  private emitBufferedSpace(): void {
    this.output += this.bufferedSpace;
    this.tail += this.bufferedSpace;
    this.bufferedSpace = '';
  }

  private drain(): string {
    const text = this.output;
    this.output = '';
    return text;
  }
}

/** The kind of Markdown code that contains the current position. */
type CodeState =
  | { readonly kind: 'inline'; readonly length: number }
  /** On the opening line of a fence. A backtick on this line makes it inline code. */
  | { readonly kind: 'opening'; readonly char: string; readonly length: number }
  | { readonly kind: 'fenced'; readonly char: string; readonly length: number }
  /** After a closing fence. Other text on its line means that the fence stays open. */
  | { readonly kind: 'closing'; readonly char: string; readonly length: number };

/**
 * Tracks Markdown code one character at a time (CommonMark 0.31, §4.5 and §6.1), with two simplifications for
 * streams: a fence may have any indentation, as in lists, and inline code ends with its line even if it is
 * not closed.
 */
class CodeTracker {
  private code: CodeState | undefined;
  private runChar = '';
  private runLength = 0;
  private runStartsLine = false;
  /** The line has only white space and quote marks so far. */
  private lineIsBlank = true;
  private lineWasBlank = true;

  /** Processes the next character and returns whether it is part of code or of a code delimiter. */
  push(char: string): boolean {
    this.lineWasBlank = this.lineIsBlank;
    if (char === this.runChar) {
      this.runLength++;
      return true;
    }
    if (this.runLength > 0) this.endRun();
    if (char === '`' || char === '~') {
      this.runChar = char;
      this.runLength = 1;
      this.runStartsLine = this.lineIsBlank;
      this.lineIsBlank = false;
      return true;
    }
    if (char === '\n') this.endLine();
    else if (!BLANK_CHARACTERS.has(char)) {
      if (char !== '>') this.lineIsBlank = false;
      if (this.code?.kind === 'closing') this.code = { ...this.code, kind: 'fenced' };
    }
    return this.code !== undefined;
  }

  /** Undoes the last character, which must be plain text: it is removed from the output. */
  undoLastChar(): void {
    this.lineIsBlank = this.lineWasBlank;
  }

  private endRun(): void {
    const { code, runChar: char, runLength: length } = this;
    this.runChar = '';
    this.runLength = 0;
    switch (code?.kind) {
      case undefined:
        if (this.runStartsLine && length >= MIN_FENCE) this.code = { kind: 'opening', char, length };
        else if (char === '`') this.code = { kind: 'inline', length };
        break;
      case 'opening':
        if (char === '`' && code.char === '`') {
          this.code = length === code.length ? undefined : { kind: 'inline', length: code.length };
        }
        break;
      case 'inline':
        if (char === '`' && length === code.length) this.code = undefined;
        break;
      case 'fenced':
        if (char === code.char && length >= code.length && this.runStartsLine) {
          this.code = { ...code, kind: 'closing' };
        }
        break;
      case 'closing':
        this.code = { ...code, kind: 'fenced' };
        break;
    }
  }

  private endLine(): void {
    if (this.code?.kind === 'opening') this.code = { ...this.code, kind: 'fenced' };
    else if (this.code?.kind !== 'fenced') this.code = undefined;
    this.lineIsBlank = true;
  }
}

/** Longest citation, including its brackets, in UTF-16 code units. */
const MAX_MARKER_LENGTH = 64;

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['【', '】'],
  ['［', '］'],
  ['(', ')'],
  ['（', '）'],
]);
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** Characters that can begin a citation. */
const MARKER_OPENERS: ReadonlySet<string> = new Set([...CLOSERS.keys(), ...SUPERSCRIPTS]);

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
type MarkerKind = 'square' | 'round' | 'superscript';

/** Incremental parser of one citation such as `[1, 3-5]`, `[Source 2]`, `(1)` or `¹`. */
class CitationMarker {
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
