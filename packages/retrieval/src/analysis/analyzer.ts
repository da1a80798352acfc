import { boundMarks } from './bounded-marks.js';
import { BoundedMemo } from './bounded-memo.js';
import { cutTerm, wordTerms } from './word-terms.js';

/**
 * Version of the analyzer, part of the name of every lexical space: queries must be analyzed like the indexed
 * documents. Increment it with every change that can alter a term or its weight.
 */
export const LEXICAL_VERSION = 4;

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}ー`;
/** Scripts without spaces between words; a dictionary finds the words. */
const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = String.raw`[[\p{L}\p{M}\p{N}_]--[${CJK}]--[${UNSPACED}]]`;
const DIGIT = String.raw`\p{Nd}`;

/**
 * A word with inner punctuation (apostrophe, hyphen, full stop, comma between digits), or a run of characters
 * of a script without spaces. The number of parts is bounded, so that a chain of a million parts is many
 * tokens.
 */
const TOKEN = new RegExp(
  String.raw`[A-Za-z](?:\+\+|#)|${WORD}+(?:(?:['’.\-‐]|(?<=${DIGIT}),(?=${DIGIT}))${WORD}+){0,15}|[${CJK}]+|[${UNSPACED}]+`,
  'gv',
);
const FIRST_UNSPACED_LETTER = 0x0e00;
const CJK_RUN = new RegExp(`^[${CJK}]`, 'v');
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, 'v');
const INVISIBLE_INSIDE_WORDS = /\u00ad|\u200c|\u200d|\u2060|\ufeff/g;

/** Longest word that is cached. */
const MAX_MEMO_WORD = 64;
/** Longer words are truncated before they are analyzed. Their terms are truncated to `MAX_TERM_LENGTH`. */
const MAX_WORD = 256;
const memo = new BoundedMemo<readonly string[]>(32_768);
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });

/**
 * Returns the index terms of a text, in order and with repetitions. Documents and questions use the same
 * analysis, which depends on the script only. A language detector could decide differently for the two.
 *
 * - Compatibility forms are unified (NFKC), letters are lower-cased and folded, English stop words are
 *   dropped.
 * - Words are stemmed: Latin as English, then by a light stemmer for German, French and Spanish; Cyrillic as Russian, Arabic
 *   by light stemming. British and American spellings are unified.
 * - Han, kana and Hangul become character bigrams.
 * - Thai, Lao, Khmer and Burmese are segmented by dictionary.
 *
 * Pure, except for a cache of bounded size. Time is linear in the length of the text.
 */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  const normal = boundMarks(text).normalize('NFKC').replace(INVISIBLE_INSIDE_WORDS, '');
  for (const token of normal.match(TOKEN) ?? []) {
    if (token.charCodeAt(0) >= FIRST_UNSPACED_LETTER && CJK_RUN.test(token)) pushBigrams(token, terms);
    else if (token.charCodeAt(0) >= FIRST_UNSPACED_LETTER && UNSPACED_RUN.test(token))
      pushSegments(token, terms);
    else for (const term of memoisedTerms(token)) terms.push(term);
  }
  return terms;
}

function memoisedTerms(token: string): readonly string[] {
  if (token.length > MAX_MEMO_WORD) return wordTerms(token.slice(0, MAX_WORD));
  let terms = memo.get(token);
  if (terms === undefined) {
    terms = wordTerms(token);
    memo.set(token, terms);
  }
  return terms;
}

function pushBigrams(run: string, terms: string[]): void {
  let previous = '';
  let count = 0;
  for (const character of run) {
    if (previous !== '') terms.push(previous + character);
    previous = character;
    count++;
  }
  if (count === 1) terms.push(previous);
}

function pushSegments(run: string, terms: string[]): void {
  for (const { segment, isWordLike } of segmenter.segment(run)) if (isWordLike) terms.push(cutTerm(segment));
}
