import type { ReadWord } from '../document/recognition.js';
import type { TextRun } from './text-run.js';
import { hasRightToLeft, inLogicalOrder, isMostlyRightToLeft, unmirrored } from './visual-order.js';

/** Exponents are short, as in HTML. */
const EXPONENT = /^[+−-]?(?:\d{1,4}|[ijknxy])$/;

const SIGNED_EXPONENT = /^[+−-]/;

/** A number, a bracket, or a unit or variable of at most three letters: `10`, `km`, `x`. */
const EXPONENT_BASE = /(?:[\d)\]]|(?:^|[^\p{L}])\p{L}{1,3})$/u;

const WORD_END = /[\p{L}\p{N}.,;:!?)\]"”’»]$/u;

/** A part of a line between two wide gaps. */
export interface Cell {
  readonly text: string;
  /** The text with link addresses after the linked words; equal to `text` when there are none. */
  readonly linkedText: string;
  readonly left: number;
  readonly right: number;
  /** Position in the drawing order of the page. */
  readonly order: number;
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
  /** In the order in which they are read. */
  readonly cells: readonly Cell[];
  /** The words of OCR that the line consists of. Absent for printed text. */
  readonly recognized?: readonly ReadWord[];
}

/** Text without or with link addresses. */
export type TextForm = 'text' | 'linkedText';

// All distances are factors of the font size.
/** A wider gap is a space. */
const SPACE_GAP = 0.15;
/** A wider gap separates cells. */
const CELL_GAP = 1.1;
/** The same between runs that are not drawn one after the other. */
const STRANGE_GAP = 0.5;
/** Runs that overlap by more than this are separate words. */
const OVERLAP = 0.3;
/** A sign that touches the word before it has no space before it, even if the file draws one. */
const TOUCHING_GAP = 0.05;
const CLOSING = /^[,.;:!?)\]]/;
const LEADERS = /(?:\.\s?){4,}/;

/** Joins runs of one direction into lines, from top to bottom. Runs on one baseline are one line, wherever they are. */
export function linesOf(runs: readonly TextRun[]): Line[] {
  const isRightToLeftPage = isMostlyRightToLeft(runs.map((run) => run.text).join(' '));
  return rowsOf(runs).flatMap((row) => lineOf(row, isRightToLeftPage) ?? []);
}

function lineOf(row: readonly PlacedRun[], isRightToLeftPage: boolean): Line | undefined {
  const text = row.map((run) => run.text).join(' ');
  // Numbers have the direction of the page.
  const isRightToLeft = isRightToLeftPage
    ? hasRightToLeft(text) || !/\p{L}/u.test(text)
    : isMostlyRightToLeft(text);
  const cells = cellsOf(row)
    .map((runs) => cellOf(runs, isRightToLeft))
    .filter((cell) => cell.text !== '');
  return cells.length === 0 ? undefined : joinCells(isRightToLeft ? cells.reverse() : cells, row);
}

/** Divides runs, from left to right, at wide gaps. */
function cellsOf(row: readonly PlacedRun[]): PlacedRun[][] {
  const cells: PlacedRun[][] = [];
  let right = -Infinity;
  for (const run of row.toSorted((one, other) => one.x - other.x || one.order - other.order)) {
    const cell = cells.at(-1);
    const last = cell?.at(-1);
    const gap = (run.x - right) / Math.max(run.fontSize, last?.fontSize ?? 0);
    const isNext = last !== undefined && Math.abs(run.order - last.order) === 1;
    if (cell === undefined || gap > (isNext ? CELL_GAP : STRANGE_GAP)) cells.push([run]);
    else cell.push(run);
    right = Math.max(right, run.x + run.width);
  }
  return cells;
}

/** Joins the runs of a cell in the order in which they are read. */
function cellOf(visual: readonly PlacedRun[], isRightToLeftLine: boolean): Cell {
  const all = visual.map(({ text }) => text).join(' ');
  const isRightToLeft = isRightToLeftLine || isMostlyRightToLeft(all);
  const runs = hasRightToLeft(all) ? inLogicalOrder(visual, ({ text }) => text, isRightToLeft) : visual;
  let text = '';
  let linkedText = '';
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    const space = before !== undefined && isSpaced(before, run) ? ' ' : '';
    const mark = raisedMark(text, run);
    text += space + (mark ?? run.text.trimEnd());
    linkedText += space + (mark ?? (run.linkedText ?? run.text).trimEnd());
  }
  const clean = (words: string): string => {
    const line = words.replace(/\s+/g, ' ').trim();
    return isRightToLeft ? unmirrored(line) : line;
  };
  return {
    text: clean(text),
    linkedText: clean(linkedText),
    left: Math.min(...visual.map(({ x }) => x)),
    right: Math.max(...visual.map(({ x, width }) => x + width)),
    order: Math.min(...visual.map(({ order }) => order)),
  };
}

