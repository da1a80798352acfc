import { analyze } from '../analysis/analyzer.js';
import { MONTHS } from '../analysis/months.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { termId } from '../sparse/sparse-encoder.js';

/** Words that ask for the newest of several documents. */
const NEWEST =
  /(?<![\p{L}])(?:(?<!at the )latest|newest|most recent|current|neueste[nrms]?|neuste[nrms]?|aktuell(?:ste)?(?:e?[nrms]?)|letzte[nrs]? (?:version|fassung|ausgabe)|dernière (?:version|édition)|(?:la|le|les) plus récente?s?|actuel(?:le)?|en vigueur|última (?:versión|edición)|más (?:reciente|nuev[oa])|actual|vigente)(?![\p{L}])|最新|现行|現行|最近的|一番新しい/iu;
const HAS_DIGIT = /\p{Nd}/u;
const DAY_FIRST = /(?<!\d)(\d{1,2})\.(\d{1,2})\.((?:19|20)\d{2})(?!\d)/g;
const COMPACT_DATE = /(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])([0-3]\d)(?!\d)/g;
const YEAR = /^(?:19|20)\d{2}$/;
const NUMBER = /\d+/g;
const NO_LETTERS = /[^\p{L}]+/gu;
const VERSION = /(?<!\p{L})v(?:er(?:sion)?)?(?=[\s._-]*\d)/iu;
const VERSION_WORD = /version|edition|revision|fassung|ausgabe|édition|versión|edición|版/iu;
const WORD = /\p{L}+/gu;

/** Whether a question asks for the newest of several documents, and does not name it itself. */
export function asksForNewest(question: string): boolean {
  return NEWEST.test(question) && !HAS_DIGIT.test(question);
}

/** A passage that a search has found, as the order of versions needs it. */
export interface FoundVersion {
  /** Of the document. */
  readonly name: string;
  /** Ids of the terms of the question that the passage has. */
  readonly terms: readonly number[];
}

/**
 * Ranks older documents below newer ones among passages that have the same words of the question, and belong to documents
 * whose names differ by dates, numbers or versions alone: an older one has at most the score of a newer one. The question must
 * have a word of these names, or ask for a version.
 *
 * @param found best first
 */
export function newestFirst<T extends { readonly score: number }>(
  found: readonly T[],
  question: AnalyzedQuestion,
  viewOf: (one: T) => FoundVersion,
): T[] {
  const newest = new Set(analyze(NEWEST.exec(question.text)?.[0] ?? '').map(termId));
  const weights = new Map(Array.from(question.weights, ([term, weight]) => [termId(term), weight]));
  const versions = found.map((one) => ({ one, ...viewOf(one) }));
  const groups = Map.groupBy(versions, ({ name, terms }) => {
    // "The current price list" is a newest one. "Rated current" is a word of the text, and documents need not have dates.
    const isDated = YEAR.test(String(versionOf(name)[0])) || VERSION.test(name);
    const had = terms.filter((id) => weights.has(id) && !(isDated && newest.has(id)));
    return `${familyOf(name)} ${had.toSorted().join(' ')}`;
  });
  const ranked = [...groups.values()].flatMap((group) => {
    const family = familyOf(group[0]?.name ?? '');
    const isAsked =
      VERSION_WORD.test(question.text) || analyze(family).some((term) => question.weights.has(term));
    if (!isAsked) return group.map(({ one }) => one);
    let ceiling = 1;
    return group
      .toSorted((a, b) => compare(versionOf(b.name), versionOf(a.name)))
      .map(({ one }) => ({ ...one, score: (ceiling = Math.min(ceiling, one.score)) }));
  });
  return ranked.sort((a, b) => b.score - a.score);
}

/** What the names of all versions of a document have in common. */
function familyOf(name: string): string {
  const words = name.normalize('NFC').toLowerCase().replace(VERSION, '');
  return words
    .replace(WORD, (word) => (MONTHS.has(word) ? '' : word))
    .replace(NO_LETTERS, ' ')
    .trim();
}

/** The numbers of a name, the year and the month of a date first. */
function versionOf(name: string): number[] {
  const dated = name.toLowerCase().replace(DAY_FIRST, '$3-$2-$1').replace(COMPACT_DATE, '$1-$2-$3');
  const numbers = dated.match(NUMBER) ?? [];
  const year = numbers.find((number) => YEAR.test(number));
  const month = (dated.match(WORD) ?? []).map((word) => MONTHS.get(word)).find(Boolean);
  const others = numbers.filter((number) => number !== year);
  return [
    ...(year === undefined ? [] : [Number(year)]),
    ...(month === undefined ? [] : [month]),
    ...others.map(Number),
  ];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
