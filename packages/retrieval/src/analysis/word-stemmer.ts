import snowball from 'snowball-stemmers';
import { stemArabic } from './arabic-stemmer.js';

const english = snowball.newStemmer('english');
const russian = snowball.newStemmer('russian');

const LATIN_WORD = /^[a-z]+$/;
const CYRILLIC_WORD = /^[\u0430-\u044f]+$/;
const ARABIC_WORD = /^[\u0620-\u064a\u066e-\u06d3]+$/;

/**
 * The stem of a folded word, chosen by script alone, because a query of two words says too little about its
 * language and index and query must agree: Porter 2 for Latin, Snowball Russian for Cyrillic, light stemming
 * for Arabic. Words that mix scripts or carry digits stay as they are.
 */
export function stemWord(word: string): string {
  if (LATIN_WORD.test(word)) return english.stem(word);
  if (CYRILLIC_WORD.test(word)) return russian.stem(word);
  if (ARABIC_WORD.test(word)) return stemArabic(word);
  return word;
}
