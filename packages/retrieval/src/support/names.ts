import { analyze } from '../analysis/analyzer.js';
import { functionWords, type Language, QUESTION_CHARACTERS } from '../question/function-words.js';
import { numberWords, wordKey } from './number-words.js';

const HAN_OR_KANA = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const LETTERS = String.raw`[[\p{L}\p{M}\p{Nd}_]--[${HAN_OR_KANA}]]`;
const TOKEN = new RegExp(String.raw`${LETTERS}+(?:[\-'’.]${LETTERS}+){0,4}|[.!?:;。！？\n\|]`, 'gv');
const SENTENCE_END = /^[.!?:;。！？\n|]$/;
const CAPITAL = /^\p{Lu}/u;
/** iPhone, USB */
const INNER_CAPITAL = /[\p{Ll}\p{Lu}]\p{Lu}/u;
const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
/** A number with a letter or a unit: 24k, 12kg, 5th */
const NUMBER = /^\p{Nd}+(?:[.,]\p{Nd}+)?\p{L}{0,3}$/u;
const CASELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/gu;

const NUMERALS = /[〇一二三四五六七八九十百千万萬亿億两]/gu;

export interface Names {
  /** Terms of names and identifiers. */
  readonly certain: ReadonlySet<string>;
  /** Terms of words with a capital letter that may have another reason. */
  readonly possible: ReadonlySet<string>;
}

/**
 * The names of a text in a script with capital letters. The first word of a sentence has one, too, and so have the nouns of German:
 * after an article or an adjective, a word there is hardly a name.
 */
export function readNames(text: string, language: Language): Names {
  const functions = functionWords(language);
  const { months, units, numerals } = numberWords(language);
  const certain = new Set<string>();
  const possible = new Set<string>();
  let before = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const lower = token.toLowerCase();
    const isIdentifier = INNER_CAPITAL.test(token) || (LETTER.test(token) && DIGIT.test(token));
    const isWord = CAPITAL.test(token) || isIdentifier;
    const isOther =
      functions.has(lower) ||
      NUMBER.test(token) ||
      months.has(lower) ||
      units.has(wordKey(lower)) ||
      numerals.has(wordKey(lower));
    if (isWord && !isOther && !SENTENCE_END.test(token)) {
      const isFirst = before === '' || SENTENCE_END.test(before);
      const isNoun =
        language === 'de' &&
        /^\p{Ll}/u.test(before) &&
        /^(?:d[aei][smnr]?|(?:k|m|s|d)?ein.{0,2}|\p{L}+(?:e[nmrs]?))$/u.test(before);
      if (isIdentifier || (!isFirst && !isNoun)) for (const term of analyze(token)) certain.add(term);
      else for (const term of analyze(token)) possible.add(term);
    }
    before = token;
  }
  return { certain, possible };
}

/**
 * Whether a text in a script without spaces has a word that others do not have: two adjacent pairs of characters, or all pairs
 * between two signs. Where parts of sentences are joined, one pair is new.
 */
export function hasNewWord(text: string, isKnown: (pair: string) => boolean): boolean {
  const subject = text.replace(QUESTION_CHARACTERS, ' ').replace(NUMERALS, ' ');
  return Array.from(subject.matchAll(CASELESS)).some(([run]) => {
    const pairs = analyze(run);
    let unknown = 0;
    return pairs.some((pair) => {
      unknown = isKnown(pair) ? 0 : unknown + 1;
      return unknown >= Math.min(2, pairs.length);
    });
  });
}
