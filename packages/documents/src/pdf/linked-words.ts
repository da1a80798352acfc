import { turnedBox } from './page-geometry.js';
import { type PdfLink, showsAddress } from './page-links.js';
import { type RunWord, wordsBetween, wordsOf } from './run-words.js';
import type { TextRun } from './text-run.js';

/** Words of one run that are covered by a link. */
interface LinkedWords {
  readonly run: number;
  readonly start: number;
  readonly end: number;
  readonly address: string;
}

/** Consecutive words with the same address, possibly in several runs. */
interface Link {
  readonly first: LinkedWords;
  last: LinkedWords;
}

const WORD = /[\p{L}\p{N}]/u;
/** Limit per page, because many links may overlap the same words. */
const MAX_LINKED_WORDS = 5000;
/** Height of the middle of lower-case letters above the baseline, as a share of the font size. */
const MIDDLE = 0.25;

/**
 * Adds link addresses to the runs of a page, in parentheses after the linked words: `the manual (https://…)`.
 * Words that already show the address get none. A link that spans several runs or lines gets its address
 * after the last one.
 *
 * @param runs the runs of one page in drawing order
 */
export function withAddresses(runs: readonly TextRun[], links: readonly PdfLink[]): readonly TextRun[] {
  if (links.length === 0) return runs;
  const linked: LinkedWords[] = [];
  for (const [index, run] of runs.entries()) {
    if (linked.length < MAX_LINKED_WORDS) linked.push(...wordsUnder(run, index, links));
  }
  if (linked.length === 0) return runs;
  const ends = new Map<number, LinkedWords[]>();
  for (const { first, last } of linksOf(runs, linked)) {
    if (showsAddress(textBetween(runs, first, last), last.address)) continue;
    const known = ends.get(last.run);
    if (known === undefined) ends.set(last.run, [last]);
    else known.push(last);
  }
  return runs.map((run, index) => {
    const endsOfRun = ends.get(index);
    return endsOfRun === undefined ? run : { ...run, linkedText: insertAddresses(run.text, endsOfRun) };
  });
}

/** Inserts from the end, so that offsets stay valid. */
function insertAddresses(text: string, ends: readonly LinkedWords[]): string {
  return ends
    .toSorted((one, other) => one.end - other.end)
    .reduceRight(
      (result, { end, address }) => `${result.slice(0, end)} (${address})${result.slice(end)}`,
      text,
    );
}

/** Joins words with the same address that have no other words between them. */
function linksOf(runs: readonly TextRun[], linked: readonly LinkedWords[]): Link[] {
  const links: Link[] = [];
  for (const words of linked) {
    const link = links.at(-1);
    const isSame = link?.last.address === words.address;
    if (link !== undefined && isSame && !hasWordsBetween(runs, link.last, words)) link.last = words;
    else links.push({ first: words, last: words });
  }
  return links;
}

function hasWordsBetween(runs: readonly TextRun[], last: LinkedWords, next: LinkedWords): boolean {
  const from = { run: last.run, start: last.end };
  return WORD.test(textBetween(runs, from, { run: next.run, end: next.start }));
}

function textBetween(
  runs: readonly TextRun[],
  from: Pick<LinkedWords, 'run' | 'start'>,
  to: Pick<LinkedWords, 'run' | 'end'>,
): string {
  if (from.run === to.run) return runs[from.run]?.text.slice(from.start, to.end) ?? '';
  return runs
    .slice(from.run, to.run + 1)
    .map(({ text }, index, { length }) =>
      text.slice(index === 0 ? from.start : 0, index === length - 1 ? to.end : text.length),
    )
    .join('');
}

function wordsUnder(run: TextRun, index: number, links: readonly PdfLink[]): LinkedWords[] {
  if (run.width <= 0 || run.text.trim() === '') return [];
  const found: LinkedWords[] = [];
  const middle = run.y + run.fontSize * MIDDLE;
  let words: RunWord[] | undefined;
  for (const link of links) {
    const { left, right, bottom, top } = turnedBox(link, run.quarterTurns);
    if (middle < bottom || middle > top || right <= run.x || left >= run.x + run.width) continue;
    const span = wordsBetween((words ??= wordsOf(run)), left, right);
    if (span !== null) found.push({ run: index, ...span, address: link.address });
  }
  return found.length < 2 ? found : found.sort((one, other) => one.start - other.start);
}
