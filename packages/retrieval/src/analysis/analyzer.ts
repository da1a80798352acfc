import { foldHan } from './fold-han.js';
import { boundMarks } from './word-folder.js';
import { BoundedMemo } from './bounded-memo.js';
import { joinedIdentifiers } from './identifiers.js';
import { withNormalForms } from './normal-forms.js';
import { cutTerm, wordTerms } from './word-terms.js';

/**
 * Version of the analyzer, part of the name of every lexical space: queries must be analyzed like the indexed
 * documents. Increment it with every change that can alter a term or its weight.
 */
export const LEXICAL_VERSION = 5;

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}ー`;
/** Scripts without spaces between words; a dictionary finds the words. */
const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const WORD = String.raw`[[\p{L}\p{M}\p{N}_]--[${CJK}]--[${UNSPACED}]]`;
const DIGIT = String.raw`\p{Nd}`;
/** Longer runs are rules of Markdown and of plain text. */
const OPERATOR = String.raw`(?<![=!<>&\|:\-])(?:[=!<>]={1,2}|=>|->|<>|&&|\|\||::|:=)(?![=!<>&\|:\-])`;

/**
 * A name such as `C#` or `.NET`, an operator such as `===`, a word with inner punctuation (apostrophe, hyphen, full stop, comma
 * between digits), or a run of characters of a script without spaces. The number of parts is bounded, so that a chain of a
 * million parts is many tokens.
 */
const TOKEN = new RegExp(
  String.raw`[A-Za-z](?:\+\+|#)|${OPERATOR}|(?<!\S)\.[A-Za-z]{2,9}(?![\p{L}\p{N}.])|${WORD}+(?:(?:['’.\-‐]|(?<=${DIGIT}),(?=${DIGIT}))${WORD}+){0,15}|[${CJK}]+|[${UNSPACED}]+`,
  'gv',
);
const FIRST_UNSPACED_LETTER = 0x0e00;
const CJK_RUN = new RegExp(`^[${CJK}]`, 'v');
const UNSPACED_RUN = new RegExp(`^[${UNSPACED}]`, 'v');
const HAS_DIGIT = /\d/;
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
 * - Han, kana and Hangul become character bigrams, Traditional characters as Simplified ones.
 * - Dates, amounts and units have their normal form too, and identifiers that are written in parts (`KX 200 B`) also the
 *   joined form, at the end.
 * - Thai, Lao, Khmer and Burmese are segmented by dictionary.
 *
 * Pure, except for a cache of bounded size. Time is linear in the length of the text.
 */
export function analyze(text: string): string[] {
  const normal = withNormalForms(readable(text));
  const terms = termsOf(normal);
  if (HAS_DIGIT.test(normal)) for (const joined of joinedIdentifiers(normal)) terms.push(joined);
  return terms;
}

/** The index terms of a text without normal forms and without joined identifiers, as {@link analyze} finds them. */
export function analyzeWords(text: string): string[] {
  return termsOf(readable(text));
}

function readable(text: string): string {
  return boundMarks(text).normalize('NFKC').replace(INVISIBLE_INSIDE_WORDS, '');
}

function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const token of text.match(TOKEN) ?? []) {
    if (token.charCodeAt(0) >= FIRST_UNSPACED_LETTER && CJK_RUN.test(token))
      pushBigrams(foldHan(token), terms);
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
