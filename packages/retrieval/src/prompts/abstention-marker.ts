/** With this word a model says that the passages do not contain the answer. It never reaches a client. */
const MARKER = 'NOT_IN_PASSAGES';
/** As models write it: in brackets, emphasised, with escaped underscores, with spaces. */
const MARK =
  /[[(<{"'“*`]{0,4}(?:NOT(?:\\?_| )IN(?:\\?_| )PASSAGES|not\\?_in\\?_passages)[\])>}"'”*`]{0,4}[.:!]?/;
const OPENING = String.raw`[[(<{"'“*\`]{0,4}`;
/** The start of a mark at the end of a text. */
const PARTIAL = new RegExp(
  `${OPENING}(?:${[partialOf('NOT', 'IN', 'PASSAGES'), partialOf('not', 'in', 'passages')].join('|')})?$`,
);
/** What may still belong to a mark that ends the text. */
const CLOSING = /^[\])>}"'”*`]{0,4}[.:!]?$/;

/** @returns a pattern that matches every start of the words with `_`, `\_` or a space between them */
function partialOf(...words: readonly string[]): string {
  const units = words
    .flatMap((word, index) => (index === 0 ? [...word] : [String.raw`(?:\\?_| )`, ...word]))
    // An escape may be split from its underscore.
    .map((unit) => (unit.length > 1 ? String.raw`(?:\\|\\?_| )` : unit));
  return units.reduceRight((rest, unit) => `${unit}(?:${rest})?`, '');
}

/**
 * The instruction with which a model abstains, for the end of the system prompt.
 *
 * @param isOwnPrompt the agent has a prompt of its own, which may say what to answer then
 */
export function abstentionInstruction(isOwnPrompt: boolean): string {
  return isOwnPrompt
    ? `If the passages contain nothing that answers the question, begin the reply with the word ${MARKER}, and then follow the instructions above.`
    : `If the passages contain nothing that answers the question, the whole reply is the word ${MARKER}, in place of a sentence that says so.`;
}

/** Removes the mark of an abstention from an answer while it streams. At most one mark is buffered. */
export class AbstentionFilter {
  /** The answer has had the mark: `start` before all other text. */
  mark: 'none' | 'start' | 'later' = 'none';
  private pending = '';
  private hasText = false;

  push(text: string): string {
    this.pending += text;
    return this.take(false);
  }

  flush(): string {
    return this.take(true);
  }

  private take(isEnd: boolean): string {
    let output = '';
    for (let found = MARK.exec(this.pending); found; found = MARK.exec(this.pending)) {
      const end = found.index + found[0].length;
      // Its brackets may not be complete.
      if (!isEnd && end === this.pending.length && CLOSING.test(this.pending.slice(end))) break;
      output += this.show(this.pending.slice(0, found.index));
      if (this.mark === 'none') this.mark = this.hasText ? 'later' : 'start';
      this.pending = this.hasText ? this.pending.slice(end) : this.pending.slice(end).trimStart();
    }
    const kept = isEnd
      ? this.pending.length
      : (MARK.exec(this.pending)?.index ?? PARTIAL.exec(this.pending)?.index);
    const ready = kept ?? this.pending.length;
    output += this.show(this.pending.slice(0, ready));
    this.pending = this.pending.slice(ready);
    return output;
  }

  private show(text: string): string {
    const shown = this.hasText || this.mark === 'none' ? text : text.trimStart();
    this.hasText ||= shown.trim() !== '';
    return shown;
  }
}
