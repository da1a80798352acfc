import { CitationMarker, MARKER_OPENERS } from './citation-marker.js';
import { CodeTracker } from './code-tracker.js';

/**
 * Checks the citations of an answer while it streams. `[2]`, `[1, 2]`, `[1-3]` and `【2】` become `[2]`,
 * `[1][2]`, `[1][2][3]` and `[2]`; numbers without a passage are dropped, with the space before an emptied
 * marker. Code (fenced, or in backticks within one line) and links (`[1](…)`) pass untouched.
 *
 * The concatenation of all that `push` and `flush` return does not depend on how the input is cut. What is held
 * back is bounded: a space and an unfinished marker of at most `MAX_MARKER_LENGTH`.
 */
export class CitationStreamFilter {
  /** Numbers cited so far, in order of first citation. */
  readonly cited = new Set<number>();

  private readonly code = new CodeTracker();
  private marker: CitationMarker | undefined;
  private heldSpace = '';
  /** Nothing but dropped markers stands on this line yet. */
  private atLineStart = true;
  private swallowSpace = false;
  /** What was emitted last could still become a marker if the next one were left out. */
  private afterOpenBracket = false;
  private lastChar = '';
  private output = '';

  /** @param passageCount passages are numbered 1 to this. */
  constructor(private readonly passageCount: number) {}

  /** Takes the next piece of the answer; returns the text that is safe to show now, possibly empty. */
  push(text: string): string {
    for (let i = 0; i < text.length; i++) this.take(text.charAt(i));
    return this.drain();
  }

  /** Ends the answer and returns what was held back. */
  flush(): string {
    if (this.marker !== undefined) this.settle(this.marker, '');
    this.emitHeldSpace();
    return this.drain();
  }

  private take(char: string): void {
    const marker = this.marker;
    if (marker !== undefined) {
      if (marker.accept(char)) return;
      if (marker.isComplete && char === '(') this.release(marker);
      else this.settle(marker, char);
    }
    const inCode = this.code.take(char);
    if (!inCode && MARKER_OPENERS.has(char)) this.marker = new CitationMarker(char);
    else this.pass(char);
  }

  private pass(char: string): void {
    if (char === ' ') {
      if (this.swallowSpace) this.swallowSpace = false;
      else {
        this.emitHeldSpace();
        this.heldSpace = char;
      }
      return;
    }
    this.emit(char);
    this.atLineStart = char === '\n';
  }

  /** Ends a marker before `next`: its known numbers are emitted, or it was no marker after all. */
  private settle(marker: CitationMarker, next: string): void {
    if (!marker.isComplete) return this.release(marker);
    this.marker = undefined;
    const known = marker.numbers(this.passageCount);
    if (known.length === 0) {
      // What stands on both sides may not grow together: `[[9]1]` to the citation `[1]`, `~~[9]~` to a fence.
      const wouldJoin = next === this.lastChar && (next === '~' || next === '`');
      if (this.afterOpenBracket || wouldJoin) return this.emit(`(${marker.raw.slice(1, -1)})`);
      this.code.takeBack();
      this.swallowSpace = this.atLineStart && this.heldSpace === '';
      this.heldSpace = '';
      return;
    }
    for (const number of known) this.cited.add(number);
    this.emit(known.map((number) => `[${number}]`).join(''));
    this.atLineStart = false;
  }

  /** Lets the text of a marker through as it is. */
  private release(marker: CitationMarker): void {
    this.marker = undefined;
    this.emit(marker.raw);
    this.atLineStart = false;
    this.afterOpenBracket = !marker.isComplete;
  }

  private emit(text: string): void {
    this.emitHeldSpace();
    this.swallowSpace = false;
    this.afterOpenBracket = false;
    this.output += text;
    this.lastChar = text.slice(-1);
  }

  private emitHeldSpace(): void {
    this.output += this.heldSpace;
    this.heldSpace = '';
  }

  private drain(): string {
    const ready = this.output;
    this.output = '';
    return ready;
  }
}
