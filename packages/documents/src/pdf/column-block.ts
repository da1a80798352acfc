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

type Range = Pick<ColumnBlock, 'begin' | 'end'>;

/** Minimum number of lines of a column. */
const MIN_LINES = 2;
/** With fewer lines on one side, a part is headings, or the end of a block. */
const MIN_PART_LINES = 3;
/** Minimum number of lines of running text beside lines that are none. */
const MIN_TEXT_LINES = 4;
// Running text: its lines are long, in most of them no other word has space, and sentences go on in the next line.
const MIN_MEAN_CHARACTERS = 18;
const MAX_FREE = 0.25;
const MIN_FULL_SHARE = 0.6;
const MIN_CONTINUED_SHARE = 0.25;
const MIN_LETTER_SHARE = 0.6;
/** Lines at a larger distance, as a factor of the usual one, are separate rows of a table. */
const ROW_STEP = 1.3;
const MIN_TABLE_ROWS = 3;
const MAX_ROW_LINES = 6;
/** Minimum share of the lines beside text that stand in the middle of its sentences, unless they are labels. */
const MIN_WITHIN_SHARE = 0.3;
/** Rows of a table at a larger distance, as a factor of the font size, are not lines of a text. */
const MAX_TEXT_STEP = 1.5;
/** A title is larger than the lines below by this factor. */
const TITLE_SIZE = 1.15;
const MIN_SLIDE_CHARACTERS = 12;
/** Larger distances on both sides, as a factor of the usual one, divide lines; up to the second one they may belong together. */
const PART_STEP = 1.6;
const CLOSE_STEP = 2.1;

/**
 * The largest block of lines that are columns on both sides of a gutter. Columns are read one after the other when
 * they are running text, or when their baselines differ. Otherwise their lines are rows, such as labels with values.
 *
 * @returns null when no lines are such a block
 */
export function columnBlockOf(lines: readonly Line[], gutter: number): ColumnBlock | null {
  let best: Range | null = null;
  for (let begin = 0; begin < lines.length;) {
    let end = begin;
    while (end < lines.length && !crosses(lines[end], gutter)) end += 1;
    for (const block of blocksBetween(lines, { begin, end }, gutter))
      if (best === null || block.end - block.begin > best.end - best.begin) best = block;
    begin = end + 1;
  }
  if (best === null) return null;
  const inside = lines.slice(best.begin, best.end);
  const { left, right } = sidesOf(inside, gutter);
  const text = inside.map((line) => line.text).join(' ');
  return { ...best, columns: isMostlyRightToLeft(text) ? [right, left] : [left, right] };
}

/** The blocks in lines that do not cross a gutter. Wide steps on both sides divide them. */
function blocksBetween(lines: readonly Line[], range: Range, gutter: number): Range[] {
  if (range.end - range.begin < MIN_LINES) return [];
  const { left, right } = sidesOf(lines.slice(range.begin, range.end), gutter);
  const usual = Math.max(usualStep(left), usualStep(right));
  const blocks: Range[] = [];
  // A part with few lines, such as headings, which is close to the part below it.
  let small: Range | null = null;
  for (let { begin } = range; begin < range.end;) {
    let end = begin + 1;
    while (end < range.end && stepBelow(lines, end - 1) <= usual * PART_STEP) end += 1;
    const part = { begin, end };
    const last = blocks.at(-1);
    const isClose = begin > range.begin && stepBelow(lines, begin - 1) <= usual * CLOSE_STEP;
    const start: number = isClose && small !== null ? small.begin : begin;
    const next = isClose && last?.end === start ? last : undefined;
    const sides = sidesOf(lines.slice(begin, end), gutter);
    const isSmall = Math.min(sides.left.length, sides.right.length) < MIN_PART_LINES;
    const isBlock = !isTable(lines.slice(begin, end), gutter, usual) && areColumns(sides.left, sides.right);
    // Rows of a table have more cells than the columns above them.
    const continues =
      next !== undefined &&
      mostCells(lines.slice(begin, end)) <= mostCells(lines.slice(next.begin, next.end));
    if (next !== undefined && (isBlock || (isSmall && continues)))
      blocks[blocks.length - 1] = { begin: next.begin, end };
    else if (isBlock) blocks.push({ begin: start, end });
    small = isSmall && !isBlock && next === undefined ? { ...part, begin: start } : null;
    begin = end;
  }
  return blocks;
}

