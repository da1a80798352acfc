import snowball from 'snowball-stemmers';

const ARABIC_ARTICLES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل'];
const ARABIC_SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي'];

/** In letters, after an affix is removed. */
const MIN_ARABIC_STEM = 2;

/** Many short words begin with the letter of the conjunction و: it is removed from longer words only. */
const MIN_AFTER_ARABIC_CONJUNCTION = 3;

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

/**
 * Light stemming of Arabic: removes articles, conjunctions and inflections that are attached to the word.
 * Source: light10 of Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval",
 * 2007.
 */
function stemArabic(word: string): string {
  let stem = withoutArabicArticle(word);
  for (const suffix of ARABIC_SUFFIXES) {
    if (stem.endsWith(suffix) && stem.length - suffix.length >= MIN_ARABIC_STEM)
      stem = stem.slice(0, -suffix.length);
  }
  return stem;
}

function withoutArabicArticle(word: string): string {
  const bare =
    word.startsWith('و') && !word.startsWith('وال') && word.length - 1 >= MIN_AFTER_ARABIC_CONJUNCTION
      ? word.slice(1)
      : word;
  const article = ARABIC_ARTICLES.find(
    (prefix) => bare.startsWith(prefix) && bare.length - prefix.length >= MIN_ARABIC_STEM,
  );
  return article === undefined ? bare : bare.slice(article.length);
}

type Rules = readonly (readonly [pattern: RegExp, replacement: string])[];

/** British spellings, before stemming. "Hinweise" and "raise" are no verbs in -ise. */
const BRITISH_VERB = /(?<=[a-z]{3}(?:(?<![aeou])i|y))s(?=(?:e|es|ed|ing|er|ers|ation|ations|ational)$)/;

const SPELLINGS: Rules = [
  [/(?<=[a-z]{3})our(?=$|it|abl|al|ful|less|hood|ism)/, 'or'],
  [/(?<=^(?:licen|defen|offen|preten|practi))c$/, 's'],
  [/(?<=^(?:cent|met|lit|theat|fib|kilomet|millimet|centimet))er$/, 'r'],
  [/^catalogu$/, 'catalog'],
];

/** In order. At least three letters stay. */
const ENDINGS: Rules = [
  // German: Häuser, Mitarbeiterinnen, Mitarbeitern, Preise, Ergebnisse, Tage.
  [
    /(?<=(?:haus|buch|kind|bild|feld|land|wort|blatt|schild|fach|kleid|lied|mann|amt|glas|glied|gesicht|dorf))ern?$/,
    '',
  ],
  [/(?<=[a-z]{4})erinn?$/, 'er'],
  [/(?<=[a-z]{5}er)n$/, ''],
  [/(?<=[a-z]{2}ei)s$/, ''],
  [/(?<=[a-z]{3}ni)ss$/, ''],
  [/^tage?n?$/, 'tag'],
  [/(?<=[a-z]{4})ung$/, ''],
  // French: bureaux, journaux, annuelle, salariée.
  [/(?<=[a-z]{3}eau)x$/, ''],
  [/(?<=[a-z]{3})aux$/, 'al'],
  [/(?<=[a-z]{2}[eo])([lnt])\1$/, '$1'],
  [/(?<=[a-z]{5})e$/, ''],
  // Spanish: meses, solicitan, ahorrar, empleada.
  [/^mese$/, 'mes'],
  [/(?<=[a-z]{5})an$/, ''],
  [/(?<=[a-z]{4}[bcgjprstv])ar$/, ''],
  [/(?<=[a-z]{5})[ao]$/, ''],
];

/** Kuendigung, Groesse: a German vowel between consonants. Short words such as "fuel" are mostly English. */
const SPELT_OUT_VOWEL = /(?<=^|[bcdfghjklmnprstvwxz])([aou])e(?=[bcdfghjklmnpqrstvwxz])/g;
const MIN_SPELT_OUT = 5;

/** American spelling of verbs in -ise and -yse, which are stemmed like those in -ize. */
function americanSpelling(word: string): string {
  return word.replace(BRITISH_VERB, 'z');
}

/** Unifies the spellings of an English stem: colour, color; licence, license; centre, center. */
function unifySpelling(stem: string): string {
  return replaceAll(stem, SPELLINGS);
}

/**
 * Removes endings of nouns, adjectives and some verbs of German, French and Spanish. It may join words that have nothing in
 * common, such as "cost" and "costa".
 */
function withoutEnding(stem: string): string {
  return replaceAll(stem, ENDINGS);
}

/** ä, ö and ü are folded to a, o and u; so are ae, oe and ue where they stand for them. */
function foldSpeltOutVowels(stem: string): string {
  return stem.length < MIN_SPELT_OUT ? stem : stem.replace(SPELT_OUT_VOWEL, '$1');
}

function replaceAll(stem: string, rules: Rules): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), stem);
}
