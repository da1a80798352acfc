import { CHECKED, type PageNote, UNCHECKED } from './page-notes.js';
import { wordsOf } from './run-words.js';
import type { TextRun } from './text-run.js';

/** Where lines of a note stand, as shares of their font's size: the first baseline below the top, and from one to the next. */
const ASCENT = 0.9;
const LINE_STEP = 1.15;
/** A line's words stand on a baseline this far below the box of their field, or higher. */
const DESCENT = 0.3;
/** Between words and what was written behind them: more than the gap between letters, less than that between cells. */
const WORD_GAP = 0.4;
/** Average width of a letter. */
const LETTER_WIDTH = 0.5;
/** Words further away from a field than this do not belong to it where others stand right above it. */
const LABEL_GAP = 3;
const LABEL_STEP = 1.5;
/** Words that wait for an answer, in whatever is written behind them. */
const ASKS = /(?:[:?]|[_.…]{3})\s*$/u;
const NOTE_FONT = 'note';

/**
 * Puts what was written on a page among the words that are printed on it, so that it is read where a person reads it:
 * the contents of a field behind the words at its left, a mark before or behind the nearer words, anything else in lines
 * of its own below what stands above it. A mark with no words beside it is left out.
 *
 * @param runs of a page, in the order in which it draws them
 */
export function withNotes(runs: readonly TextRun[], notes: readonly PageNote[]): readonly TextRun[] {
  if (notes.length === 0) return runs;
  const placed = [...runs];
  // From line to line; marks last, since what is chosen may be written on the page, too.
  const ordered = notes.toSorted((one, other) => other.top - one.top || one.left - other.left);
  const size = usualSize(runs);
  for (const note of ordered) if (note.kind !== 'mark') place(placed, note, size);
  for (const note of ordered) if (note.kind === 'mark') place(placed, note, size);
  return placed;
}

function place(runs: TextRun[], note: PageNote, usual: number | undefined): void {
  const before = wordsBefore(runs, note);
  const after = note.kind === 'mark' ? wordsAfter(runs, note) : undefined;
  if (after !== undefined && !isNearer(before, after, note)) {
    const { x, y, fontSize } = after;
    const mark = runOf(note, 0, { ...after, x: x - fontSize * (1 + WORD_GAP), y, fontSize });
    runs.splice(runs.indexOf(after), 0, { ...mark, width: fontSize, endsLine: false });
    return;
  }
  if (before === undefined || (note.kind === 'remark' && !ASKS.test(before.text))) {
    // A mark that belongs to no words says nothing.
    if (note.kind !== 'mark') placeApart(runs, note, usual);
    return;
  }
  const at = runs.indexOf(before);
  const halves = splitBehind(before, note.right);
  if (halves !== null && note.lines.length === 1) {
    const [first, second] = halves;
    const x = first.x + first.width;
    const within = { ...runOf(note, 0, { ...before, x }), width: 0, endsLine: false };
    runs.splice(at, 1, first, { ...within, text: `${within.text} ` }, second);
    return;
  }
  const isOwn = before.font === NOTE_FONT;
  // Behind a printed word as the next one; a field beside a field is the next cell of its row.
  const x = isOwn ? note.left : before.x + before.width + before.fontSize * WORD_GAP;
  runs.splice(
    at,
    1,
    { ...before, endsLine: false },
    ...note.lines.map((_, line) => ({
      ...runOf(note, line, { ...before, x, y: before.y - line * before.fontSize * LINE_STEP }),
      endsLine: before.endsLine || line < note.lines.length - 1,
    })),
  );
}

/** In lines of their own: below the line that stands above the note, or at the beginning where there is none. */
function placeApart(runs: TextRun[], note: PageNote, usual: number | undefined): void {
  const { top, left, bottom, lines } = note;
  const fontSize = Math.min(note.fontSize, usual ?? note.fontSize);
  const height = lines.length * fontSize * LINE_STEP;
  // One line stands in the middle of its box, several begin at its top.
  const first = (lines.length === 1 ? (top + bottom + height) / 2 : top) - fontSize * ASCENT;
  const above = closest(
    runs.filter(
      (run) => isWords(run, note) && run.y >= first + fontSize / 2 && run.x < note.right && endOf(run) > left,
    ),
    (run) => run.y - first,
  );
  const last = above === undefined ? -1 : endOfLine(runs, runs.indexOf(above));
  const end = runs[last];
  if (end !== undefined) runs[last] = { ...end, endsLine: true };
  const own = lines.map((_, line) =>
    runOf(note, line, { x: left, y: first - line * fontSize * LINE_STEP, fontSize, isRightToLeft: false }),
  );
  runs.splice(last + 1, 0, ...own);
}

