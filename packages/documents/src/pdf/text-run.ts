import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/**
 * A run of glyphs from the engine. Lengths are PDF points, in coordinates rotated so that the run is
 * horizontal.
 */
export interface TextRun {
  readonly text: string;
  /** The text with link addresses after the linked words; absent when there are none. */
  readonly linkedText?: string;
  readonly x: number;
  /** The baseline; grows upwards. */
  readonly y: number;
  readonly width: number;
  readonly fontSize: number;
  /** Opaque id of the font, unique in the document. */
  readonly font: string;
  readonly isMonospaced: boolean;
  readonly isRightToLeft: boolean;
  /** Whether the engine detected a line end after the run. */
  readonly endsLine: boolean;
  /** Direction of the text in quarter turns. */
  readonly quarterTurns: number;
}

/** Reads the text of a page. */
export async function readRuns(page: PDFPageProxy): Promise<TextRun[]> {
  const { items, styles } = await page.getTextContent();
  const runs: TextRun[] = [];
  for (const item of items) {
    if (!('str' in item)) continue;
    const transform: readonly number[] = item.transform;
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
    const length = Math.hypot(a, b) || 1;
    const [cos, sin] = [a / length, b / length];
    runs.push({
      text: item.str,
      x: x * cos + y * sin,
      y: y * cos - x * sin,
      width: item.width,
      fontSize: Math.hypot(c, d) || length,
      font: item.fontName,
      isMonospaced: styles[item.fontName]?.fontFamily === 'monospace',
      isRightToLeft: item.dir === 'rtl',
      endsLine: item.hasEOL,
      quarterTurns: Math.round(Math.atan2(sin, cos) / (Math.PI / 2)),
    });
  }
  return runs;
}

/** Groups runs by direction. The direction with the most text is first. */
export function byDirection(runs: readonly TextRun[]): TextRun[][] {
  const directions = new Map<number, TextRun[]>();
  for (const run of runs) {
    const group = directions.get(run.quarterTurns);
    if (group === undefined) directions.set(run.quarterTurns, [run]);
    else group.push(run);
  }
  if (directions.size < 2) return [...directions.values()];
  const characters = (group: readonly TextRun[]): number =>
    group.reduce((sum, run) => sum + run.text.length, 0);
  return [...directions.values()].sort((one, other) => characters(other) - characters(one));
}
