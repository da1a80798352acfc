import { BoundedMemo } from './bounded-memo.js';
import { foldWord } from './word-folder.js';
import { stemWord } from './word-stemmer.js';

/** Lucene's English stop words (`EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`), 33 words. */
const LUCENE_ENGLISH =
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with';

const STOP_WORDS: ReadonlySet<string> = new Set(LUCENE_ENGLISH.split(' '));

/** Longest index term, in UTF-16 code units. Longer words are truncated. */
export const MAX_TERM_LENGTH = 64;

/** The parts of long tokens, which the analyzer does not cache as a whole. */
const memo = new BoundedMemo<readonly string[]>(4_096);

const POSSESSIVE = /['’][sS]$/;
/** Elided articles and particles of French and Italian: l'homme, dell'arte, qu'il. */
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|dell|all|nell|sull|dall|coll|un)['’](?=.{2})/i;
const APOSTROPHES = /['’]/g;
const ACRONYM = /^(?:\p{L}\p{M}*\.)+\p{L}\p{M}*$/u;
const NUMBER = /^\p{Nd}+(?:[.,]\p{Nd}+)+$/u;
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const GROUPED_BY_DOT = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const ORDINAL = /^(\d{1,3})(?:st|nd|rd|th|er)$/i;
const PIECES = /[^\-‐.,]+/g;
const CAMEL_CASE_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;
const CAMEL_CASE = /\p{Ll}\p{Lu}/u;
const HAS_DIGIT = /\p{Nd}/u;

/**
 * Returns the terms of one token (see `TOKEN` of the analyzer): usually one, none for a stop word, and
 * several for tokens that people search as a whole or by their parts. `foo_bar`, `fooBar` and `FOO_BAR` all
 * give `foobar`, `foo` and `bar`; `E-1234` gives `e1234`, `e` and `1234`; `1,000` gives `1000`.
 */
export function wordTerms(word: string): readonly string[] {
  // `.NET` is a name, and not any net.
  if (word.startsWith('.')) return [foldWord(word), ...termsOf(word.slice(1))];
  if (NUMBER.test(word)) return numberTerms(foldWord(word));
  const ordinal = ORDINAL.exec(word)?.[1];
  if (ordinal !== undefined) return [foldWord(ordinal)];
  if (ACRONYM.test(word)) return termsOf(word.replaceAll('.', ''));
  const pieces = joinedLetter(word.match(PIECES) ?? []);
  if (pieces.length === 1) return pieceTerms(pieces[0] ?? '');
  const terms = pieces.flatMap(pieceTerms);
  // Hyphenated words are indexed by their parts. An identifier such as `E-1234` is also searched as `E1234`.
  if (HAS_DIGIT.test(word)) terms.push(...termsOf(pieces.join('')));
  return terms;
}

/** E-Mail, x-ray: the letter belongs to the next piece. */
function joinedLetter(pieces: readonly string[]): readonly string[] {
  const [letter = '', next, ...rest] = pieces;
  const isJoined = next !== undefined && /^[a-z]$/i.test(letter) && /^[a-z]{3,}$/i.test(next);
  return isJoined ? [letter + next.toLowerCase(), ...rest] : pieces;
}

function pieceTerms(piece: string): string[] {
  const bare = piece.replace(POSSESSIVE, '').replace(ELISION, '').replace(APOSTROPHES, '');
  const names = bare.split('_').filter((name) => name !== '');
  const parts = names.flatMap((name) =>
    CAMEL_CASE.test(name) ? (name.match(CAMEL_CASE_PARTS) ?? []) : [name],
  );
  if (parts.length < 2) return names.flatMap(termsOf);
  // A part of one letter (the `i` of `iPhone`) would only match noise.
  return [names.join(''), ...parts.filter((part) => part.length > 1)].flatMap(termsOf);
}

/** Drops thousands separators: `1,000` gives `1000`. The ambiguous `1.000` gives `1.000` and `1000`. */
function numberTerms(number: string): string[] {
  if (GROUPED_BY_COMMA.test(number)) return [number.replaceAll(',', '')];
  if (!GROUPED_BY_DOT.test(number)) return [number];
  const ungrouped = number.replaceAll('.', '').replace(',', '.');
  return /^\d+\.\d{3}$/.test(number) ? [number, ungrouped] : [ungrouped];
}

function termsOf(word: string): readonly string[] {
  const known = memo.get(word);
  if (known !== undefined) return known;
  const terms = stemmed(word);
  if (word.length <= MAX_TERM_LENGTH) memo.set(word, terms);
  return terms;
}

/** The terms of a word of letters, without the cache: for words that do not come again. */
export function stemmed(word: string): string[] {
  const folded = foldWord(word);
  if (folded === '' || STOP_WORDS.has(folded)) return [];
  const term = stemWord(cutTerm(folded));
  if (term === 'email') return ['email', 'mail'];
  return term === '' ? [] : [term];
}

/** Truncates a term to `MAX_TERM_LENGTH` without splitting a surrogate pair. */
export function cutTerm(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const last = term.charCodeAt(MAX_TERM_LENGTH - 1);
  return term.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_TERM_LENGTH - 1 : MAX_TERM_LENGTH);
}
