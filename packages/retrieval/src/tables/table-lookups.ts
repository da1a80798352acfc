import type { AskedColumn } from './asked-table.js';
import type { Range } from '../analysis/sentence-window.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { functionWords, type Language } from '../question/function-words.js';
import { CALENDAR } from '../support/number-words.js';
import { readQuantities } from '../support/read-quantities.js';
import { wordsOf } from './question-words.js';

/** The values of cells to look for. */
export interface TableLookups {
  /** Texts that a whole cell may have. */
  readonly texts: readonly string[];
  /** Beginnings of the first word of cells, in lower case without accents. */
  readonly beginnings: readonly string[];
  readonly numbers: readonly number[];
}

/** Longest value in words. */
export const MAX_WORDS = 8;
/** A longer message does not ask for the rows of a table. */
export const MAX_QUESTION_WORDS = 60;
const MIN_BEGINNING = 3;
/** What an inflected form has more, at most. */
const MAX_ENDING = 3;
export const HAS_DIGIT = /\p{Nd}/u;
export const HAN = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

/** A number of a question with its unit. */
export interface AskedNumber extends Range {
  readonly values: readonly number[];
  /** A currency, `percent`, another unit, or '' without one. */
  readonly unit: string;
}

/** What the database of a document is asked, before `tableConditions`. */
export function tableLookups(question: AnalyzedQuestion, language: Language): TableLookups {
  const all = [question.text, question.background, question.earlier[0]?.text ?? ''].map((text) =>
    lookupsOf(text.normalize('NFKC'), language),
  );
  return {
    texts: [...new Set(all.flatMap(({ texts }) => texts))],
    beginnings: [...new Set(all.flatMap(({ beginnings }) => beginnings))],
    numbers: [...new Set(all.flatMap(({ numbers }) => numbers))],
  };
}

function lookupsOf(text: string, language: Language): TableLookups {
  const words = wordsOf(text);
  if (words.length > MAX_QUESTION_WORDS) return { texts: [], beginnings: [], numbers: [] };
  const texts = new Set<string>();
  for (const [at, { start }] of words.entries())
    for (const { end } of words.slice(at, at + MAX_WORDS)) texts.add(text.slice(start, end));
  const functions = functionWords(language);
  const beginnings = words
    .filter(({ key }) => key.length >= MIN_BEGINNING && !functions.has(key) && !HAN.test(key))
    .map(({ key }) => key.slice(0, Math.max(MIN_BEGINNING, key.length - MAX_ENDING)));
  const numbers = numbersOf(text, language).flatMap(({ values }) => values);
  return { texts: [...texts], beginnings: [...new Set(beginnings)], numbers: [...new Set(numbers)] };
}

/** The numbers of a question that are no dates. */
export function numbersOf(text: string, language: Language): AskedNumber[] {
  return readQuantities(text, language).flatMap(({ text: written, start, values, dimension, isMeasure }) => {
    if (!HAS_DIGIT.test(written)) return [];
    if (dimension === CALENDAR.month || dimension === CALENDAR.day) return [];
    const isYear = dimension === CALENDAR.year;
    const unit = isMeasure && !isYear ? dimension : '';
    return [{ start, end: start + written.length, values, unit }];
  });
}

/** Whether the numbers of a column have the unit of a number of a question. */
export function hasUnit({ type, currency }: AskedColumn, { unit }: AskedNumber): boolean {
  if (unit === '') return true;
  return unit === 'percent' ? type === 'percent' : type === 'money' && currency === unit;
}
