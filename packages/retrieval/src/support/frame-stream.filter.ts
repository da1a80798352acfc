// The tags that fence passages in the prompt, in the spellings of models.

// White space and attributes are bounded, so that the time is linear. For the same reason the patterns that end with `$` are
// compared with the last MAX_FRAME_TAG characters of a text only.

/** No tag is longer, in UTF-16 code units. */
const MAX_FRAME_TAG = 160;

const TAG_OPENER = String.raw`(?:\\?<|&(?:lt|#60);|＜)\s{0,4}[/／]?\s{0,4}`;
const TAG_NUMBER = String.raw`[\s:_#-]{0,4}["'[(]?\d{1,4}["'\])]?`;
const TAG_ATTRIBUTES = String.raw`\s{1,4}[\w-]{1,20}\s?=[^<>＜＞&\n]{0,80}`;
const TAG_BODY = String.raw`${TAG_OPENER}passage(?:${TAG_NUMBER}|${TAG_ATTRIBUTES})?\s{0,4}/?\s{0,4}`;
const COMPLETE_TAG = String.raw`${TAG_BODY}(?:\\?>|&(?:gt|#62);|＞)`;

/** A tag, such as `<passage>`, `</ Passage>`, `<passage id="1">` or `&lt;passage&gt;`. */
const FRAME_TAG = new RegExp(COMPLETE_TAG, 'giu');

/** A line that is a tag. */
const FRAME_TAG_LINE = new RegExp(String.raw`^\s*${COMPLETE_TAG}\s*$`, 'iu');

/** A tag without its end at the end of a line. */
const OPEN_FRAME_TAG = new RegExp(`${TAG_BODY}$`, 'iu');

/** A tag that the end of the answer cuts. */
const CUT_FRAME_TAG = new RegExp(
  String.raw`(?:${TAG_BODY}(?:\\|&(?:g|gt|#6?)?|&#62)?|${TAG_OPENER}pas(?:s(?:ag?)?)?)$`,
  'iu',
);

/** What may be the start of a tag at the end of a text. */
const FRAME_TAG_START = new RegExp(
  String.raw`(?:\\|&(?:l|lt|#6?|#60)?|${TAG_OPENER}(?:p(?:a(?:s(?:s(?:ag?)?)?)?)?|passage[^<>＜＞&\n]{0,120}(?:&(?:g|gt|#6?|#62)?)?)?)$`,
  'iu',
);

/** A tag in a question, or as it is escaped in a passage. */
const FRAME_TAG_MENTION = /[<＜‹]\s{0,4}[/／]?\s{0,4}passage(?!\p{L})|&lt;\/?passage/iu;

