import type { TextRun } from './text-run.js';

/** A run in a row. */
export interface PlacedRun extends TextRun {
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
export function rowsOf(runs: readonly TextRun[]): PlacedRun[][] {
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
      placed[placed.length - 1] = { ...last, text: last.text + run.text, width: run.x + run.width - last.x };
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
export function baselineOf(row: readonly PlacedRun[]): number {
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
