/** Where in Markdown code the text stands. */
type Code =
  | { readonly kind: 'inline'; readonly length: number }
  /** On the opening line of a fence; a backtick in it would make it inline code after all. */
  | { readonly kind: 'opening'; readonly char: string; readonly length: number }
  | { readonly kind: 'fenced'; readonly char: string; readonly length: number }
  /** After what closes the fence, if nothing else follows on its line. */
  | { readonly kind: 'closing'; readonly char: string; readonly length: number };

const MIN_FENCE = 3;
const BLANK = new Set([' ', '\t', '\r']);

/**
 * Follows Markdown code one character at a time (CommonMark 0.31, §4.5 and §6.1), with two simplifications that
 * a stream needs: a fence may be indented freely, as it is in lists, and code in backticks ends at the end of
 * its line, closed or not.
 */
export class CodeTracker {
  private code: Code | undefined;
  private runChar = '';
  private runLength = 0;
  private runBeganLine = false;
  /** The line so far holds only white space and quote marks. */
  private lineIsBlank = true;
  private lineWasBlank = true;

  /** Takes the next character; tells whether it stands in code. */
  take(char: string): boolean {
    this.lineWasBlank = this.lineIsBlank;
    if (char === this.runChar) {
      this.runLength++;
      return true;
    }
    if (this.runLength > 0) this.endRun();
    if (char === '`' || char === '~') {
      this.runChar = char;
      this.runLength = 1;
      this.runBeganLine = this.lineIsBlank;
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

  /** Takes back the last character, one of plain text that is left out after all. */
  takeBack(): void {
    this.lineIsBlank = this.lineWasBlank;
  }

  private endRun(): void {
    const { code, runChar: char, runLength: length } = this;
    this.runChar = '';
    this.runLength = 0;
    switch (code?.kind) {
      case undefined:
        if (this.runBeganLine && length >= MIN_FENCE) this.code = { kind: 'opening', char, length };
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
        if (char === code.char && length >= code.length && this.runBeganLine) {
          this.code = { ...code, kind: 'closing' };
        }
        break;
      case 'closing':
        this.code = { ...code, kind: 'fenced' };
    }
  }

  private endLine(): void {
    if (this.code?.kind === 'opening') this.code = { ...this.code, kind: 'fenced' };
    else if (this.code?.kind !== 'fenced') this.code = undefined;
    this.lineIsBlank = true;
  }
}