function sidesOf(lines: readonly Line[], gutter: number): { left: Line[]; right: Line[] } {
  return {
    left: lines.flatMap((line) => select(line, (cell) => cell.right <= gutter) ?? []),
    right: lines.flatMap((line) => select(line, (cell) => cell.left >= gutter) ?? []),
  };
}

function stepBelow(lines: readonly Line[], index: number): number {
  const [above, below] = [lines[index], lines[index + 1]];
  return above === undefined || below === undefined ? 0 : (above.y - below.y) / above.fontSize;
}

function mostCells(lines: readonly Line[]): number {
  return Math.max(...lines.map(({ cells }) => cells.length));
}

function areColumns(left: readonly Line[], right: readonly Line[]): boolean {
  if (left.length < MIN_LINES || right.length < MIN_LINES) return false;
  // The cells beside the gutter: other cells are columns of their own.
  const inner = [left.map((line) => cellAtEdge(line, 1)), right.map((line) => cellAtEdge(line, -1))];
  const pairs = inner.map(pairsOf);
  const isText = inner.map((lines, side) => isRunningText(lines, pairs[side] ?? []));
  const isBoth = isText.every(Boolean);
  if (isDrawnByRow(left, right) && (!isBoth || usualStep(left) > MAX_TEXT_STEP)) return false;
  if (isBoth) return hasContinuations(pairs.flat());
  const shared = left.filter((line) => right.some(({ y }) => y === line.y)).length;
  const isAligned = shared >= Math.min(left.length, right.length) / 2;
  const side = isText[0] === true ? 0 : 1;
  const [text, other] = side === 0 ? [left, right] : [right, left];
  const continued = (pairs[side] ?? []).filter(isContinued);
  const hasText =
    isText[side] === true && text.length >= MIN_TEXT_LINES && hasContinuations(pairs[side] ?? []);
  if (!hasText) return isDrawnApart(left, right) && (!isAligned || (isSlide(left) && isSlide(right)));
  // Lines stand beside the middle of sentences, where the label of a text does not.
  const beside = other.filter((line) => text.some(({ y }) => y === line.y));
  const within = beside.filter(
    ({ y }) =>
      continued.some(({ below }) => below.y === y) ||
      text.some((line) => line.y === y && /^\p{Ll}/u.test(line.text)),
  );
  return !isAligned || within.length >= beside.length * MIN_WITHIN_SHARE;
}

/** Whether lines of words are below a larger title. */
function isSlide(lines: readonly Line[]): boolean {
  const [title, ...others] = lines;
  return (
    title !== undefined &&
    others.every(({ fontSize, cells }) => fontSize * TITLE_SIZE < title.fontSize && cells.length === 1) &&
    isWordy(others, MIN_SLIDE_CHARACTERS)
  );
}

/** Whether each line of the left side is drawn just before the line beside it. */
function isDrawnByRow(left: readonly Line[], right: readonly Line[]): boolean {
  return left.every((line) => {
    const beside = right.find(({ y }) => y === line.y);
    return (beside?.cells[0]?.order ?? 0) - (line.cells.at(-1)?.order ?? 0) === 1;
  });
}

/** Whether all of one side is drawn before the other side. */
function isDrawnApart(left: readonly Line[], right: readonly Line[]): boolean {
  const orders = (lines: readonly Line[]): number[] =>
    lines.flatMap(({ cells }) => cells.map(({ order }) => order));
  const [one, other] = [orders(left), orders(right)];
  return Math.max(...one) < Math.min(...other) || Math.max(...other) < Math.min(...one);
}

/** Two lines of a column, one below the other, in the same font and size. */
interface Pair {
  readonly below: Line;
  /** Whether the first word of the line below has no space in the line above. */
  readonly isFull: boolean;
  readonly continuation: number;
}

