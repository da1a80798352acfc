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
export class FrameLines {
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
export function beforeFrame(line: string, index: number): string {
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
