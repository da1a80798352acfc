import type { Line } from './pdf-lines.js';

/** Determines the font and font size of most characters of a file so far. */
export class TextStatistics {
  private readonly sizes = new Map<number, number>();
  private readonly fonts = new Map<string, number>();
  private most = { fontSize: 0, font: '' };

  add(line: Line): void {
    const size = roundedSize(line.fontSize);
    const characters = line.text.length;
    const ofSize = (this.sizes.get(size) ?? 0) + characters;
    const ofFont = (this.fonts.get(line.font) ?? 0) + characters;
    this.sizes.set(size, ofSize);
    this.fonts.set(line.font, ofFont);
    if (ofSize >= (this.sizes.get(this.most.fontSize) ?? 0)) this.most.fontSize = size;
    if (ofFont >= (this.fonts.get(this.most.font) ?? 0)) this.most.font = line.font;
  }

  get body(): { readonly fontSize: number; readonly font: string } {
    return this.most;
  }
}

/** Rounds to a quarter of a point, because scaled pages have sizes such as 9.9626. */
function roundedSize(fontSize: number): number {
  return Math.round(fontSize * 4) / 4;
}