const FENCE = /^[\s>*+-]{0,12}(```|~~~)/;
/** The part of a line that says whether a line of the frame may begin after it. */
const MAX_TAIL = 24;
/** A longer line is no tag, whatever the white space around a tag in it. */
const MAX_TAG_LINE = 200;

/** What surrounds the passages and the question in a prompt. */
export interface PromptFrame {
  /** Whole lines, such as the labels of passages. */
  lines: Iterable<string>;
  question: string;
  /** The passages as the model was given them. */
  passageText: string;
}

/**
 * Removes the frame of the prompt from an answer while it streams, which small models repeat:
 * - the tags that fence passages, also in code. If the question or a passage is about such tags, only those that are alone
 *   on their line and not in fenced code;
 * - the end of a line, from `From:`, `Question:` or `Passages` on, if it is a line of the frame, or the question in other
 *   words.
 *
 * A line that has nothing else is removed as a whole. The concatenated output of `push` and `flush` does not depend on how
 * the input is split.
 */
export class FrameStreamFilter {
  private readonly lines: FrameLines;
  private readonly keepsTags: boolean;
  /** Text that may be the start of a tag. */
  private pending = '';
  /** Text of the current line that may be of the frame. */
  private held = '';
  /** The end of what was emitted of the current line; empty if nothing was. */
  private tail = '';
  /** The beginning of what was emitted of the current line. */
  private head = '';
  /** Of the current line, a tag was removed. */
  private hasRemoved = false;
  /** The line before was a tag. */
  private isBelowTag = false;
  private fence = '';

  constructor({ lines, question, passageText }: PromptFrame) {
    this.lines = new FrameLines(lines, question, passageText);
    this.keepsTags = mentionsFrameTag(question, passageText);
  }

  push(text: string): string {
    this.pending += text;
    return this.take(false);
  }

  flush(): string {
    return this.take(true) + this.endLine('', true);
  }

  private take(isEnd: boolean): string {
    let output = '';
    for (let end = this.pending.indexOf('\n'); end >= 0; end = this.pending.indexOf('\n')) {
      output += this.takeText(this.pending.slice(0, end), OPEN_FRAME_TAG) + this.endLine('\n', false);
      this.pending = this.pending.slice(end + 1);
    }
    const start = isEnd || this.keepsTags ? -1 : startOfLastTag(this.pending, FRAME_TAG_START);
    const certain = this.pending.slice(0, start < 0 ? undefined : start);
    this.pending = this.pending.slice(certain.length);
    return output + this.takeText(certain, isEnd ? CUT_FRAME_TAG : null);
  }

  /** Removes the tags of a part of the line, and emits what cannot be of the frame. */
  private takeText(text: string, last: RegExp | null): string {
    // The tag at the end first: removing a complete one must not make another text the end.
    const end = this.keepsTags || last === null ? -1 : startOfLastTag(text, last);
    const whole = end < 0 ? text : text.slice(0, end);
    const kept = this.keepsTags ? text : whole.replace(FRAME_TAG, '');
    this.hasRemoved ||= kept !== text;
    this.held += kept;
    // A line with a tag that is of the frame if it is alone.
    if (this.tail === '' && this.mayBeTagLine(this.held)) return '';
    const start = this.lines.findStart(this.tail + this.held, this.tail.length, this.isBelowTag);
    return this.emit(this.held.slice(0, start - this.tail.length));
  }

  private mayBeTagLine(line: string): boolean {
    if (!this.keepsTags || this.fence !== '' || line.length > MAX_TAG_LINE) return false;
    return FRAME_TAG_START.test(line) || FRAME_TAG_LINE.test(line);
  }

  private endLine(end: string, isCut: boolean): string {
    const isTagLine = this.keepsTags && this.fence === '' && FRAME_TAG_LINE.test(this.held);
    const line = isTagLine ? '' : this.tail + this.held;
    const index = this.lines.find(line, this.tail.length, { isBelowTag: this.isBelowTag, isCut });
    const isFrame = index >= 0;
    const kept = isFrame ? beforeFrame(line, index).slice(this.tail.length) : line.slice(this.tail.length);
    const isEmpty = this.tail === '' && kept.trim() === '';
    const isRemoved = isEmpty && (isTagLine || isFrame || this.hasRemoved);
    const [, fence = ''] = FENCE.exec(this.head + this.held) ?? [];
    if (fence !== '') this.fence = this.fence === '' ? fence : this.fence === fence ? '' : this.fence;
    this.isBelowTag = isRemoved && !isFrame;
    this.held = '';
    this.tail = '';
    this.head = '';
    this.hasRemoved = false;
    return isRemoved ? '' : kept + end;
  }

  private emit(text: string): string {
    this.held = this.held.slice(text.length);
    this.tail = (this.tail + text).slice(-MAX_TAIL);
    this.head = (this.head + text).slice(0, MAX_TAIL);
    return text;
  }
}

/** Where a tag at the end of a text begins, by one of the patterns that end with `$`; -1 without one. */
function startOfLastTag(text: string, pattern: RegExp): number {
  const from = Math.max(0, text.length - MAX_FRAME_TAG);
  const index = text.slice(from).search(pattern);
  return index < 0 ? -1 : from + index;
}

/** Whether the question, or a document, is about such tags. */
function mentionsFrameTag(question: string, passageText: string): boolean {
  return FRAME_TAG_MENTION.test(question) || /‹[\s\p{Cf}/／]*p[\p{Cf}]*assage/iu.test(passageText);
}

/** The label of a passage, as `passageLabel` writes it. */
const LABEL = 'FROM: ';
const QUESTION = 'QUESTION: ';
/** Share of the words of a line after `Question:` from which the line is the question in other words. */
const SAME_WORDS = 0.75;
/** Where a line of the frame may begin within a line: at its start, or after a sentence or a colon. */
const START =
  /(?=[fqp])(?<=^[\s>*_#"“„«'‘`([\]\d.)+-]{0,12}|[.!?:。：？！]["”»'’)*_]{0,3}\s{1,4}[*_"“„«'‘`(]{0,4})(?:f(?:r(?:om?)?)?$|q(?:u(?:e(?:s(?:t(?:i(?:on?)?)?)?)?)?)?$|p(?:a(?:s(?:s(?:a(?:g(?:es?)?)?)?)?)?)?$|(?:from|question|passages)(?![\p{L}\p{N}]))/giu;
/** What can stand before it at the start of a line: quotes, marks of Markdown, a number. */
const HEAD = /^[\s>*_#"“„«'‘`([\]\d.)+-]{0,12}$/;
const MARKS_ONLY = /^[\s>*_#"“„«'‘`(+-]*$/;
const LAST_MARKS = /(?<![\s*_"“„«'‘`(])[\s*_"“„«'‘`(]+$/;
/** What can stand before it after a sentence. */
const GAP = /(?<=[.!?:。：？！]["”»'’)*_]{0,3})\s{1,4}[*_"“„«'‘`(]{0,4}$/;
const CJK_OR_WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+/gu;

/** The lines of a prompt around the passages and the question, and what of an answer repeats one. */
class FrameLines {
  private readonly lines: readonly string[];
  private readonly words: ReadonlySet<string>;
  private readonly maxLength: number;

  /**
   * @param lines such as the label of a passage
   * @param passageText what a passage says is no repetition, except the labels
   */
  constructor(
    lines: Iterable<string>,
    question: string,
    private readonly passageText: string,
  ) {
    this.lines = [...new Set(lines)].map(withoutEnd).filter((line) => line !== '');
    this.words = new Set(wordsOf(question));
    this.maxLength = 2 * Math.max(0, ...this.lines.map(({ length }) => length)) + 200;
  }

  /**
   * Returns where a line of the frame begins that ends this line; -1 without one.
   *
   * @param from not before
   * @param state.isBelowTag small models change the names and headings of a label below a tag
   * @param state.isCut the answer ends here
   */
  find(line: string, from: number, state: { isBelowTag: boolean; isCut: boolean }): number {
    return this.firstStart(line, from, (text, head) => {
      const end = withoutEnd(text);
      if (state.isBelowTag && end.startsWith(LABEL.trim()) && MARKS_ONLY.test(head)) return true;
      if (!end.startsWith(LABEL.trim()) && this.passageText.includes(text.trim())) return false;
      if (this.lines.includes(end)) return true;
      const isLabelled = /^\p{L}+[:,]/u.test(normal(text));
      if (state.isCut && isLabelled && this.lines.some((whole) => whole.startsWith(end))) return true;
      return this.isQuestion(text);
    });
  }

  /** Returns from where on the text may be of the frame, with the marks before; its length if it is not. */
  findStart(line: string, from: number, isBelowTag: boolean): number {
    const index = this.firstStart(line, from, (text, head) => {
      const start = normal(text);
      const isLabel = LABEL.startsWith(start) || start.startsWith(LABEL.trim());
      return (
        (isBelowTag && isLabel && MARKS_ONLY.test(head)) ||
        QUESTION.startsWith(start) ||
        start.startsWith(QUESTION.trim()) ||
        this.lines.some((whole) => whole.startsWith(start) || whole === withoutEnd(text))
      );
    });
    const head = index < 0 ? line : line.slice(0, index);
    return Math.max(from, HEAD.test(head) ? 0 : (GAP.exec(head)?.index ?? head.length));
  }

  private firstStart(line: string, from: number, isFound: (text: string, head: string) => boolean): number {
    for (const { index } of line.matchAll(START)) {
      const text = line.slice(index);
      if (index < from || text.length > this.maxLength) continue;
      if (isFound(text, line.slice(0, index))) return index;
    }
    return -1;
  }

  private isQuestion(text: string): boolean {
    if (!normal(text).startsWith(QUESTION.trim())) return false;
    const words = wordsOf(text).slice(1);
    return (
      words.length > 0 && words.filter((word) => this.words.has(word)).length >= SAME_WORDS * words.length
    );
  }
}

/** What is left of a line whose end is of the frame. */
function beforeFrame(line: string, index: number): string {
  const head = line.slice(0, index);
  if (MARKS_ONLY.test(head)) return '';
  return head.replace(HEAD.test(head) ? LAST_MARKS : GAP, '');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(CJK_OR_WORD) ?? [];
}

/** Without case, marks of Markdown, quotes and double spaces. A part of a text is a part of its form. */
function normal(text: string): string {
  return text
    .replace(/[*_`"“”„«»‘’]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase();
}

function withoutEnd(text: string): string {
  return normal(text).replace(/(?<![.,;)\]])[.,;)\]]+$/, '');
}
