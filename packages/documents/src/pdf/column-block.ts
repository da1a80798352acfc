import type { Cell, Line } from './pdf-lines.js';
import { isMostlyRightToLeft } from './visual-order.js';

/** Consecutive lines that are columns side by side. */
export interface ColumnBlock {
  /** Index of the first line, and of the first line after the block. */
  readonly begin: number;
  readonly end: number;
  /** The lines of each column, in the order in which columns are read. */
  readonly columns: readonly (readonly Line[])[];
}

interface Gap {
  readonly left: number;
  readonly right: number;
}

/** Minimum number of lines in a column: of running text, and of other text on different baselines. */
const MIN_LINES = 3;
const MIN_UNALIGNED_LINES = 2;
// Running text: its lines are long, most reach the edge of the column, and some go on with a sentence.
const MIN_MEAN_CHARACTERS = 18;
const FULL_LINE = 0.75;
const MIN_FULL_SHARE = 0.5;
const MIN_CONTINUED_SHARE = 0.25;
const MIN_LETTER_SHARE = 0.6;
/** Lines at a larger distance, as a factor of the usual one, are separate rows of a table. */
const ROW_STEP = 1.3;
const MIN_TABLE_ROWS = 3;
const MAX_ROW_LINES = 6;
/** Minimum share of the lines beside text that stand in the middle of its sentences, unless they are labels. */
const MIN_WITHIN_SHARE = 0.3;
/** Lines at a larger distance from the columns are above or below them; a factor of the font size. */
const APART_STEP = 2.5;

/** The gaps between the cells of each line, and between lines that are side by side on different baselines. */
export function gapsOf(lines: readonly Line[]): Gap[] {
  const gaps: Gap[] = [];
  for (const [index, line] of lines.entries()) {
    const cells = fromLeft(line);
    for (const [cell, { left }] of cells.entries()) {
      const before = cells[cell - 1];
      if (before !== undefined) gaps.push({ left: before.right, right: left });
    }
    const below = lines[index + 1];
    if (below === undefined || line.y - below.y > Math.max(line.fontSize, below.fontSize) * 1.2) continue;
    if (line.right < below.left) gaps.push({ left: line.right, right: below.left });
    else if (below.right < line.left) gaps.push({ left: below.right, right: line.left });
  }
  return gaps;
}

/**
 * The largest block of lines that are columns on both sides of a gutter. Columns are read one after the other when
 * they are running text, or when their baselines differ. Otherwise their lines are rows, such as labels with values.
 *
 * @returns null when no lines are such a block
 */
export function columnBlockOf(lines: readonly Line[], gutter: number): ColumnBlock | null {
  let best: ColumnBlock | null = null;
  for (let begin = 0; begin < lines.length;) {
    let end = begin;
    while (end < lines.length && !crosses(lines[end], gutter)) end += 1;
    if (end - begin >= MIN_LINES) {
      const block = blockBetween(lines, { begin, end }, gutter);
      if (block !== null && (best === null || block.end - block.begin > best.end - best.begin)) best = block;
    }
    begin = end + 1;
  }
  return best;
}

function blockBetween(
  lines: readonly Line[],
  range: { begin: number; end: number },
  gutter: number,
): ColumnBlock | null {
  const { begin, end } = trim(lines, range, gutter);
  const inside = lines.slice(begin, end);
  const left = inside.flatMap((line) => select(line, (cell) => cell.right <= gutter) ?? []);
  const right = inside.flatMap((line) => select(line, (cell) => cell.left >= gutter) ?? []);
  if (left.length < MIN_UNALIGNED_LINES || right.length < MIN_UNALIGNED_LINES) return null;
  if (isTable(inside, gutter, Math.max(usualStep(left), usualStep(right))) || !areColumns(left, right))
    return null;
  const text = inside.map((line) => line.text).join(' ');
  return { begin, end, columns: isMostlyRightToLeft(text) ? [right, left] : [left, right] };
}

/** Leaves out lines on one side that are far above or below the others, such as a date or a footer. */
function trim(
  lines: readonly Line[],
  { begin, end }: { begin: number; end: number },
  gutter: number,
): { begin: number; end: number } {
  const isOneSided = (line: Line | undefined): boolean =>
    line !== undefined && (line.right <= gutter || line.left >= gutter);
  let [first, last] = [begin, end];
  for (let index = begin; index < end - 1 && isOneSided(lines[index]); index += 1)
    if (stepBelow(lines, index) > APART_STEP) first = index + 1;
  for (let index = end - 1; index > first && isOneSided(lines[index]); index -= 1)
    if (stepBelow(lines, index - 1) > APART_STEP) last = index;
  return { begin: first, end: last };
}

