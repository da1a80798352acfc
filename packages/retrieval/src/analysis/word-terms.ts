import { foldWord } from './word-folder.js';
import { stemWord } from './word-stemmer.js';
import { STOP_WORDS } from './stop-words.js';

/** Longest term that is indexed, in UTF-16 units; the rest of a longer word is cut off. */
export const MAX_TERM_LENGTH = 64;

const POSSESSIVE = /['’][sS]$/;
/** Articles and particles that French and Italian write onto the word: l'homme, dell'arte, qu'il. */
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|dell|all|nell|sull|dall|coll|un)['’](?=.{2})/i;
const APOSTROPHES = /['’]/g;
const ACRONYM = /^(?:\p{L}\p{M}*\.)+\p{L}\p{M}*$/u;
const NUMBER = /^\p{Nd}+(?:[.,]\p{Nd}+)+$/u;
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const GROUPED_BY_DOT = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const PIECES = /[^\-‐.,]+/g;
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;
const CAMEL_CASE = /\p{Ll}\p{Lu}/u;
const HAS_DIGIT = /\p{Nd}/u;

/**
 * The terms of one scanned word (see `TOKEN`): mostly one, none for a stop word, several for what people look
 * up both whole and in parts. `foo_bar`, `fooBar` and `FOO_BAR` share the whole `foobar` beside `foo` and
 * `bar`; `E-1234` gives `e1234`, `e` and `1234`; `1,000` is `1000`.
 */
export function wordTerms(word: string): string[] {
  if (NUMBER.test(word)) return numberTerms(foldWord(word));
  if (ACRONYM.test(word)) return termsOf(word.replaceAll('.', ''));
  const pieces = word.match(PIECES) ?? [];
  if (pieces.length === 1) return pieceTerms(pieces[0] ?? '');
  const terms = pieces.flatMap(pieceTerms);
  // Hyphened words are their parts; an identifier such as `E-1234` is looked up as `E1234` too.
  if (HAS_DIGIT.test(word)) terms.push(...termsOf(pieces.join('')));
  return terms;
}

function pieceTerms(piece: string): string[] {
  const bare = piece.replace(POSSESSIVE, '').replace(ELISION, '').replace(APOSTROPHES, '');
  const names = bare.split('_').filter((name) => name !== '');
  const parts = names.flatMap((name) => (CAMEL_CASE.test(name) ? (name.match(HUMPS) ?? []) : [name]));
  if (parts.length < 2) return names.flatMap(termsOf);
  // A hump of one letter (the `i` of `iPhone`) finds nothing but noise.
  return [names.join(''), ...parts.filter((part) => part.length > 1)].flatMap(termsOf);
}

/** Grouping is dropped, so `1,000` and `1000` meet; `1.000` may be a decimal or a German thousand: both are kept. */
function numberTerms(number: string): string[] {
  if (GROUPED_BY_COMMA.test(number)) return [number.replaceAll(',', '')];
  if (!GROUPED_BY_DOT.test(number)) return [number];
  const ungrouped = number.replaceAll('.', '').replace(',', '.');
  return /^\d+\.\d{3}$/.test(number) ? [number, ungrouped] : [ungrouped];
}

function termsOf(word: string): string[] {
  const folded = foldWord(word);
  if (folded === '' || STOP_WORDS.has(folded)) return [];
  const term = stemWord(cutTerm(folded));
  return term === '' ? [] : [term];
}

/** Cut to the limit without leaving half of a surrogate pair. */
export function cutTerm(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const last = term.charCodeAt(MAX_TERM_LENGTH - 1);
  return term.slice(0, last >= 0xd800 && last < 0xdc00 ? MAX_TERM_LENGTH - 1 : MAX_TERM_LENGTH);
}
