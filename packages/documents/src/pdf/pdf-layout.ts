import type { DocumentBuilder } from '../document/document-builder.js';
import type { Line } from './pdf-lines.js';

/** A heading's font is larger than the body's by at least this factor; the level is the number of steps left above it. */
const HEADING_STEPS = [1.6, 1.3, 1.12] as const;
const MAX_HEADING_CHARACTERS = 160;
/** Distance of baselines, as a share of the font's size, from which on two lines are two paragraphs. */
const PARAGRAPH_STEP = 1.65;
/** A line that ends this much, as a share of the column's width, before its right edge was ended on purpose. */
const SHORT_LINE = 0.15;

/**
 * Puts lines together to paragraphs and headings, page by page. The body's font size is that of most characters so
 * far, so no page is read twice.
 */
export class PdfLayout {
  private readonly charactersBySize = new Map<number, number>();

  constructor(private readonly builder: DocumentBuilder) {}

  addPage(lines: readonly Line[]): void {
    for (const line of lines) {
      const size = roundedSize(line);
      this.charactersBySize.set(size, (this.charactersBySize.get(size) ?? 0) + line.text.length);
    }
    const bodySize = this.bodySize();
    let group: Line[] = [];
    for (const line of lines) {
      const previous = group.at(-1);
      if (previous !== undefined && !belongTogether(previous, line)) {
        this.addGroup(group, bodySize);
        group = [];
      }
      group.push(line);
    }
    this.addGroup(group, bodySize);
  }

  private addGroup(lines: readonly Line[], bodySize: number): void {
    const [first] = lines;
    if (first === undefined) return;
    const text = joinLines(lines);
    const level = HEADING_STEPS.findIndex((step) => first.fontSize >= bodySize * step) + 1;
    const isHeading =
      level > 0 && lines.length <= 3 && text.length <= MAX_HEADING_CHARACTERS && /\p{L}/u.test(text);
    if (isHeading) this.builder.heading(level, text);
    else this.builder.block('paragraph', text);
  }

  private bodySize(): number {
    let best = { size: 0, characters: -1 };
    for (const [size, characters] of this.charactersBySize) {
      if (characters > best.characters) best = { size, characters };
    }
    return best.size;
  }
}

/** To a quarter of a point: scaled pages have sizes such as 9.9626. */
function roundedSize(line: Line): number {
  return Math.round(line.fontSize * 4) / 4;
}

function belongTogether(above: Line, below: Line): boolean {
  const size = Math.max(above.fontSize, below.fontSize);
  if (Math.abs(above.fontSize - below.fontSize) > size * 0.1) return false;
  const step = above.y - below.y;
  // Upwards is the next column, or something beside the text.
  return step >= -size * 0.5 && step <= size * PARAGRAPH_STEP;
}

function joinLines(lines: readonly Line[]): string {
  const left = Math.min(...lines.map((line) => line.left));
  const right = Math.max(...lines.map((line) => line.right));
  let text = '';
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above === undefined) text = line.text;
    else if (right - above.right > (right - left) * SHORT_LINE) text += `\n${line.text}`;
    // A hyphen between small letters at the end of a full line is the typesetter's.
    else if (/\p{Ll}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(line.text))
      text = text.slice(0, -1) + line.text;
    else text += `${needsSpace(text, line.text) ? ' ' : ''}${line.text}`;
  }
  return text;
}

/** Between lines of Chinese and Japanese there is none. */
function needsSpace(before: string, after: string): boolean {
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、-〟！-｠]/u;
  return !(unspaced.test(before.slice(-1)) && unspaced.test(after.slice(0, 1)));
}