function isSpaced(one: PlacedRun, other: PlacedRun): boolean {
  const [left, right] = one.x <= other.x ? [one, other] : [other, one];
  const gap = (right.x - left.x - left.width) / Math.max(one.fontSize, other.fontSize);
  if (one.shift !== other.shift) return gap > SPACE_GAP;
  if (left.text.endsWith(' ')) return !(CLOSING.test(right.text) && Math.abs(gap) < TOUCHING_GAP);
  return gap > SPACE_GAP || gap < -OVERLAP;
}

function withShortLeader(text: string): string {
  const leader = LEADERS.exec(text);
  if (leader === null) return text;
  return `${text.slice(0, leader.index).trimEnd()} … ${text.slice(leader.index + leader[0].length).trimStart()}`;
}

function joinCells(cells: readonly Cell[], row: readonly PlacedRun[]): Line {
  const isMonospaced = row.every((run) => run.isMonospaced);
  const join = (toText: (cell: Cell) => string): string =>
    isMonospaced ? inFixedPitch(cells, toText) : cells.map(toText).join(' ');
  const text = join((cell) => cell.text);
  const isEntry = text.includes('..') || text.includes('. .') ? LEADERS.test(text) : false;
  const linkedText = join((cell) => cell.linkedText);
  const { font, fontSize } = mainFont(row);
  const recognized = row.flatMap((run) => run.recognized ?? []);
  return {
    text: isEntry ? withShortLeader(text) : text,
    linkedText: isEntry ? withShortLeader(linkedText) : linkedText,
    left: Math.min(...cells.map((cell) => cell.left)),
    right: Math.max(...cells.map((cell) => cell.right)),
    y: baselineOf(row),
    fontSize,
    font,
    isMonospaced: isMonospaced && !isEntry,
    isEntry,
    cells,
    ...(recognized.length > 0 && { recognized: recognized.sort((one, other) => one.left - other.left) }),
  };
}

