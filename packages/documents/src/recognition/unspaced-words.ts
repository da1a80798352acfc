import { readTurn, withTurn } from '../pdf/picture-turn.js';

const WORD_LEVEL = '5';
const PAGE_LEVEL = '1';
const [LEFT, TOP, WIDTH, HEIGHT, CONFIDENCE, TEXT] = [6, 7, 8, 9, 10, 11];
/** Level, page, block, paragraph and line. */
const LINE_COLUMNS = 5;
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー、。，．：；？！「」『』（）《》・々]`;
const ENDS_UNSPACED = new RegExp(`${UNSPACED}$`, 'u');
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u');

/**
 * Joins the words of a line that Tesseract splits in Chinese and Japanese, which have no spaces.
 *
 * @param table Tesseract's tab-separated values
 */
export function joinUnspacedWords(table: string): string {
  const joined: string[][] = [];
  for (const row of table.split('\n').map((line) => line.split('\t'))) {
    const last = joined.at(-1);
    if (last !== undefined && isContinued(last, row)) joined[joined.length - 1] = union(last, row);
    else joined.push(row);
  }
  return joined.map((row) => row.join('\t')).join('\n');
}

function isContinued(last: readonly string[], row: readonly string[]): boolean {
  return (
    row[0] === WORD_LEVEL &&
    isSameLine(last, row) &&
    ENDS_UNSPACED.test(last[TEXT] ?? '') &&
    BEGINS_UNSPACED.test(row[TEXT] ?? '')
  );
}

function isSameLine(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, LINE_COLUMNS).join() === other.slice(0, LINE_COLUMNS).join();
}

/** The confidence is the mean, weighted by the characters. */
function union(one: readonly string[], other: readonly string[]): string[] {
  const [first, second] = [one, other].map((row) => row.map(Number));
  const at = (row: readonly number[] | undefined, column: number): number => row?.[column] ?? 0;
  const left = Math.min(at(first, LEFT), at(second, LEFT));
  const top = Math.min(at(first, TOP), at(second, TOP));
  const end = (position: number, extent: number): number =>
    Math.max(at(first, position) + at(first, extent), at(second, position) + at(second, extent));
  const [before = '', after = ''] = [one[TEXT], other[TEXT]];
  const confidence =
    (at(first, CONFIDENCE) * before.length + at(second, CONFIDENCE) * after.length) /
    (before.length + after.length);
  const box = [left, top, end(LEFT, WIDTH) - left, end(TOP, HEIGHT) - top];
  return [...one.slice(0, LEFT), ...box.map(String), confidence.toFixed(2), before + after];
}

/**
 * Lays vertical text down, so that its first column is the first line: the right side of the page becomes its top.
 *
 * @param table Tesseract's tab-separated values of vertical text
 */
export function layDown(table: string): string {
  const rows = table.split('\n').map((line) => line.split('\t'));
  const page = rows.find(([level]) => level === PAGE_LEVEL);
  const pageWidth = Number(page?.[WIDTH] ?? 0);
  const { quarters, slope } = readTurn(page?.[TEXT] ?? '');
  const laid = rows.map((row) => {
    if (row.length <= HEIGHT) return row;
    const [left = 0, top = 0, width = 0, height = 0] = row.slice(LEFT, HEIGHT + 1).map(Number);
    const box = [top, pageWidth - left - width, height, width].map(String);
    return [...row.slice(0, LEFT), ...box, ...row.slice(CONFIDENCE)];
  });
  return withTurn(laid.map((row) => row.join('\t')).join('\n'), { quarters: (quarters + 3) % 4, slope });
}

/**
 * Lays a table down if most of its words are below the word before: Tesseract of the system reads vertical text, and pages that
 * are turned clockwise.
 */
export function layDownVertical(table: string): string {
  let [below, pairs] = [0, 0];
  let last: readonly string[] = [];
  for (const row of table.split('\n').map((line) => line.split('\t'))) {
    if (row[0] === WORD_LEVEL && last[0] === WORD_LEVEL && isSameLine(last, row)) {
      pairs += 1;
      if (Number(row[TOP]) >= Number(last[TOP]) + Number(last[HEIGHT])) below += 1;
    }
    last = row;
  }
  return below > pairs / 2 ? layDown(table) : table;
}
