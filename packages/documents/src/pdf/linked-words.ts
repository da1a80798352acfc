import { showsAddress } from './link-address.js';
import type { PdfLink } from './annotation-index.js';
import { type RunWord, wordsBetween, wordsOf } from './run-words.js';
import type { TextRun } from './text-run.js';

/** Words of a run that are a link. */
interface LinkedWords {
  readonly run: number;
  readonly start: number;
  readonly end: number;
  readonly address: string;
}

/** Words that are one link. */
interface Link {
  readonly first: LinkedWords;
  last: LinkedWords;
}

const WORD = /[\p{L}\p{N}]/u;
/** On one page; links that lie upon each other could make any number of them. */
const MAX_LINKED_WORDS = 5000;
/** Above the baseline, as a share of the font's size, there is the middle of small letters. */
const MIDDLE = 0.25;

/**
 * Gives runs the addresses that their words lead to, in parentheses behind the words: `the manual (https://…)`. Words
 * that show the address already get none, and a link that is set in several runs or lines gets it behind the last.
 *
 * @param runs of one page, in the order in which it draws them
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
    const here = ends.get(index);
    return here === undefined ? run : { ...run, linkedText: insertAddresses(run.text, here) };
  });
}

/** From the last to the first, so that places stay what they are. */
function insertAddresses(text: string, ends: readonly LinkedWords[]): string {
  return ends
    .toSorted((one, other) => one.end - other.end)
    .reduceRight(
      (result, { end, address }) => `${result.slice(0, end)} (${address})${result.slice(end)}`,
      text,
    );
}

/** Words that lead to the same address, with no others between them, are one link. */
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
    const { address, left, right, bottom, top } = run.quarter === 0 ? link : turned(link, run.quarter);
    if (middle < bottom || middle > top || right <= run.x || left >= run.x + run.width) continue;
    const span = wordsBetween((words ??= wordsOf(run)), left, right);
    if (span !== null) found.push({ run: index, ...span, address });
  }
  return found.length < 2 ? found : found.sort((one, other) => one.start - other.start);
}

/** As the page would be turned for runs of this direction to read from left to right; see {@link TextRun}. */
function turned({ address, left, right, bottom, top }: PdfLink, quarter: number): PdfLink {
  switch ((quarter + 4) % 4) {
    case 1:
      return { address, left: bottom, right: top, bottom: -right, top: -left };
    case 2:
      return { address, left: -right, right: -left, bottom: -top, top: -bottom };
    case 3:
      return { address, left: -top, right: -bottom, bottom: left, top: right };
    default:
      return { address, left, right, bottom, top };
  }
}
