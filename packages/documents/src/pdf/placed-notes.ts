import { CHECKED, type PageNote, UNCHECKED } from './page-notes.js';
import type { TextRun } from './text-run.js';

// All distances are factors of the font size.
/** Distance of the first baseline of a note from its top. */
const ASCENT = 0.9;
/** Distance of the baselines of a note. */
const LINE_STEP = 1.15;
/** Words are beside a note if their baseline is at most this far below its box. */
const DESCENT = 0.3;
/** Gap between a note and its label: larger than between letters, smaller than between cells. */
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
 * Inserts notes into the runs of a page at their places. A field is on the baseline of the words at its left, and a mark on
 * that of the nearer words. A mark without words beside it is omitted. Free text is a line of its own unless it follows a
 * label.
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
  const words = wordsOf(runs, note);
  // A mark without words is meaningless.
  if (words === undefined && note.kind === 'mark') return;
  const isOwnLine = words === undefined ? note.kind === 'free-text' : words.isOwnLine;
  const { x, y, fontSize } = words === undefined ? ownPlace(note, bodySize) : placeBeside(words, note);
  const at = words === undefined ? runs.length : runs.indexOf(words) + (words.x < note.left ? 1 : 0);
  const lines = note.lines.map((text, line) => ({
    text,
    x,
    y: y - line * fontSize * LINE_STEP,
    width: text.length * fontSize * LETTER_WIDTH,
    fontSize,
    font: NOTE_FONT,
    isMonospaced: false,
    isRightToLeft: false,
    quarterTurns: note.quarterTurns,
    ...(isOwnLine === true ? { isOwnLine } : {}),
  }));
  runs.splice(at, 0, ...lines);
}

type Place = Pick<TextRun, 'x' | 'y' | 'fontSize'>;

/** As close to the words as the next word is. After another note, a field is the next cell of the row. */
function placeBeside(words: TextRun, { left }: PageNote): Place {
  const { y, fontSize } = words;
  const gap = fontSize * WORD_GAP;
  if (words.x >= left) return { x: Math.max(left, words.x - fontSize / 2 - gap), y, fontSize };
  return { x: words.font === NOTE_FONT ? left : Math.min(left, endOf(words) + gap), y, fontSize };
}

/** A single line is centred in its box; several lines begin at the top. */
function ownPlace({ top, left, bottom, lines, fontSize: size }: PageNote, bodySize = size): Place {
  const fontSize = Math.min(size, bodySize);
  const height = fontSize * LINE_STEP;
  const first = lines.length === 1 ? (top + bottom + height) / 2 : top;
  return { x: left, y: first - fontSize * ASCENT, fontSize };
}

/** The words to which a note belongs: those at its left, and for a mark the nearer ones. */
function wordsOf(runs: readonly TextRun[], note: PageNote): TextRun | undefined {
  const beside = runs.filter((run) => isBeside(run, note));
  const before = closest(
    beside.filter(({ x }) => x < note.left),
    (run) => -run.x,
  );
  if (note.kind === 'mark') {
    const after = closest(
      beside.filter(({ x }) => x >= note.left),
      (run) => run.x,
    );
    const isNearer =
      before !== undefined && after !== undefined && note.left - endOf(before) < after.x - note.right;
    return isNearer ? before : (after ?? before);
  }
  if (before === undefined || (note.kind === 'free-text' && !LABEL_END.test(before.text))) return undefined;
  const isFar = before.font !== NOTE_FONT && note.left - endOf(before) > before.fontSize * LABEL_GAP;
  return isFar && runs.some((run) => isRightAbove(run, note)) ? undefined : before;
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

function isBeside(run: TextRun, note: PageNote): boolean {
  const isMark = run.text === CHECKED || run.text === UNCHECKED;
  return !isMark && isWords(run, note) && run.y < note.top && run.y >= note.bottom - run.fontSize * DESCENT;
}

function isWords(run: TextRun, { quarterTurns }: PageNote): boolean {
  return run.quarterTurns === quarterTurns && run.text.trim() !== '';
}

function endOf(run: TextRun): number {
  return run.x + run.width;
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
