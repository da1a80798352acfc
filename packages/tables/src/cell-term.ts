/** Letters that Unicode does not decompose, with their usual spelling. */
const SPELT_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
};

/**
 * The form in which texts of cells are compared: lower case, without accents, of normal width, with single spaces.
 * `cell_terms.term` is the term of a whole cell.
 */
export function cellTerm(text: string): string {
  const folded = isAscii(text) ? text.toLowerCase() : foldedText(text);
  return /\s\s|[^\S ]|^ | $/.test(folded) ? folded.replace(/\s+/g, ' ').trim() : folded;
}

function foldedText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøđłı]/g, (letter) => SPELT_OUT[letter] ?? letter)
    .normalize('NFC');
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}
