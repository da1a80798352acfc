/** A fence tag as it may be written by a model. White space is bounded, so that the time is linear. */
const TAG = /<\s{0,4}\/?\s{0,4}passage\s{0,4}\/?\s{0,4}>/giu;
/** The beginning of a fence tag at the end of a text. */
const TAG_BEGINNING = /<\s{0,4}\/?\s{0,4}(?:p(?:a(?:s(?:s(?:a(?:g(?:e\s{0,4}\/?\s{0,4})?)?)?)?)?)?)?$/iu;

/** The beginning of a label, as `passageLabel` writes it. */
const LABEL = 'From: ';

/**
 * Removes the frame of the prompt from an answer while it streams: the tags that fence passages, and lines that are equal to
 * lines of the frame. Small models repeat them. A line that had nothing else is removed as a whole.
 *
 * The concatenated output of `push` and `flush` does not depend on how the input is split. Documents cannot contain the tags,
 * because they are escaped in the prompt.
 */
export class FrameStreamFilter {
  private pending = '';
  /** Of the current line, text was emitted. */
  private hasOutput = false;
  /** Of the current line, a tag was removed. */
  private hasRemoved = false;
  private readonly lines: readonly string[];
  /** The line before was a tag. */
  private isBelowTag = false;

  /** @param lines of the frame, such as the label of a passage; without surrounding white space */
  constructor(lines: Iterable<string>) {
    this.lines = [...new Set(lines)].filter((line) => line !== '');
  }

  push(text: string): string {
    this.pending += text;
    let output = '';
    for (let end = this.pending.indexOf('\n'); end >= 0; end = this.pending.indexOf('\n')) {
      output += this.endLine(this.pending.slice(0, end), '\n');
      this.pending = this.pending.slice(end + 1);
    }
    return output + this.beginLine();
  }

  flush(): string {
    const rest = this.pending;
    this.pending = '';
    return this.endLine(rest, '');
  }

  /** Emits what is certain of the unfinished line. */
  private beginLine(): string {
    const line = this.pending;
    const isFrameLine =
      !this.hasOutput &&
      (this.lines.some((whole) => whole.startsWith(line.trim())) ||
        this.isLabel(line) ||
        (this.isBelowTag && LABEL.startsWith(line.trimStart())));
    if (isFrameLine) return '';
    const tag = TAG_BEGINNING.exec(line);
    const certain = line.slice(0, tag?.index);
    this.pending = line.slice(certain.length);
    return this.emit(certain);
  }

  private endLine(rest: string, end: string): string {
    const line = rest.replace(TAG, '').trim();
    const isFrameLine = !this.hasOutput && (this.lines.includes(line) || this.isLabel(line));
    const text = isFrameLine ? '' : this.emit(rest);
    const isRemoved = isFrameLine || (this.hasRemoved && !this.hasOutput);
    this.isBelowTag = isRemoved && !isFrameLine;
    this.hasOutput = false;
    this.hasRemoved = false;
    return isRemoved ? '' : text + end;
  }

  /** Whether a line is a label below a tag. Small models change the names and headings in it. */
  private isLabel(line: string): boolean {
    return this.isBelowTag && line.trimStart().startsWith(LABEL);
  }

  private emit(text: string): string {
    const kept = text.replace(TAG, '');
    if (kept !== text) this.hasRemoved = true;
    if (kept.trim() !== '') this.hasOutput = true;
    return this.hasRemoved && !this.hasOutput ? '' : kept;
  }
}
