import type { TextRun } from './text-run.js';

/** A part of a line between two wide gaps. */
export interface Cell {
  readonly text: string;
  /** The text with link addresses after the linked words; equal to `text` when there are none. */
  readonly linkedText: string;
  readonly left: number;
  readonly right: number;
}

export interface Line {
  /** The texts of the cells, separated by one space, or in monospaced lines by as many as the gap is wide. */
  readonly text: string;
  /** Like `text`, with link addresses: for the output, whereas lines are classified by `text`. */
  readonly linkedText: string;
  readonly left: number;
  readonly right: number;
  readonly y: number;
  /** Size and font of most characters, so that superscripts and initials have no effect. */
  readonly fontSize: number;
  readonly font: string;
  /** Whether all runs are in a monospaced font. */
  readonly isMonospaced: boolean;
  /** Whether the line is an entry of a table of contents, with dots leading to a page number. */
  readonly isEntry: boolean;
  readonly cells: readonly Cell[];
}

/** Text without or with link addresses. */
export type TextForm = 'text' | 'linkedText';

// All distances are factors of the font size.
/** A wider gap is a space. */
const SPACE_GAP = 0.15;
/** A wider gap separates cells. */
const CELL_GAP = 1.1;
/** A larger change of the baseline begins a new line. Superscripts change it less. */
const LINE_STEP = 0.5;
const LEADERS = /\s*(?:\.\s?){4,}\s*/;
/** A larger step to the left begins a new line, even on the same baseline. */
const BACK_STEP = 4;

/** Joins runs of one direction, in drawing order, into lines. */
export function linesOf(runs: Iterable<TextRun>): Line[] {
  const lines: Line[] = [];
  let open: OpenLine | null = null;
  const close = (): void => {
    const line = open?.close();
    if (line !== undefined) lines.push(line);
    open = null;
  };
  for (const run of runs) {
    const isBlank = run.text.trim() === '';
    if (open !== null && !isBlank && !open.accepts(run)) close();
    if (isBlank) open?.addSpace();
    else if (open === null) open = new OpenLine(run);
    else open.add(run);
    if (run.endsLine) close();
  }
  close();
  return lines;
}

interface OpenCell {
  text: string;
  linkedText: string | undefined;
  left: number;
  right: number;
}

class OpenLine {
  private readonly cells: OpenCell[];
  private readonly weights = new Map<string, { characters: number; fontSize: number }>();
  private isMonospaced = true;
  private readonly y: number;
  private fontSize: number;
  private left: number;
  private right: number;
  private hasSpace = false;
  private readonly isRightToLeft: boolean;
  private endsRightToLeft: boolean;

  constructor(run: TextRun) {
    this.isRightToLeft = run.isRightToLeft;
    this.endsRightToLeft = run.isRightToLeft;
    this.y = run.y;
    this.fontSize = run.fontSize;
    this.left = run.x;
    this.right = run.x + run.width;
    this.cells = [{ text: run.text, linkedText: run.linkedText, left: this.left, right: this.right }];
    this.weigh(run);
  }

  accepts(run: TextRun): boolean {
    const size = Math.max(this.fontSize, run.fontSize);
    if (Math.abs(run.y - this.y) > size * LINE_STEP) return false;
    return run.isRightToLeft || this.isRightToLeft || run.x >= this.right - size * BACK_STEP;
  }

  addSpace(): void {
    this.hasSpace = true;
  }

  add(run: TextRun): void {
    const size = Math.max(this.fontSize, run.fontSize);
    const end = run.x + run.width;
    // Right-to-left text continues at the left.
    const isBefore = (run.isRightToLeft || this.isRightToLeft) && end <= this.left + size;
    const gap = isBefore ? this.left - end : run.x - this.right;
    const cell = this.cells.at(-1);
    if (cell === undefined || gap > size * CELL_GAP) {
      this.cells.push({ text: run.text, linkedText: run.linkedText, left: run.x, right: end });
    } else {
      // Where the direction changes, the gap is meaningless: always separate the two words.
      const changesDirection = run.isRightToLeft !== this.endsRightToLeft && /\p{L}$/u.test(cell.text);
      const needsSpace =
        (this.hasSpace || changesDirection || gap > size * SPACE_GAP) && !/\s$/.test(cell.text);
      const space = needsSpace ? ' ' : '';
      if (cell.linkedText !== undefined || run.linkedText !== undefined)
        cell.linkedText = `${cell.linkedText ?? cell.text}${space}${run.linkedText ?? run.text}`;
      cell.text += `${space}${run.text}`;
      cell.left = Math.min(cell.left, run.x);
      cell.right = Math.max(cell.right, end);
    }
    this.hasSpace = false;
    this.endsRightToLeft = run.isRightToLeft;
    this.left = Math.min(this.left, run.x);
    this.right = isBefore ? this.right : Math.max(this.right, end);
    this.weigh(run);
  }

  close(): Line | undefined {
    const cells = this.cells.map(closeCell).filter((cell) => cell.text !== '');
    if (cells.length === 0) return undefined;
    let [font, most] = ['', { characters: -1, fontSize: this.fontSize }];
    for (const [name, weight] of this.weights) {
      if (weight.characters > most.characters) [font, most] = [name, weight];
    }
    const { isMonospaced, left, right, y } = this;
    const join = (toText: (cell: Cell) => string): string =>
      isMonospaced ? inFixedPitch(cells, toText) : cells.map(toText).join(' ');
    const text = join((cell) => cell.text);
    const isEntry = text.includes('..') || text.includes('. .') ? LEADERS.test(text) : false;
    const hasLinks = cells.some((cell) => cell.linkedText !== cell.text);
    const linkedText = hasLinks ? join((cell) => cell.linkedText) : text;
    return {
      text: isEntry ? text.replace(LEADERS, ' … ') : text,
      linkedText: isEntry ? linkedText.replace(LEADERS, ' … ') : linkedText,
      left,
      right,
      y,
      fontSize: most.fontSize,
      font,
      isMonospaced: isMonospaced && !isEntry,
      isEntry,
      cells,
    };
  }

  private weigh({ font, text, fontSize, isMonospaced }: TextRun): void {
    this.fontSize = Math.max(this.fontSize, fontSize);
    this.isMonospaced &&= isMonospaced;
    const weight = this.weights.get(font);
    if (weight === undefined) this.weights.set(font, { characters: text.length, fontSize });
    else {
      // Most lines have one size per font. Otherwise the size of the longest run is used.
      if (text.length > weight.characters) weight.fontSize = fontSize;
      weight.characters += text.length;
    }
  }
}

function closeCell({ text, linkedText, left, right }: OpenCell): Cell {
  const closed = text.replace(/\s+/g, ' ').trim();
  return { text: closed, linkedText: linkedText?.replace(/\s+/g, ' ').trim() ?? closed, left, right };
}

/** Joins the cells of a monospaced line, filling each gap with as many spaces as fit. */
function inFixedPitch(cells: readonly Cell[], toText: (cell: Cell) => string): string {
  const [first] = cells;
  if (first === undefined) return '';
  const pitch = (first.right - first.left) / Math.max(1, first.text.length);
  let text = toText(first);
  let right = first.right;
  for (const cell of cells.slice(1)) {
    text +=
      ' '.repeat(Math.max(1, Math.min(80, Math.round((cell.left - right) / pitch) || 1))) + toText(cell);
    right = cell.right;
  }
  return text;
}
