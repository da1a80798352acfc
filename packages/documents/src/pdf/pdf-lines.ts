/** A run of glyphs as the PDF engine gives it, in the page's own units (points). */
export interface TextRun {
  readonly text: string;
  readonly x: number;
  /** Of the baseline; grows upwards. */
  readonly y: number;
  readonly width: number;
  readonly fontSize: number;
  /** The engine saw the end of a line after it. */
  readonly endsLine: boolean;
}

export interface Line {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly fontSize: number;
}

/** As a share of the font's size: a gap above the first is a space, a step of the baseline above the second a new line. */
const SPACE_GAP = 0.15;
const LINE_STEP = 0.5;

/** Joins runs into lines, in the order in which the page draws them. */
export function linesOf(runs: Iterable<TextRun>): Line[] {
  const lines: Line[] = [];
  let open: {
    text: string;
    left: number;
    right: number;
    y: number;
    fontSize: number;
    weight: number;
  } | null = null;
  const close = (): void => {
    if (open !== null && open.text.trim() !== '') {
      const { text, left, right, y, fontSize } = open;
      lines.push({ text: text.replace(/[^\S\n]+/g, ' ').trim(), left, right, y, fontSize });
    }
    open = null;
  };
  for (const run of runs) {
    const size = open === null ? run.fontSize : Math.max(open.fontSize, run.fontSize);
    const isNewLine =
      open !== null &&
      run.text.trim() !== '' &&
      (Math.abs(run.y - open.y) > size * LINE_STEP || run.x < open.right - size * 4);
    if (isNewLine) close();
    if (run.text !== '') {
      if (open === null) {
        if (run.text.trim() !== '') {
          const { text, x, y, width, fontSize } = run;
          open = { text, left: x, right: x + width, y, fontSize, weight: text.length };
        }
      } else {
        const gap = run.x - open.right;
        open.text += gap > size * SPACE_GAP && !/\s$/.test(open.text) ? ` ${run.text}` : run.text;
        open.right = Math.max(open.right, run.x + run.width);
        // The size of most of its characters is the line's: superscripts and initials do not count.
        if (run.text.length > open.weight) {
          open.weight = run.text.length;
          open.fontSize = run.fontSize;
        }
      }
    }
    if (run.endsLine) close();
  }
  close();
  return lines;
}