function pairsOf(lines: readonly Line[]): Pair[] {
  const left = Math.min(...lines.map((line) => line.left));
  const right = Math.max(...lines.map((line) => line.right));
  return lines.slice(1).flatMap((below, index) => {
    const above = lines[index];
    if (above === undefined || above.font !== below.font || above.fontSize !== below.fontSize) return [];
    const free = isMostlyRightToLeft(above.text) ? above.left - left : right - above.right;
    const [word = ''] = FIRST_WORD.exec(below.text) ?? [];
    const width = ((below.right - below.left) / below.text.length) * word.length;
    return {
      below,
      isFull: free < Math.min(width + below.fontSize / 2, (right - left) * MAX_FREE),
      continuation: continuationOf(above, below),
    };
  });
}

function isRunningText(lines: readonly Line[], pairs: readonly Pair[]): boolean {
  return (
    pairs.length > 0 &&
    pairs.length >= (lines.length - 1) / 3 &&
    pairs.filter(({ isFull }) => isFull).length >= pairs.length * MIN_FULL_SHARE &&
    isWordy(lines, MIN_MEAN_CHARACTERS)
  );
}

function isWordy(lines: readonly Line[], minMean: number): boolean {
  const text = lines.map((line) => line.text).join('');
  return (
    text.length >= lines.length * (UNSPACED.test(text) ? minMean / 2 : minMean) &&
    text.replace(/[^\p{L}\p{M}]/gu, '').length >= text.replaceAll(' ', '').length * MIN_LETTER_SHARE
  );
}

function isContinued({ isFull, continuation }: Pair): boolean {
  return isFull && continuation > 0;
}

function hasContinuations(pairs: readonly Pair[]): boolean {
  const sum = pairs.filter(isContinued).reduce((all, { continuation }) => all + continuation, 0);
  return sum >= pairs.length * MIN_CONTINUED_SHARE;
}

/** The part of a line in its last (1) or first (-1) cell from left to right. */
function cellAtEdge(line: Line, side: 1 | -1): Line {
  const edge = line.cells.reduce((best, cell) => ((cell.left - best.left) * side > 0 ? cell : best));
  return select(line, (cell) => cell === edge) ?? line;
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The text that is not divided between two lines. Chinese and Japanese divide between most letters. */
const FIRST_WORD = /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|\S+)/u;
const SENTENCE_END = /[.!?…。！？؟۔।:][)"'”’»」』]?$/u;
/** Letters without case say less than small letters. */
const UNCASED = 0.5;

