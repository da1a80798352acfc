/** The kind of Markdown code that contains the current position. */
type CodeState =
  | { readonly kind: 'inline'; readonly length: number }
  /** On the opening line of a fence. A backtick on this line makes it inline code. */
  | { readonly kind: 'opening'; readonly char: string; readonly length: number }
  | { readonly kind: 'fenced'; readonly char: string; readonly length: number }
  /** After a closing fence. Other text on its line means that the fence stays open. */
  | { readonly kind: 'closing'; readonly char: string; readonly length: number };

const MIN_FENCE = 3;
const BLANK = new Set([' ', '\t', '\r']);

/**
 * Tracks Markdown code one character at a time (CommonMark 0.31, §4.5 and §6.1), with two simplifications for
 * streams: a fence may have any indentation, as in lists, and inline code ends with its line even if it is
 * not closed.
 */
export class CodeTracker {
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
    else if (!BLANK.has(char)) {
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
