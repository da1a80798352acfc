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
export function americanSpelling(word: string): string {
  return word.replace(BRITISH_VERB, 'z');
}

/** Unifies the spellings of an English stem: colour, color; licence, license; centre, center. */
export function unifySpelling(stem: string): string {
  return replaceAll(stem, SPELLINGS);
}

/**
 * Removes endings of nouns, adjectives and some verbs of German, French and Spanish. It may join words that have nothing in
 * common, such as "cost" and "costa".
 */
export function withoutEnding(stem: string): string {
  return replaceAll(stem, ENDINGS);
}

/** ä, ö and ü are folded to a, o and u; so are ae, oe and ue where they stand for them. */
export function foldSpeltOutVowels(stem: string): string {
  return stem.length < MIN_SPELT_OUT ? stem : stem.replace(SPELT_OUT_VOWEL, '$1');
}

function replaceAll(stem: string, rules: Rules): string {
  return rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), stem);
}
