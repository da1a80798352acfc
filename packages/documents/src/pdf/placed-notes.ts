import { CHECKED, type PageNote, UNCHECKED } from './page-notes.js';
import { wordsOf } from './run-words.js';
import type { TextRun } from './text-run.js';

// All distances are factors of the font size.
/** Distance of the first baseline of a note from its top. */
const ASCENT = 0.9;
/** Distance of the baselines of a note. */
const LINE_STEP = 1.15;
/** Words are beside a note if their baseline is at most this far below its box. */
const DESCENT = 0.3;
/** Gap before a note: larger than between letters, smaller than between cells. */
const WORD_GAP = 0.4;
/** Average width of a letter. */
const LETTER_WIDTH = 0.5;
/** Words to the left at a larger distance are not the label of a field that has words right above it. */
const LABEL_GAP = 3;
const LABEL_STEP = 1.5;
/** The end of a label that expects an answer. */
const LABEL_END = /(?:[:?]|[_.…]{3})\s*$/u;
const NOTE_FONT = 'note';

/**
 * Inserts notes into the runs of a page in reading order. The content of a field follows the words at its
 * left. A mark stands before or after the nearer words, and is omitted if there are none beside it. Other
 * notes are lines of their own, below the line above them.
 *
 * @param runs the runs of a page in drawing order
 */
export function withNotes(runs: readonly TextRun[], notes: readonly PageNote[]): readonly TextRun[] {
  if (notes.length === 0) return runs;
  const placed = [...runs];
  // From top to bottom. Marks last, because the words they belong to may be notes themselves.
  const ordered = notes.toSorted((one, other) => other.top - one.top || one.left - other.left);
  const size = medianSize(runs);
  for (const note of ordered) if (note.kind !== 'mark') placeNote(placed, note, size);
  for (const note of ordered) if (note.kind === 'mark') placeNote(placed, note, size);
  return placed;
}

function placeNote(runs: TextRun[], note: PageNote, bodySize: number | undefined): void {
  const before = wordsBefore(runs, note);
  const after = note.kind === 'mark' ? wordsAfter(runs, note) : undefined;
  if (after !== undefined && !isNearer(before, after, note)) {
    const { x, y, fontSize } = after;
    const mark = runOf(note, 0, { ...after, x: x - fontSize * (1 + WORD_GAP), y, fontSize });
    runs.splice(runs.indexOf(after), 0, { ...mark, width: fontSize, ...ownLineOf(after) });
    return;
  }
  if (before === undefined || (note.kind === 'free-text' && !LABEL_END.test(before.text))) {
    // A mark without words is meaningless.
    if (note.kind !== 'mark') placeOnOwnLines(runs, note, bodySize);
    return;
  }
  const at = runs.indexOf(before);
  const halves = splitAfter(before, note.right);
  if (halves !== null && note.lines.length === 1) {
    const [first, second] = halves;
    const x = first.x + first.width;
    const within = { ...runOf(note, 0, { ...before, x }), width: 0 };
    runs.splice(at, 1, first, { ...within, text: `${within.text} ` }, second);
    return;
  }
  const isAfterNote = before.font === NOTE_FONT;
  // After printed words, the note is the next word. After another note, it is the next cell of the row.
  const x = isAfterNote ? note.left : before.x + before.width + before.fontSize * WORD_GAP;
  runs.splice(
    at,
    1,
    before,
    ...note.lines.map((_, line) => ({
      ...runOf(note, line, { ...before, x, y: before.y - line * before.fontSize * LINE_STEP }),
      ...ownLineOf(before),
    })),
  );
}

/** Inserts the note as lines of its own: after the line above it, or at the beginning of the page. */
function placeOnOwnLines(runs: TextRun[], note: PageNote, bodySize: number | undefined): void {
  const { top, left, bottom, lines } = note;
  const fontSize = Math.min(note.fontSize, bodySize ?? note.fontSize);
  const height = lines.length * fontSize * LINE_STEP;
  // A single line is centred in its box; several lines begin at the top.
  const first = (lines.length === 1 ? (top + bottom + height) / 2 : top) - fontSize * ASCENT;
  const above = closest(
    runs.filter(
      (run) => isWords(run, note) && run.y >= first + fontSize / 2 && run.x < note.right && endOf(run) > left,
    ),
    (run) => run.y - first,
  );
  const own = lines.map((_, line) => ({
    ...runOf(note, line, { x: left, y: first - line * fontSize * LINE_STEP, fontSize, isRightToLeft: false }),
    // Free text is not a cell of the row beside it.
    ...(note.kind === 'free-text' ? { isOwnLine: true } : {}),
  }));
  runs.splice(above === undefined ? 0 : runs.indexOf(above) + 1, 0, ...own);
}

/**
 * The nearest words at the left of the note on its height. Undefined when they are far away and other words
 * are right above the note.
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

/** Splits a run that continues after a note within its line; null when it does not. */
function splitAfter(run: TextRun, x: number): readonly [TextRun, TextRun] | null {
  if (run.font === NOTE_FONT || run.linkedText !== undefined || run.isRightToLeft) return null;
  const next = wordsOf(run).find((word) => word.start > 0 && word.left >= x - run.fontSize);
  if (next === undefined) return null;
  const [before, after] = [run.text.slice(0, next.start), run.text.slice(next.start)];
  return [
    { ...run, text: before, width: next.left - run.x },
    { ...run, text: after, x: next.left, width: endOf(run) - next.left },
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

function isWords(run: TextRun, { quarterTurns }: PageNote): boolean {
  return run.quarterTurns === quarterTurns && run.text.trim() !== '';
}

function isMark({ font, text }: TextRun): boolean {
  return font === NOTE_FONT && (text === CHECKED || text === UNCHECKED);
}

function endOf(run: TextRun): number {
  return run.x + run.width;
}

function ownLineOf({ isOwnLine }: TextRun): Pick<TextRun, 'isOwnLine'> {
  return isOwnLine === undefined ? {} : { isOwnLine };
}

function runOf(
  note: PageNote,
  line: number,
  placeNote: Pick<TextRun, 'x' | 'y' | 'fontSize' | 'isRightToLeft'>,
): TextRun {
  const text = note.lines[line] ?? '';
  const { x, y, fontSize, isRightToLeft } = placeNote;
  return {
    text,
    x,
    y,
    width: text.length * fontSize * LETTER_WIDTH,
    fontSize,
    font: NOTE_FONT,
    isMonospaced: false,
    isRightToLeft,
    quarterTurns: note.quarterTurns,
  };
}

/** The run with the smallest distance; the last of equals. */
function closest(runs: readonly TextRun[], distance: (run: TextRun) => number): TextRun | undefined {
  let best: TextRun | undefined;
  for (const run of runs) if (best === undefined || distance(run) <= distance(best)) best = run;
  return best;
}

/** The median font size. */
function medianSize(runs: readonly TextRun[]): number | undefined {
  const sizes = runs.map(({ fontSize }) => fontSize).sort((one, other) => one - other);
  return sizes[Math.floor(sizes.length / 2)];
}
