import type { ReadWord } from '../document/recognition.js';

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
  /** Whether the run is a line of its own, whatever is beside it. */
  readonly isOwnLine?: boolean;
  /** Direction of the text in quarter turns. */
  readonly quarterTurns: number;
  /** The words of OCR that the run consists of. */
  readonly recognized?: readonly ReadWord[];
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

/** Letters that vertical writing leaves upright, and punctuation of full width. */
const UPRIGHT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/u;
const MIN_LETTERS = 3;
// Distances are factors of the font size.
/** Distance of the letters of a vertical line. */
const LETTER_STEP = { min: 0.4, max: 1.4 };
const MAX_LETTER_WIDTH = 1.25;
const MAX_OFFSET = 0.3;
/** Height of a letter above its baseline; distance of the baseline of letters on their side from the middle of the line. */
const ASCENT = 0.88;
const MIDDLE = 0.35;

/**
 * Joins letters that are drawn one below the other, which is how most programs draw vertical writing, into runs from
 * top to bottom. On a page with mostly such lines, two letters are a line, too.
 */
export function withVerticalLines(runs: readonly TextRun[]): TextRun[] {
  const lines: TextRun[][] = [];
  for (const run of runs) {
    const line = lines.at(-1);
    if (line !== undefined && isNextLetter(line.at(-1), run)) line.push(run);
    else lines.push([run]);
  }
  const isLine = (line: readonly TextRun[]): boolean =>
    line.length >= MIN_LETTERS && line.filter(({ text }) => UPRIGHT.test(text)).length > line.length / 2;
  const inLines = lines.filter(isLine).reduce((sum, line) => sum + line.length, 0);
  const isVertical = inLines > runs.length / 2;
  return lines.flatMap((line) =>
    isLine(line) || (isVertical && line.length > 1) ? fromTopToBottom(line) : line,
  );
}

/** A letter, or a number that is drawn in the space of one. */
function isLetter({ text, width, fontSize, quarterTurns }: TextRun): boolean {
  return text.length <= 3 && quarterTurns === 0 && width < fontSize * MAX_LETTER_WIDTH;
}

function isNextLetter(above: TextRun | undefined, run: TextRun): boolean {
  if (above === undefined || !isLetter(run) || !isLetter(above)) return false;
  const step = (above.y - run.y) / run.fontSize;
  const offset = Math.abs(above.x + above.width / 2 - run.x - run.width / 2) / run.fontSize;
  return (
    step > LETTER_STEP.min && step < LETTER_STEP.max && offset < MAX_OFFSET && above.fontSize === run.fontSize
  );
}

function fromTopToBottom(letters: readonly TextRun[]): TextRun[] {
  const [first] = letters;
  const last = letters.at(-1);
  if (first === undefined || last === undefined) return [];
  const { x, y, width, fontSize } = first;
  return [
    {
      ...first,
      text: letters.map(({ text }) => text).join(''),
      x: -y - fontSize * ASCENT,
      y: x + width / 2 - fontSize * MIDDLE,
      width: y - last.y + fontSize,
      quarterTurns: -1,
    },
  ];
}