function stepBelow(lines: readonly Line[], index: number): number {
  const [above, below] = [lines[index], lines[index + 1]];
  return above === undefined || below === undefined ? 0 : (above.y - below.y) / above.fontSize;
}

function areColumns(left: readonly Line[], right: readonly Line[]): boolean {
  const isText = [isRunningText(left), isRunningText(right)];
  if (isText[0] === true && isText[1] === true) return true;
  const shared = left.filter((line) => right.some(({ y }) => y === line.y)).length;
  const isAligned = shared >= Math.min(left.length, right.length) / 2;
  if (isText[0] !== true && isText[1] !== true) return !isAligned && isDrawnApart(left, right);
  const [text, other] = isText[0] === true ? [left, right] : [right, left];
  return !isAligned || standsWithin(other, text);
}

/** Whether lines stand beside the middle of sentences, where the label of a text does not. */
function standsWithin(lines: readonly Line[], text: readonly Line[]): boolean {
  const beside = lines.flatMap((line) => text.find(({ y }) => y === line.y) ?? []);
  return beside.filter(isContinuation).length >= beside.length * MIN_WITHIN_SHARE;
}

/** Whether all of one side is drawn before the other side. */
function isDrawnApart(left: readonly Line[], right: readonly Line[]): boolean {
  const orders = (lines: readonly Line[]): number[] =>
    lines.flatMap(({ cells }) => cells.map(({ order }) => order));
  const [one, other] = [orders(left), orders(right)];
  return Math.max(...one) < Math.min(...other) || Math.max(...other) < Math.min(...one);
}

function isRunningText(lines: readonly Line[]): boolean {
  if (lines.length < MIN_LINES) return false;
  const left = Math.min(...lines.map((line) => line.left));
  const right = Math.max(...lines.map((line) => line.right));
  const text = lines.map((line) => line.text).join('');
  const full = lines.filter((line) => line.right - line.left > (right - left) * FULL_LINE).length;
  // The first line cannot go on with a sentence of the line above.
  const continued = lines.slice(1).filter(isContinuation).length;
  return (
    text.length >= lines.length * (UNSPACED.test(text) ? MIN_MEAN_CHARACTERS / 2 : MIN_MEAN_CHARACTERS) &&
    full >= lines.length * MIN_FULL_SHARE &&
    continued >= (lines.length - 1) * MIN_CONTINUED_SHARE &&
    text.replace(/[^\p{L}\p{M}]/gu, '').length >= text.replaceAll(' ', '').length * MIN_LETTER_SHARE
  );
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether a line begins like the middle of a sentence. */
function isContinuation({ text }: Line): boolean {
  return /^[\p{Ll}\p{Lo}(,]/u.test(text);
}

/** Whether lines are rows of a table whose cells have several lines: wider steps divide both sides. */
function isTable(lines: readonly Line[], gutter: number, usual: number): boolean {
  let rows = 0;
  let isLeft = false;
  let isRight = false;
  for (const [index, line] of lines.entries()) {
    isLeft ||= line.left < gutter;
    isRight ||= line.right > gutter;
    if (index < lines.length - 1 && stepBelow(lines, index) <= usual * ROW_STEP) continue;
    if (isLeft && isRight) rows += 1;
    [isLeft, isRight] = [false, false];
  }
  return rows >= MIN_TABLE_ROWS && lines.length <= rows * MAX_ROW_LINES;
}

/** The median distance of lines. */
function usualStep(lines: readonly Line[]): number {
  const steps = lines.slice(1).map((_, index) => stepBelow(lines, index));
  return steps.sort((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
}

function crosses(line: Line | undefined, gutter: number): boolean {
  return line?.cells.some((cell) => cell.left < gutter && cell.right > gutter) === true;
}

function fromLeft({ cells }: Line): readonly Cell[] {
  return cells.toSorted((one, other) => one.left - other.left);
}

/** The part of a line that has some of its cells; null when it has none. */
function select(line: Line, isInside: (cell: Cell) => boolean): Line | null {
  const cells = line.cells.filter(isInside);
  if (cells.length === 0) return null;
  if (cells.length === line.cells.length) return line;
  return {
    ...line,
    text: cells.map((cell) => cell.text).join(' '),
    linkedText: cells.map((cell) => cell.linkedText).join(' '),
    left: Math.min(...cells.map((cell) => cell.left)),
    right: Math.max(...cells.map((cell) => cell.right)),
    cells,
  };
}
