import snowball from 'snowball-stemmers';
import { stemArabic } from './arabic-stemmer.js';

const english = snowball.newStemmer('english');
const russian = snowball.newStemmer('russian');

const LATIN_WORD = /^[a-z]+$/;
const CYRILLIC_WORD = /^[\u0430-\u044f]+$/;
const ARABIC_WORD = /^[\u0620-\u064a\u066e-\u06d3]+$/;

/** German plurals whose singular English stemming knows: Kündigungen, Freiheiten, Möglichkeiten, Informationen. */
const GERMAN_NOUN_PLURAL = /(?<=[a-z]{2}(?:ung|heit|keit|ion|schaft|tat))en$/;
/**
 * Other endings -en, of which -e is left (Katzen, Katze). Short words, -een, -aken and -oken (mistaken, broken) are
 * mostly English.
 */
const GERMAN_PLURAL = /(?<=[a-z]{3}[^e])(?<![ao]k)en$/;
/** English words that would become another English word. */
const ENGLISH_IN_EN: ReadonlySet<string> = new Set(
  'listen fasten hasten warden pollen heaven barren regimen sweden holden'.split(' '),
);

/**
 * The stem of a folded word, chosen by script alone, because a query of two words says too little about its
 * language and index and query must agree: Porter 2 for Latin, then German plurals, Snowball Russian for
 * Cyrillic, light stemming for Arabic. Words that mix scripts or carry digits stay as they are.
 */
export function stemWord(word: string): string {
  if (LATIN_WORD.test(word)) return stemLatin(word);
  if (CYRILLIC_WORD.test(word)) return russian.stem(word);
  if (ARABIC_WORD.test(word)) return stemArabic(word);
  return word;
}

function stemLatin(word: string): string {
  const stem = english.stem(word);
  if (!stem.endsWith('en') || ENGLISH_IN_EN.has(stem)) return stem;
  const singular = stem.replace(GERMAN_NOUN_PLURAL, '');
  if (singular !== stem) return english.stem(singular);
  return GERMAN_PLURAL.test(stem) ? english.stem(stem.slice(0, -1)) : stem;
}
