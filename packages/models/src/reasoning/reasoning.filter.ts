import { answerHeadingAt, firstAnswerHeading, startsWithReasoningHeading } from './reasoning-headings.js';
import {
  answerBeginAt,
  type FoundMark,
  indexOfLastEnd,
  isUndecidedStart,
  joinedMark,
  joinedStart,
  type Mark,
  markAt,
  markAtStart,
  mayBecomeMark,
  mayBecomeStart,
  mayGrow,
  unwrapped,
  wrapperAt,
} from './reasoning-marks.js';
import { thinksAloud } from './thinking-aloud.js';

/**
 * When text is buffered until the answer shows whether it was reasoning. `aloud`: if the answer begins as models do that
 * think aloud. `clear`: only if it begins as no answer does. `start`: until the first mark. `always`: to the end.
 */
export type HoldRule = 'clear' | 'aloud' | 'start' | 'always';

/** A piece of the answer. */
export interface FilteredText {
  text: string;
  /** The text of all earlier pieces was reasoning. */
  retracts: boolean;
}

/** Longest line that is buffered to find the end of code in backticks. */
const MAX_HELD_LINE = 2_048;
const PLAIN = /[^\n`~<＜[◁{]+/y;
const PLAIN_IN_REASONING = /[^\n<＜[◁{]+/y;
/** Words and the white space after them, where a heading may follow. */
const PLAIN_WORD = /(?:[^\s。！？`~<＜[◁{]+[。！？]*|[。！？]+)[^\S\n]*|[^\S\n]+/y;
const WORD_END = /[\s。！？]/;
const RUN = /`+|~+/y;
const MIN_FENCE = 3;
/** What can stand before a fence on its line. */
const LINE_PREFIX = /^[ \t>*+\-\d.)]*$/;
/** Enough for the end of a block that has its own. */
const MAX_OWN_END = 40;

/**
 * Removes reasoning from the text of a model while it streams, in all forms of {@link markAt}. Marks in code of the
 * answer (fenced, or in backticks within one line) are text.
 *
 * An end mark without a begin mark means that everything before it was reasoning. The {@link HoldRule} decides when text
 * is buffered for this; if it was returned already, the next piece retracts it. A begin mark without an end mark means
 * that everything after it is reasoning.
 *
 * The text that is left does not depend on how the input is split.
 */
export class ReasoningFilter {
  /** The answer has had reasoning, or a mark of an empty one. */
  hasMarks = false;
  /** The answer has had reasoning without a begin mark. */
  hasLoneEnd = false;
  /** The answer begins as models do that think aloud, and as no answer does. */
  opensAloud = false;
  /** The answer ended within reasoning. */
  endsInReasoning = false;

  private pending = '';
  private at = 0;
  private ended = false;

  private isReasoning = false;
  /** The answer began with a heading of reasoning, so that a heading of the answer ends it. */
  private endsAtHeading = false;
  private ownEnd: RegExp | undefined;
  private hasNestedBegin = false;
  private isFinalChannel = false;

  /** Text that may turn out to be reasoning; null if text is returned at once. */
  private held: string | null;
  private output = '';
  private hasReturned = false;
  private retracts = false;
  private hasText = false;
  private followsReasoning = false;
  private lastChar = '';
  /** The current line, of the answer or of the reasoning; only its start if it is long. */
  private line = '';
  private fence = '';
  private fenceStart = 0;

  constructor(readonly rule: HoldRule) {
    this.held = rule === 'start' || rule === 'always' ? '' : null;
  }

  push(text: string): FilteredText {
    this.pending = this.pending.slice(this.at) + text;
    this.at = 0;
    while (this.at < this.pending.length && (this.isReasoning ? this.stepInReasoning() : this.stepInText()));
    return this.drain();
  }

  /** @param options.startsInReasoning whether held text without any mark is truncated reasoning */
  flush({ startsInReasoning = false } = {}): FilteredText {
    this.ended = true;
    const { text, retracts } = this.push('');
    if (this.held !== null && this.fence !== '') this.endHeldFence(this.held);
    const isCut = startsInReasoning && this.held !== null && !this.hasMarks;
    this.endsInReasoning = this.isReasoning || isCut;
    if (!isCut) this.output += this.hasMarks ? (this.held ?? '') : unwrapped(this.held ?? '');
    this.held = null;
    return { text: text + this.drain().text, retracts };
  }

  /** Processes the next token of the answer. @returns false if more text is necessary */
  private stepInText(): boolean {
    const { pending, at } = this;
    const char = pending.charAt(at);
    const isStart = !this.hasText && !this.hasMarks;
    if (isStart && /\s/.test(char)) return this.take(char);
    if (isStart && !this.judgeStart()) return false;
    if (this.endsAtHeading && this.fence === '' && this.isAfterWord()) {
      const length = this.answerHeading();
      if (length === null) return false;
      if (length > 0) return this.apply({ kind: 'end', length });
    }
    const first = isStart ? markAtStart(pending, at) : null;
    if (first) return !this.ended && mayGrow(pending, at, first) ? false : this.apply(first);
    const wrapper = this.hasText || !this.hasMarks ? 0 : wrapperAt(pending, at);
    if (wrapper > 0) return this.apply({ kind: 'token', length: wrapper });
    if (char === '`' || char === '~') return this.stepOverRun();
    if (char === '\n') return this.take('\n');
    if (this.fence !== '') return this.stepOverPlain();
    const mark = markAt(pending, at, this.hasMarks);
    if (!this.ended && (mark ? mayGrow(pending, at, mark) : mayBecomeMark(pending, at))) return false;
    return mark ? this.apply(mark) : this.stepOverPlain();
  }

  /** Decides at the first words of the answer whether they are buffered. @returns false if more text is necessary */
  private judgeStart(): boolean {
    const start = this.pending.slice(this.at, this.at + 200).trimStart();
    const heading = startsWithReasoningHeading(start, this.ended);
    if (heading === 'maybe') return false;
    const aloud = thinksAloud(start, this.rule === 'clear');
    if (!this.ended && (aloud === 'maybe' || mayBecomeStart(start))) return false;
    this.endsAtHeading = heading === 'yes';
    const opensHeld = this.endsAtHeading || isUndecidedStart(start);
    if (aloud === 'yes' || opensHeld) this.held ??= '';
    this.opensAloud ||= opensHeld || thinksAloud(start, true) === 'yes';
    return true;
  }

  /** Whether a heading of the answer can begin here. */
  private isAfterWord(): boolean {
    return (
      this.line.trim() === '' || WORD_END.test(this.lastChar) || '[【'.includes(this.pending.charAt(this.at))
    );
  }

  private answerHeading(): number | null {
    const isLineStart = this.line.trim() === '';
    return answerHeadingAt(this.pending, this.at, { isLineStart, isEnd: this.ended });
  }

  private stepOverPlain(): boolean {
    const plain = this.endsAtHeading ? PLAIN_WORD : PLAIN;
    plain.lastIndex = this.at;
    return this.stepOverWords(
      plain.exec(this.pending)?.[0] ?? this.pending.charAt(this.at),
      this.fence === '',
    );
  }

  /** @param canJoin whether words such as `assistantfinal` are marks */
  private stepOverWords(words: string, canJoin: boolean): boolean {
    const joined = canJoin ? joinedMark(words) : null;
    if (joined) {
      this.take(words.slice(0, joined.index));
      return this.apply(joined.mark);
    }
    const isAtEnd = canJoin && !this.ended && this.at + words.length === this.pending.length;
    const kept = isAtEnd ? joinedStart(words) : 0;
    this.take(words.slice(0, words.length - kept));
    return kept === 0;
  }

  /** Code in backticks, the line of a fence, or other backticks and tildes. */
  private stepOverRun(): boolean {
    RUN.lastIndex = this.at;
    const run = RUN.exec(this.pending)?.[0] ?? '';
    const { rest, isComplete } = this.restOfLine(this.at);
    if (!isComplete && rest.length === run.length) return false;
    if (run.length >= MIN_FENCE && LINE_PREFIX.test(this.line)) {
      if (!isComplete) return false;
      if (this.fence !== '') {
        if (run.startsWith(this.fence) && rest.slice(run.length).trim() === '') this.fence = '';
        return this.take(rest);
      }
      if (run.startsWith('~') || !rest.slice(run.length).includes('`')) {
        this.fence = run;
        this.fenceStart = this.held?.length ?? 0;
        return this.take(rest);
      }
    }
    if (this.fence !== '' || run.startsWith('~')) return this.take(run);
    const end = endOfInlineCode(rest, run);
    if (!isComplete && (end < 0 || end === rest.length)) return false;
    return this.take(end < 0 ? run : rest.slice(0, end));
  }

  /** Processes the next token of the reasoning. @returns false if more text is necessary */
  private stepInReasoning(): boolean {
    const { pending, at, ownEnd } = this;
    if (ownEnd) return this.stepToOwnEnd(ownEnd);
    if (pending.startsWith('\n', at)) return this.take('\n');
    const mark = pending.startsWith('<|end|>', at)
      ? ({ kind: 'end', length: 7 } as const)
      : markAt(pending, at, false);
    if (!this.ended && (mark ? mayGrow(pending, at, mark) : mayBecomeMark(pending, at))) return false;
    if (!mark) {
      const begin = this.line.trim() === '' ? answerBeginAt(pending, at) : 0;
      if (begin > 0) return this.endUnmarked(begin);
      PLAIN_IN_REASONING.lastIndex = at;
      return this.stepOverWords(PLAIN_IN_REASONING.exec(pending)?.[0] ?? pending.charAt(at), true);
    }
    const isCode = mark.kind === 'end' ? this.isInCode(at + mark.length) : false;
    if (isCode === null) return false;
    return isCode ? this.take(pending.slice(at, at + mark.length)) : this.apply(mark);
  }

  private stepToOwnEnd(ownEnd: RegExp): boolean {
    const rest = this.pending.slice(this.at);
    const found = ownEnd.exec(rest);
    if (found) {
      this.take(rest.slice(0, found.index));
      return this.apply({ kind: 'end', length: found[0].length });
    }
    if (this.ended) return this.take(rest);
    this.take(rest.slice(0, Math.max(0, rest.length - MAX_OWN_END)));
    return false;
  }

  /** Whether an end mark is the end of code in backticks, such as `</think>`; null if more text is necessary. */
  private isInCode(end: number): boolean | null {
    const open = openRun(this.line);
    if (open === '') return false;
    const rest = this.pending.slice(end, end + open.length + 1);
    if (!this.ended && rest.length <= open.length && open.startsWith(rest)) return null;
    return rest.startsWith(open) && rest.charAt(open.length) !== '`';
  }

  /** The rest of the line, or the longest part of it that is buffered. */
  private restOfLine(from: number): { rest: string; isComplete: boolean } {
    const window = this.pending.slice(from, from + MAX_HELD_LINE + 1);
    const end = window.indexOf('\n');
    const rest = end < 0 ? window : window.slice(0, end);
    return { rest, isComplete: end >= 0 || this.ended || rest.length > MAX_HELD_LINE };
  }

  private apply({ kind, length, ownEnd, isChannel = false }: Mark): true {
    this.at += length;
    this.hasMarks = true;
    if (kind === 'begin') {
      // A begin mark within reasoning may have an end mark of its own.
      this.hasNestedBegin = this.isReasoning && !isChannel;
      if (!this.isReasoning) this.begin(ownEnd);
    } else if (kind === 'end') {
      if (this.isReasoning) this.end();
      else if (!(isChannel && this.isFinalChannel)) this.endLone();
    }
    if (isChannel) this.isFinalChannel = kind === 'end';
    return true;
  }

  /** The end mark is missing, or follows: then this was a draft. */
  private endUnmarked(length: number): true {
    this.at += length;
    this.end();
    this.held ??= '';
    return true;
  }

  private begin(ownEnd: RegExp | undefined): void {
    this.isReasoning = true;
    this.ownEnd = ownEnd;
    this.line = '';
    if (this.held?.trim() !== '') return;
    this.endsAtHeading = false;
    if (this.rule !== 'always') this.held = null;
  }

  private end(): void {
    this.isReasoning = false;
    this.ownEnd = undefined;
    this.followsReasoning = true;
    this.line = this.lastChar === '\n' ? '' : this.lastChar;
    if (this.hasNestedBegin) this.held ??= '';
  }

  /** Everything before was reasoning. */
  private endLone(): void {
    this.endsAtHeading = false;
    this.hasLoneEnd ||= this.hasText;
    this.retracts ||= this.hasReturned;
    this.hasReturned = false;
    this.output = '';
    this.hasText = false;
    this.lastChar = '';
    this.line = '';
    this.fence = '';
    this.held = this.rule === 'always' ? '' : null;
  }

  /** Moves text to the output, or drops it as reasoning. */
  private take(text: string): true {
    this.at += text.length;
    if (this.isReasoning) this.addToLine(text);
    else this.emit(this.hasMarks ? this.afterMark(text) : text);
    return true;
  }

  private emit(text: string): void {
    if (text === '') return;
    this.hasText ||= text.trim() !== '';
    this.lastChar = text.slice(-1);
    this.addToLine(text);
    if (this.held === null) this.output += text;
    else this.held += text;
  }

  /** White space is needed once where reasoning was removed, and not before the first word. */
  private afterMark(text: string): string {
    const hasSpace = this.followsReasoning && /\s/.test(this.lastChar);
    const visible = !this.hasText ? text.trimStart() : hasSpace ? text.replace(/^[ \t]+/, '') : text;
    this.followsReasoning &&= visible === '';
    return visible;
  }

  private addToLine(text: string): void {
    if (text === '\n') this.line = '';
    else this.line += text.slice(0, MAX_HELD_LINE - this.line.length);
  }

  /** A fence that is not closed hides no end of reasoning, which may have left it open. */
  private endHeldFence(held: string): void {
    const code = held.slice(this.fenceStart);
    const mark: FoundMark | null = indexOfLastEnd(code);
    const end = mark
      ? { index: mark.index, length: mark.mark.length }
      : this.endsAtHeading
        ? firstAnswerHeading(code)
        : null;
    if (!end) return;
    this.hasMarks = true;
    this.hasLoneEnd = true;
    this.held = code.slice(end.index + end.length).trimStart();
  }

  private drain(): FilteredText {
    const piece = { text: this.output, retracts: this.retracts };
    this.hasReturned ||= this.output !== '';
    this.output = '';
    this.retracts = false;
    return piece;
  }
}

/** The end of code that begins with a run of backticks: after the next run of the same length. -1 without one. */
function endOfInlineCode(line: string, run: string): number {
  for (const { 0: other, index } of line.matchAll(/`+/g))
    if (index > 0 && other.length === run.length) return index + other.length;
  return -1;
}

/** The run of backticks that begins code on a line and is not closed; empty if there is none. */
function openRun(line: string): string {
  let open = '';
  for (const [run] of line.matchAll(/`+/g)) {
    if (open === '') open = run;
    else if (run === open) open = '';
  }
  return open;
}
