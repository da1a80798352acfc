import { CitationMarker, MARKER_OPENERS } from './citation-marker.js';
import { CodeTracker } from './code-tracker.js';

/**
 * Validates and normalises the citations of an answer while it streams. `[2]`, `[1, 2]`, `[1-3]` and `【2】`
 * become `[2]`, `[1][2]`, `[1][2][3]` and `[2]`. Numbers without a passage are removed. If a citation has no
 * other numbers, the space before it is removed as well. Code (fenced, or in backticks within one line) is not
 * changed.
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

  /** @param passageCount passages are numbered from 1 to this number */
  constructor(private readonly passageCount: number) {}

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
    if (!marker.isComplete) return this.emitMarkerText(marker);
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
    this.lastChar = text.slice(-1);
  }

  private emitBufferedSpace(): void {
    this.output += this.bufferedSpace;
    this.bufferedSpace = '';
  }

  private drain(): string {
    const text = this.output;
    this.output = '';
    return text;
  }
}