/**
 * What stands on the height of the note and begins left of it, as far to the right as any: unless it is far away, and
 * other words stand right above.
 */
function wordsBefore(runs: readonly TextRun[], note: PageNote): TextRun | undefined {
  const before = closest(
    runs.filter((run) => isBeside(run, note) && run.x < note.left),
    (run) => -run.x,
  );
  const isFar =
    before !== undefined &&
    before.font !== NOTE_FONT &&
    note.left - endOf(before) > before.fontSize * LABEL_GAP;
  return isFar && note.kind !== 'mark' && runs.some((run) => isRightAbove(run, note)) ? undefined : before;
}

function isRightAbove(run: TextRun, note: PageNote): boolean {
  const step = run.y - note.top;
  return (
    isWords(run, note) &&
    run.font !== NOTE_FONT &&
    step >= -run.fontSize * DESCENT &&
    step < run.fontSize * LABEL_STEP &&
    run.x >= note.left - run.fontSize &&
    run.x < note.right
  );
}

/** Words that go on behind a field that lies within their line: those up to it, and those behind it. */
function splitBehind(run: TextRun, x: number): readonly [TextRun, TextRun] | null {
  if (run.font === NOTE_FONT || run.linkedText !== undefined || run.isRightToLeft) return null;
  const next = wordsOf(run).find((word) => word.start > 0 && word.left >= x - run.fontSize);
  if (next === undefined) return null;
  const [before, behind] = [run.text.slice(0, next.start), run.text.slice(next.start)];
  return [
    { ...run, text: before, width: next.left - run.x, endsLine: false },
    { ...run, text: behind, x: next.left, width: endOf(run) - next.left },
  ];
}

function wordsAfter(runs: readonly TextRun[], note: PageNote): TextRun | undefined {
  return closest(
    runs.filter((run) => isBeside(run, note) && !isMark(run) && run.x >= note.left),
    (run) => run.x,
  );
}

function isNearer(before: TextRun | undefined, after: TextRun, note: PageNote): boolean {
  if (before === undefined || isMark(before)) return false;
  return note.left - endOf(before) < after.x - note.right;
}

function isBeside(run: TextRun, note: PageNote): boolean {
  return isWords(run, note) && run.y < note.top && run.y >= note.bottom - run.fontSize * DESCENT;
}

function isWords(run: TextRun, { quarter }: PageNote): boolean {
  return run.quarter === quarter && run.text.trim() !== '';
}

function isMark({ font, text }: TextRun): boolean {
  return font === NOTE_FONT && (text === CHECKED || text === UNCHECKED);
}

function endOf(run: TextRun): number {
  return run.x + run.width;
}

/** The last run on the line of another one, which the page draws without a break. */
function endOfLine(runs: readonly TextRun[], from: number): number {
  const start = runs[from];
  let end = from;
  if (start === undefined) return end;
  for (; runs[end]?.endsLine === false; end += 1) {
    const next = runs[end + 1];
    if (next === undefined) break;
    if (next.text.trim() !== '' && Math.abs(next.y - start.y) > start.fontSize / 2) break;
  }
  return end;
}

function runOf(
  note: PageNote,
  line: number,
  place: Pick<TextRun, 'x' | 'y' | 'fontSize' | 'isRightToLeft'>,
): TextRun {
  const text = note.lines[line] ?? '';
  const { x, y, fontSize, isRightToLeft } = place;
  return {
    text,
    x,
    y,
    width: text.length * fontSize * LETTER_WIDTH,
    fontSize,
    font: NOTE_FONT,
    isMonospaced: false,
    isRightToLeft,
    endsLine: true,
    quarter: note.quarter,
  };
}

/** The last one of those that are equally close. */
function closest(runs: readonly TextRun[], distance: (run: TextRun) => number): TextRun | undefined {
  let best: TextRun | undefined;
  for (const run of runs) if (best === undefined || distance(run) <= distance(best)) best = run;
  return best;
}

/** The middle one of all sizes. */
function usualSize(runs: readonly TextRun[]): number | undefined {
  const sizes = runs.map(({ fontSize }) => fontSize).sort((one, other) => one - other);
  return sizes[Math.floor(sizes.length / 2)];
}