/** How much a line looks like the middle of a sentence of the line above: 0 to 1. */
function continuationOf(above: Line, below: Line): number {
  if (SENTENCE_END.test(above.text)) return 0;
  if (/^[\p{Ll}(,]/u.test(below.text)) return 1;
  return /^\p{Lo}/u.test(below.text) ? UNCASED : 0;
}

/**
 * Whether lines are rows of a table whose cells have several lines: wider steps divide both sides, or the cells of a row
 * are drawn before those of the next one.
 */
function isTable(lines: readonly Line[], gutter: number, usual: number): boolean {
  const rows: Line[][] = [[]];
  for (const [index, line] of lines.entries()) {
    rows.at(-1)?.push(line);
    if (index < lines.length - 1 && stepBelow(lines, index) > usual * ROW_STEP) rows.push([]);
  }
  const isRow = (row: readonly Line[]): boolean =>
    row.some(({ left }) => left < gutter) && row.some(({ right }) => right > gutter);
  return [rows, drawnParts(lines)].some((parts) => {
    const full = parts.filter(isRow).length;
    const isWrapped = parts.length < lines.length;
    return isWrapped && full >= MIN_TABLE_ROWS && lines.length <= full * MAX_ROW_LINES;
  });
}

/** Divides lines into the smallest parts that are drawn one after the other, such as the rows of a table. */
export function drawnParts(lines: readonly Line[]): Line[][] {
  const cells = lines.flatMap((line, index) => line.cells.map(({ order }) => ({ index, order })));
  const parts: Line[][] = [];
  let [begin, end, missing] = [0, 0, 0];
  for (const { index } of cells.sort((one, other) => one.order - other.order)) {
    for (; end <= index; end += 1) missing += lines[end]?.cells.length ?? 0;
    missing -= 1;
    if (missing > 0) continue;
    parts.push(lines.slice(begin, end));
    begin = end;
  }
  return parts;
}

/** The distance of lines of running text: a quarter of the distances is smaller, because rows and paragraphs are farther apart. */
function usualStep(lines: readonly Line[]): number {
  const steps = lines.slice(1).map((_, index) => stepBelow(lines, index));
  return steps.sort((one, other) => one - other)[Math.floor(steps.length / 4)] ?? 0;
}

function crosses(line: Line | undefined, gutter: number): boolean {
  return line?.cells.some((cell) => cell.left < gutter && cell.right > gutter) === true;
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

interface Gap {
  readonly left: number;
  readonly right: number;
}

/** Space that consecutive lines leave free, and how many of them have text on both sides. */
interface Gutter extends Gap {
  readonly lines: number;
}

/** Places that are tried as the gutter between two columns. */
const MAX_GUTTERS = 6;
const MIN_GUTTER_LINES = 2;
/** Limit of the work for pages with many cells. */
const MAX_OPEN = 32;
/** Lines at a smaller distance, as a factor of the font size, may be side by side. */
const BESIDE = 1.2;

/** The x coordinates that most consecutive lines leave free, best first. */
export function guttersOf(lines: readonly Line[]): number[] {
  const ended: Gutter[] = [];
  let open: readonly Gutter[] = [];
  for (const [index, line] of lines.entries()) {
    const gaps = gapsAt(lines, index);
    const free = [...innerGaps(line), ...outsideOf(line)];
    const next = new Map<string, Gutter>();
    for (const gutter of [...open, ...gaps.map((gap) => ({ ...gap, lines: 0 }))]) {
      const parts = free.flatMap((gap) => intersection(gutter, gap) ?? []);
      if (parts.length === 0) ended.push(gutter);
      for (const part of parts) {
        const isInside = gaps.some((gap) => intersection(gap, part) !== null);
        const narrowed = { ...part, lines: gutter.lines + (isInside ? 1 : 0) };
        const key = `${part.left} ${part.right}`;
        if (narrowed.lines >= (next.get(key)?.lines ?? 0)) next.set(key, narrowed);
      }
    }
    open = byLines([...next.values()]).slice(0, MAX_OPEN);
  }
  const gutters = byLines([...ended, ...open].filter((gutter) => gutter.lines >= MIN_GUTTER_LINES));
  return [...new Set(gutters.map(({ left, right }) => (left + right) / 2))].slice(0, MAX_GUTTERS);
}

/** The gaps between the cells of a line, and between it and the line below if that is beside it. */
function gapsAt(lines: readonly Line[], index: number): Gap[] {
  const [line, below] = [lines[index], lines[index + 1]];
  if (line === undefined) return [];
  const gaps = innerGaps(line);
  if (below === undefined || line.y - below.y > Math.max(line.fontSize, below.fontSize) * BESIDE) return gaps;
  if (line.right < below.left) gaps.push({ left: line.right, right: below.left });
  else if (below.right < line.left) gaps.push({ left: below.right, right: line.left });
  return gaps;
}

function innerGaps({ cells }: Line): Gap[] {
  const fromLeft = cells.toSorted((one, other) => one.left - other.left);
  return fromLeft.flatMap(({ left }, index) => {
    const before = fromLeft[index - 1];
    return before === undefined ? [] : [{ left: before.right, right: left }];
  });
}

function outsideOf({ left, right }: Line): Gap[] {
  return [
    { left: -Infinity, right: left },
    { left: right, right: Infinity },
  ];
}

function intersection(one: Gap, other: Gap): Gap | null {
  const left = Math.max(one.left, other.left);
  const right = Math.min(one.right, other.right);
  return left < right ? { left, right } : null;
}

function byLines(gutters: readonly Gutter[]): Gutter[] {
  return gutters.toSorted((one, other) => other.lines - one.lines);
}
