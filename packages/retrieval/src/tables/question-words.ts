import { foldHan } from '../analysis/fold-han.js';
import { foldWord } from '../analysis/word-folder.js';
import { stemWord } from '../analysis/word-stemmer.js';
import type { Range } from '../analysis/sentence-window.js';

/** A word in the forms in which words of a question and of a table are compared. */
export interface ComparedWord extends Range {
  readonly text: string;
  /** Folded. */
  readonly key: string;
  readonly stem: string;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const POSSESSIVE = /['’]s$/iu;
const ELISION = /^(?:[cdjlmnst]|qu|dell|all|nell|sull|dall)['’](?=.{2})/iu;
const NOT_IN_WORDS = /[.'’_]/g;
/** What an inflected form has more than another one. "-ing" and "-ung" make other words. */
const ENDING = /^(?:|y|e|e?s|e?n|e?d|em|ern?|ies|es|x|aux)$/;
/** Endings of a form that is longer than that of the question. */
const BASE_ENDING = /^(?:|y|e|e?s|e?n)$/;

/** The words of a text, in order. A run of Chinese or Japanese characters is divided into words. */
export function wordsOf(text: string): ComparedWord[] {
  const words: ComparedWord[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true) continue;
    const bare = segment.replace(POSSESSIVE, '').replace(ELISION, '');
    const key = foldWord(foldHan(bare.normalize('NFKC'))).replace(NOT_IN_WORDS, '');
    const start = index + segment.indexOf(bare);
    if (key !== '') words.push({ text: bare, start, end: index + segment.length, key, stem: stemWord(key) });
  }
  return words;
}

/** Whether a word has a capital inside of a sentence of the text. In German, nouns have one, too. */
export function isCapitalInside({ text: word, start }: ComparedWord, text: string): boolean {
  return /^\p{Lu}/u.test(word) && /[^\s.?!¿¡:]\s*["'“„«(]?$/u.test(text.slice(Math.max(0, start - 4), start));
}

/** Whether a word of a question is the same as one of a table, or another form of it. */
export function isForm(asked: ComparedWord, { key, stem }: ComparedWord): boolean {
  if (asked.key === key) return true;
  if (asked.stem !== stem && !isGermanPlural(asked, key)) return false;
  let common = 0;
  while (common < key.length && asked.key[common] === key[common]) common += 1;
  return ENDING.test(asked.key.slice(common)) && BASE_ENDING.test(key.slice(common));
}

/** Uhren, Lose, Wälder. Stems keep these endings of short words, which are other words in English: plane. German nouns have a capital. */
function isGermanPlural({ text, key }: ComparedWord, singular: string): boolean {
  const isNoun = singular.length > 2 && /^\p{Lu}/u.test(text);
  return isNoun && key.startsWith(singular) && /^(?:e|er)n?$/.test(key.slice(singular.length));
}

/** Fewest letters that related words have in common: at their beginning (delivered, delivery), or in their stems (Lieferdatum, geliefert). */
const MIN_COMMON = 6;

/** Whether a word may refer to a name of which another word is a part. */
export function isRelated(word: ComparedWord, { key, stem }: ComparedWord): boolean {
  if (word.stem === stem || isGermanPlural(word, key)) return true;
  if (key.length >= MIN_COMMON && word.key.startsWith(key.slice(0, MIN_COMMON))) return true;
  for (let start = 0; start + MIN_COMMON <= stem.length; start += 1)
    if (word.stem.includes(stem.slice(start, start + MIN_COMMON))) return true;
  return false;
}

/** A value in a column. */
export interface CellValue<T> {
  readonly position: number;
  readonly value: T;
}

interface ComparedValue extends CellValue<string> {
  readonly words: readonly ComparedWord[];
  /** That of all words. */
  readonly key: string;
}

/** Different values that have words. */
export function comparedValues(texts: readonly CellValue<string>[]): ComparedValue[] {
  const distinct = new Map(texts.map(({ position, value }) => [`${position} ${value}`, { position, value }]));
  return [...distinct.values()].flatMap((one) => {
    const words = wordsOf(one.value);
    return words.length === 0 ? [] : [{ ...one, words, key: words.map(({ key }) => key).join('') }];
  });
}
