import { raisedText } from '../document/canonical-text.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { symbolText } from './symbol-fonts.js';

/** The properties of text that change what a reader sees. */
export interface TextStyle {
  /** The symbol font of the text; null for a font with letters. */
  readonly symbolFont: string | null;
  readonly isHidden: boolean;
  readonly isStruck: boolean;
  readonly isRaised: boolean;
}

export const PLAIN: TextStyle = { symbolFont: null, isHidden: false, isStruck: false, isRaised: false };

/** The text that a reader sees; `''` for hidden and struck text, which is counted. */
export function shownText(
  text: string,
  { symbolFont, isHidden, isStruck }: TextStyle,
  builder: DocumentBuilder,
): string {
  if (!isHidden && !isStruck) return symbolFont === null ? text : symbolText(text, symbolFont);
  builder.leaveOut(isHidden ? 'hidden' : 'deleted', text);
  return '';
}

/** Joins the texts of runs. An exponent may be in several runs, and so may the word that a reading belongs to. */
export class RunText {
  private readonly parts: string[] = [];
  /** Raised text that is not added yet. */
  private raised = '';
  /** Readings of the last words. They are added after adjacent words, so that no word is split. */
  private reading = '';

  add(text: string, isRaised = false): void {
    if (text === '') return;
    this.flush(isRaised);
    if (isRaised) this.raised += text;
    else this.parts.push(text);
  }

  /** Adds a word and how it is read (ruby): `漢字(かんじ)`. */
  addRuby(word: string, reading: string): void {
    const readings = `${this.reading}${reading}`;
    this.reading = '';
    this.add(word);
    this.reading = readings;
  }

  /** The last text that was added, unless it is raised. */
  get last(): string {
    return this.parts.at(-1) ?? '';
  }

  /** Returns the text and begins a new one. */
  take(): string {
    this.flush(false);
    return this.parts.splice(0).join('');
  }

  private flush(keepsRaised: boolean): void {
    if (this.reading !== '') this.parts.push(`(${this.reading})`);
    this.reading = '';
    if (keepsRaised) return;
    if (this.raised !== '') this.parts.push(raisedText(this.raised, this.last));
    this.raised = '';
  }
}
