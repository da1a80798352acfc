import { MONTHS } from './searchable-names.js';

/** Words that ask for the newest of several documents. */
const NEWEST =
  /(?<![\p{L}])(?:(?<!at the )latest|newest|most recent|current|neueste[nrms]?|neuste[nrms]?|aktuell(?:ste)?(?:e?[nrms]?)|letzte[nrs]? (?:version|fassung|ausgabe)|dernière (?:version|édition)|(?:la|le|les) plus récente?s?|actuel(?:le)?|en vigueur|última (?:versión|edición)|más (?:reciente|nuev[oa])|actual|vigente)(?![\p{L}])|最新|现行|現行|最近的|一番新しい/iu;
const HAS_DIGIT = /\p{Nd}/u;
const DAY_FIRST = /(?<!\d)(\d{1,2})\.(\d{1,2})\.((?:19|20)\d{2})(?!\d)/g;
const COMPACT_DATE = /(?<!\d)((?:19|20)\d{2})(0[1-9]|1[0-2])([0-3]\d)(?!\d)/g;
const YEAR = /^(?:19|20)\d{2}$/;
const NUMBER = /\d+/g;
const NO_LETTERS = /[^\p{L}]+/gu;
const VERSION = /(?<!\p{L})v(?:er(?:sion)?)?(?=[\s._-]*\d)/giu;
const MONTH_NUMBERS = new Map(
  MONTHS.flatMap((names) => names.map((name, at) => [name.toLowerCase(), at + 1])),
);
const WORD = /\p{L}+/gu;

/** Whether a question asks for the newest of several documents, and does not name it itself. */
export function asksForNewest(question: string): boolean {
  return NEWEST.test(question) && !HAS_DIGIT.test(question);
}

/**
 * Orders what belongs to documents whose names differ by dates, numbers or versions alone, the newest document first. All else
 * keeps its place.
 */
export function newestFirst<T>(found: readonly T[], nameOf: (one: T) => string): T[] {
  const families = new Map<string, T[]>();
  for (const one of found) {
    const family = familyOf(nameOf(one));
    families.set(family, [...(families.get(family) ?? []), one]);
  }
  const ordered = new Map(
    Array.from(families, ([family, members]) => [
      family,
      members.toSorted((a, b) => compare(versionOf(nameOf(b)), versionOf(nameOf(a)))).values(),
    ]),
  );
  return found.map((one) => ordered.get(familyOf(nameOf(one)))?.next().value ?? one);
}

/** What the names of all versions of a document have in common. */
function familyOf(name: string): string {
  const words = name.normalize('NFC').toLowerCase().replace(VERSION, '');
  return words
    .replace(WORD, (word) => (MONTH_NUMBERS.has(word) ? '' : word))
    .replace(NO_LETTERS, ' ')
    .trim();
}

/** The numbers of a name, the year and the month of a date first. */
function versionOf(name: string): number[] {
  const dated = name.toLowerCase().replace(DAY_FIRST, '$3-$2-$1').replace(COMPACT_DATE, '$1-$2-$3');
  const numbers = dated.match(NUMBER) ?? [];
  const year = numbers.find((number) => YEAR.test(number));
  const month = (dated.match(WORD) ?? []).map((word) => MONTH_NUMBERS.get(word)).find(Boolean);
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