/** The font of most characters, so that superscripts and initials have no effect. */
function mainFont(row: readonly PlacedRun[]): { font: string; fontSize: number } {
  const weights = new Map<string, { characters: number; longest: number; fontSize: number }>();
  for (const { font, text, fontSize } of row) {
    const weight = weights.get(font) ?? { characters: 0, longest: 0, fontSize };
    weight.characters += text.length;
    if (text.length > weight.longest) [weight.longest, weight.fontSize] = [text.length, fontSize];
    weights.set(font, weight);
  }
  let best = { font: '', fontSize: 0, characters: -1 };
  for (const [font, { characters, fontSize }] of weights)
    if (characters > best.characters) best = { font, fontSize, characters };
  return best;
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

/**
 * The text of a raised number: `10` and a raised `6` are `10^6`, not `106`. After a word it is the mark of a note: `[1]`.
 *
 * @returns null for other text, which is added without a mark
 */
function raisedMark(before: string, { text, shift }: { text: string; shift: number }): string | null {
  const mark = text.trim();
  if (shift <= 0 || !EXPONENT.test(mark) || !WORD_END.test(before)) return null;
  if (EXPONENT_BASE.test(before) || (SIGNED_EXPONENT.test(mark) && /\p{L}$/u.test(before))) return `^${mark}`;
  return /^\d+$/.test(mark) ? `[${mark}]` : null;
}

/** A run in a row. */
interface PlacedRun extends TextRun {
  /** Position in the drawing order of the page. */
  readonly order: number;
  /** Height above the baseline of the row: positive for a superscript, negative for a subscript, else 0. */
  readonly shift: number;
}

// All distances are factors of the font size.
/** Runs whose baselines differ by more are in different rows. */
const SAME_BASELINE = 0.3;
/** Runs that overlap by more than a letter are one above the other from this difference of their baselines. */
const STACKED = 0.1;
/** Superscripts and subscripts: size, distance from the base, and height above its baseline. */
const SCRIPT = { maxSize: 0.86, minGap: -0.2, maxGap: 0.35, minShift: -0.45, maxShift: 0.75 };
/** A raised number in the size of its base. */
const RAISED = { minShift: 0.2, maxShift: 0.6 };
const MAX_SCRIPT_CHARACTERS = 6;

interface Row {
  y: number;
  fontSize: number;
  readonly runs: PlacedRun[];
}

/** Groups runs by their baselines, from top to bottom. */
function rowsOf(runs: readonly TextRun[]): PlacedRun[][] {
  const placed = place(runs.filter(({ text }) => text.trim() !== '')).sort((one, other) => other.y - one.y);
  const largest = placed.reduce((size, run) => Math.max(size, run.fontSize), 0);
  const rows: Row[] = [];
  for (const run of placed) {
    let index = rows.length - 1;
    while (index >= 0 && !isNear(rows[index], run)) {
      index = (rows[index]?.y ?? 0) - run.y > largest ? -1 : index - 1;
    }
    const row = rows[index];
    if (row === undefined) rows.push({ y: run.y, fontSize: run.fontSize, runs: [run] });
    else {
      row.runs.push(run);
      if (run.fontSize > row.fontSize) Object.assign(row, { y: run.y, fontSize: run.fontSize });
    }
  }
  return rows.sort((one, other) => other.y - one.y).map((row) => row.runs);
}

/** Moves superscripts and subscripts to the baseline of the text beside them. */
function place(words: readonly TextRun[]): PlacedRun[] {
  const placed: PlacedRun[] = [];
  for (const [order, run] of words.entries()) {
    const before = words[order - 1];
    const last = placed.at(-1);
    if (last !== undefined && last.shift !== 0 && before !== undefined && continues(before, run)) {
      placed[placed.length - 1] = {
        ...last,
        text: last.text + run.text,
        width: run.x + run.width - last.x,
        ...(last.recognized && { recognized: [...last.recognized, ...(run.recognized ?? [])] }),
      };
      continue;
    }
    placed.push({ ...run, order, shift: 0, ...scriptPlace(run, before, words[order + 1]) });
  }
  return placed;
}

/** Whether a run continues a superscript, such as the number after a minus sign in another font. */
function continues(before: TextRun, run: TextRun): boolean {
  const gap = Math.abs(run.x - before.x - before.width);
  return (
    gap < run.fontSize * SCRIPT.maxGap &&
    Math.abs(run.y - before.y) < run.fontSize * 0.05 &&
    Math.abs(run.fontSize - before.fontSize) < run.fontSize * 0.05 &&
    before.text.length + run.text.length <= MAX_SCRIPT_CHARACTERS
  );
}

/** The baseline of the largest run. */
function baselineOf(row: readonly PlacedRun[]): number {
  return row.reduce((best, run) => (run.fontSize > best.fontSize ? run : best)).y;
}

function isNear(row: Row | undefined, { x, y, width, fontSize, isOwnLine }: PlacedRun): boolean {
  if (row === undefined || row.runs[0]?.isOwnLine !== isOwnLine) return false;
  if (Math.abs(row.y - y) > Math.min(row.fontSize, fontSize) * SAME_BASELINE) return false;
  // Lines that stand one above the other are two, however close they are.
  return !row.runs.some(
    (other) =>
      other.shift === 0 &&
      Math.abs(other.y - y) > fontSize * STACKED &&
      other.x + other.width > x + fontSize &&
      x + width > other.x + fontSize,
  );
}

/** The baseline and the shift of a superscript or subscript; null for other runs. */
function scriptPlace(
  run: TextRun,
  before: TextRun | undefined,
  after: TextRun | undefined,
): Pick<PlacedRun, 'y' | 'shift'> | null {
  if (run.text.trimEnd().length > MAX_SCRIPT_CHARACTERS) return null;
  for (const [base, gap] of [
    [before, before === undefined ? 0 : run.x - before.x - before.width],
    [after, after === undefined ? 0 : after.x - run.x - run.width],
  ] as const) {
    if (base === undefined || !isScriptOf(run, base, gap)) continue;
    return { y: base.y, shift: run.y - base.y };
  }
  return null;
}

function isScriptOf(run: TextRun, base: TextRun, gap: number): boolean {
  const size = base.fontSize;
  const shift = (run.y - base.y) / size;
  if (gap < size * SCRIPT.minGap || gap > size * SCRIPT.maxGap || Math.abs(shift) < 0.05) return false;
  if (run.fontSize <= size * SCRIPT.maxSize) return shift > SCRIPT.minShift && shift < SCRIPT.maxShift;
  return /^[\d+−-]+$/.test(run.text.trim()) && shift > RAISED.minShift && shift < RAISED.maxShift;
}

/**
 * A line that ends before the right edge by more than this share of the column's width ends with a line
 * break.
 */
const SHORT_LINE = 0.15;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、-〟！-｠]/u;

/**
 * Joins the lines of a paragraph into text. Hyphenated words are rejoined; lines that end early keep their
 * line break.
 *
 * @param form which text of the lines to use: with or without link addresses
 */
export function joinLines(lines: readonly Line[], form: TextForm): string {
  const left = Math.min(...lines.map((line) => line.left));
  const right = Math.max(...lines.map((line) => line.right));
  let text = '';
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above === undefined) text = line[form];
    else if (line.isEntry || above.isEntry || right - above.right > (right - left) * SHORT_LINE)
      text += `\n${line[form]}`;
    else text = continueText(text, line[form]);
  }
  return text;
}

/** Appends the next line to the text of a full line. */
export function continueText(text: string, next: string): string {
  // A hyphen between lower-case letters comes from hyphenation: remove it.
  if (/\p{Ll}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next;
  // Another hyphen ("UTF-", "3-") is part of the word: keep it and add no space.
  if (/[\p{L}\p{N}][-\u2010]$/u.test(text) && /^[\p{L}\p{N}]/u.test(next)) return text + next;
  // Chinese and Japanese have no spaces between words.
  const isUnspaced = UNSPACED.test(text.slice(-1)) && UNSPACED.test(next.slice(0, 1));
  return `${text}${isUnspaced ? '' : ' '}${next}`;
}
