import { foldWord } from '@citewell/retrieval/plain-text';

/**
 * The form in which texts of cells are compared: lower case, without accents, of normal width, with single spaces.
 * `cell_terms.term` is the term of a whole cell.
 */
export function cellTerm(text: string): string {
  const folded = foldWord(text.normalize('NFKC'));
  return /\s\s|[^\S ]|^ | $/.test(folded) ? folded.replace(/\s+/g, ' ').trim() : folded;
}
