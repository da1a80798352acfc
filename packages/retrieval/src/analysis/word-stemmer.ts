import snowball from 'snowball-stemmers';
import { stemArabic } from './arabic-stemmer.js';
import { americanSpelling, foldSpeltOutVowels, unifySpelling, withoutEnding } from './light-stemmer.js';

const english = snowball.newStemmer('english');
const russian = snowball.newStemmer('russian');

const LATIN_WORD = /^[a-z]+$/;
const CYRILLIC_WORD = /^[\u0430-\u044f]+$/;
const ARABIC_WORD = /^[\u0620-\u064a\u066e-\u06d3]+$/;

/**
 * German plurals from which the whole -en is removed: Kündigungen, Freiheiten, Möglichkeiten, Informationen.
 * The English stemmer then stems the singular.
 */
const GERMAN_NOUN_PLURAL = /(?<=[a-z]{2}(?:ung|heit|keit|ion|schaft|tat))en$/;
/**
 * Other words in -en, from which only -n is removed (Katzen, Katze). Short words and words in -een, -aken and
 * -oken (mistaken, broken) are excluded: they are mostly English.
 */
const GERMAN_PLURAL = /(?<=[a-z]{3}[^e])(?<![ao]k)en$/;
/** English words that the German rules would turn into another English word. */
const ENGLISH_IN_EN: ReadonlySet<string> = new Set(
  'listen fasten hasten warden pollen heaven barren regimen sweden holden'.split(' '),
);

/**
 * Stems a folded word. The script selects the stemmer: Porter 2 and light stemming for Latin, Snowball
 * Russian for Cyrillic, light stemming for Arabic. The language of a short query cannot be detected reliably,
 * and index and query must agree. Words with digits or mixed scripts are returned unchanged.
 */
export function stemWord(word: string): string {
  if (LATIN_WORD.test(word)) return stemLatin(word);
  if (CYRILLIC_WORD.test(word)) return russian.stem(word);
  if (ARABIC_WORD.test(word)) return stemArabic(word);
  return word;
}

function stemLatin(word: string): string {
  const stem = unifySpelling(stemPlural(americanSpelling(word)));
  const bare = withoutEnding(stem);
  // What is left may have an English ending: "indépendante" becomes "independant". A final s is no plural there.
  const isStem = bare.endsWith('s') || (bare === stem && !bare.endsWith('ant'));
  return foldSpeltOutVowels(isStem ? bare : english.stem(bare));
}

function stemPlural(word: string): string {
  const stem = english.stem(word);
  if (!stem.endsWith('en') || ENGLISH_IN_EN.has(stem)) return stem;
  const singular = stem.replace(GERMAN_NOUN_PLURAL, '');
  if (singular !== stem) return english.stem(singular);
  return GERMAN_PLURAL.test(stem) ? english.stem(stem.slice(0, -1)) : stem;
}
