const CJK_TERM = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const FIRST_CJK = 0x1100;

const COMBINING_MARKS = /[\u0300-\u036f]/g;
const NEEDS_DECOMPOSITION = /[\u{80}-\u{24f}\u{370}-\u{3ff}\u{1e00}-\u{1fff}]|\p{Mn}/u;
const CYRILLIC = /[\u0400-\u04ff]/;
const ARABIC = /[\u0600-\u06ff]/;
const HEBREW = /[\u0590-\u05ff]/;
const FOREIGN_DIGIT = /[^\d\P{Nd}]/gu;

/** Letters that Unicode does not decompose, with their usual ASCII spelling. */
const SPELT_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
  ħ: 'h',
  ς: 'σ',
};
const SPELT_OUT_LETTERS = /[ßæœøđðłıþħς]/g;

/**
 * Lower-cases a word and removes the marks that people often omit in a question: diacritics of Latin and
 * Greek, stress and ё in Cyrillic, vowel signs and letter variants of Arabic, points of Hebrew. Digits of
 * every script become ASCII. Marks that distinguish words (those of Indic scripts, й) stay.
 */
export function foldWord(word: string): string {
  let folded = word.toLowerCase();
  if (isAscii(folded)) return folded;
  if (NEEDS_DECOMPOSITION.test(folded)) {
    folded = boundMarks(folded)
      .normalize('NFD')
      .replace(CYRILLIC.test(folded) ? /[\u0300\u0301]/g : COMBINING_MARKS, '')
      .replace(SPELT_OUT_LETTERS, (letter) => SPELT_OUT[letter] ?? letter)
      .normalize('NFC');
  }
  if (CYRILLIC.test(folded)) folded = folded.replaceAll('ё', 'е');
  if (ARABIC.test(folded)) folded = foldArabic(folded);
  if (HEBREW.test(folded)) folded = folded.replace(/[\u0591-\u05c7]/g, '');
  return folded.replace(FOREIGN_DIGIT, asciiDigit);
}

function foldArabic(word: string): string {
  return word
    .replace(/\u0640|\p{Mn}/gu, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replaceAll('ى', 'ي')
    .replaceAll('ة', 'ه');
}

/**
 * In Unicode, the ten digits of a script are contiguous and in order: the value is the distance to the zero.
 */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String(code - zero);
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}

/** Whether a term is a bigram of Chinese, Japanese or Korean characters, or a single one. */
export function isCjkTerm(term: string): boolean {
  return term.charCodeAt(0) >= FIRST_CJK && CJK_TERM.test(term);
}

/** The limit of Unicode's Stream-Safe Text Format (UAX 15, section 13). No language writes as many. */
const MAX_MARKS = 30;
/** A shorter text takes little time even if it consists of marks. Chunks of documents are shorter. */
const MIN_LENGTH = 2_000;
const PILE = new RegExp(String.raw`(\p{M}{${MAX_MARKS}})\p{M}+`, 'gu');

/**
 * Drops the combining marks of a long text after the 30th in a row. Apply it before `normalize`, which sorts marks in
 * quadratic time. The result is for analysis only, not for output.
 */
export function boundMarks(text: string): string {
  return text.length < MIN_LENGTH ? text : text.replace(PILE, '$1');
}
