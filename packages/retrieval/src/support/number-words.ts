import { analyze } from '../analysis/analyzer.js';
import { monthNames } from '../analysis/months.js';
import type { Language } from '../question/function-words.js';

/** A unit of measure as a part of its dimension: an hour is 3,600 of `second`. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
}

/** How a language writes numbers and units. */
export interface NumberWords {
  /** Units, currencies and the term of a counted thing, by {@link wordKey}. */
  readonly units: ReadonlyMap<string, Unit>;
  /** million, Mrd., 万 */
  readonly multipliers: ReadonlyMap<string, number>;
  /** 1 to 12 */
  readonly months: ReadonlyMap<string, number>;
  /** two, zwanzig, hundred */
  readonly numerals: ReadonlyMap<string, number>;
  /** The article or the word for one, which is a number only beside a unit. */
  readonly one: ReadonlySet<string>;
}

/** The dimensions of the parts of a date. */
export const CALENDAR = {
  year: 'year of the calendar',
  month: 'month of the calendar',
  day: 'day of the month',
};

/** Units of ECMA-402 by dimension. Of the same dimension, values are compared. */
const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  second: { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 },
  month: { month: 1, year: 12 },
  gram: { gram: 1, kilogram: 1_000 },
  pound: { pound: 1 },
  meter: { millimeter: 0.001, centimeter: 0.01, meter: 1, kilometer: 1_000 },
  inch: { inch: 1, foot: 12 },
  mile: { mile: 1 },
  liter: { milliliter: 0.001, liter: 1 },
  percent: { percent: 1 },
  celsius: { celsius: 1 },
  fahrenheit: { fahrenheit: 1 },
  byte: { byte: 1, kilobyte: 1e3, megabyte: 1e6, gigabyte: 1e9, terabyte: 1e12 },
};
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'CNY', 'CHF', 'INR', 'KRW', 'RUB', 'BRL'];
/** Forms that the data of Unicode do not have, or have only in one language. */
const MORE_UNITS: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  元: 'CNY',
  円: 'JPY',
  '%': 'percent',
  '％': 'percent',
  '°': 'celsius',
  kg: 'kilogram',
  g: 'gram',
  mm: 'millimeter',
  cm: 'centimeter',
  m: 'meter',
  km: 'kilometer',
  ml: 'milliliter',
  l: 'liter',
  h: 'hour',
  min: 'minute',
  s: 'second',
  公斤: 'kilogram',
  日: 'day',
  ヶ月: 'month',
  カ月: 'month',
  個月: 'month',
};
const MORE_MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  mn: 1e6,
  mio: 1e6,
  bn: 1e9,
  mrd: 1e9,
  千: 1e3,
  万: 1e4,
  萬: 1e4,
  亿: 1e8,
  億: 1e8,
};
const POWERS = [1e3, 1e4, 1e6, 1e8, 1e9, 1e12];
/** Each plural form of the languages is that of one of these. */
const COUNTS = [1, 2, 5, 11, 100];

/** The words for 2 to 12 (further in English and German), then for 20, 30 … 90, then for 100. */
const NUMERALS: Readonly<Record<Language, readonly [small: string, tens: string, hundred: string]>> = {
  en: [
    'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
    'twenty thirty forty fifty sixty seventy eighty ninety',
    'hundred',
  ],
  de: [
    'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
    'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
    'hundert',
  ],
  fr: [
    'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
    'vingt trente quarante cinquante soixante',
    'cent',
  ],
  es: [
    'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince',
    'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    'cien',
  ],
  it: [
    'due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici',
    'venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
    'cento',
  ],
  pt: [
    'dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze',
    'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
    'cem',
  ],
  ru: [
    'два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
    'двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто',
    'сто',
  ],
  zh: ['', '', ''],
  ja: ['', '', ''],
  ko: ['두 세 네 다섯 여섯 일곱 여덟 아홉 열', '', ''],
  ar: ['اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة', '', ''],
};
const ONE: Readonly<Record<Language, string>> = {
  en: 'a an one',
  de: 'ein eine einem einen einer eines',
  fr: 'un une',
  es: 'un una uno',
  it: 'un una uno',
  pt: 'um uma',
  ru: 'один одна одно одного одной',
  zh: '',
  ja: '',
  ko: '한',
  ar: 'واحد واحدة',
};

const known = new Map<Language, NumberWords>();

/** The words of a language, mostly from the data of Unicode that JavaScript has. Made once: 20 ms. */
export function numberWords(language: Language): NumberWords {
  let words = known.get(language);
  if (words === undefined) {
    const [small, tens, hundred] = NUMERALS[language];
    const numerals = [
      ...keysOf(small).map((key, index) => [key, index + 2] as const),
      ...keysOf(tens).map((key, index) => [key, 10 * index + 20] as const),
      ...keysOf(hundred).map((key) => [key, 100] as const),
    ];
    words = {
      units: unitsOf(language),
      multipliers: multipliersOf(language),
      months: monthsOf(language),
      numerals: new Map(language === 'de' ? [...numerals, ...germanPairs(numerals)] : numerals),
      one: new Set(ONE[language].split(' ')),
    };
    known.set(language, words);
  }
  return words;
}

const SHORT_OR_SEVERAL = /^.{0,3}$|\P{L}/u;

/** A word without its ending, so that "Jahren" is found as "Jahre". Symbols and names of several words stay as they are. */
export function wordKey(word: string): string {
  const lower = word.toLowerCase().replace(/\.$/, '');
  return SHORT_OR_SEVERAL.test(lower) ? lower : (analyze(lower)[0] ?? lower);
}

function keysOf(words: string): string[] {
  return words.split(' ').filter(Boolean).map(wordKey);
}

/** einundzwanzig */
function germanPairs(numerals: readonly (readonly [string, number])[]): [string, number][] {
  const [small, tens, hundred] = NUMERALS.de;
  const ones = ['ein', ...small.split(' ').slice(0, 8)];
  const pairs = tens
    .split(' ')
    .flatMap((ten, index) =>
      ones.map((one, at): [string, number] => [wordKey(`${one}und${ten}`), 10 * index + 21 + at]),
    );
  const hundreds = numerals
    .filter(([, value]) => value < 10)
    .map(([, value]): [string, number] => [
      wordKey(`${small.split(' ')[value - 2] ?? ''}${hundred}`),
      100 * value,
    ]);
  return [...pairs, ...hundreds];
}

function unitsOf(language: Language): Map<string, Unit> {
  const units = new Map<string, Unit>();
  const add = (name: string, unit: Unit): void => {
    // Of "US dollars" and "degrees Celsius", the last word; of "dollars des États-Unis", the first.
    const words = name.split(/\s+/).filter((word) => /\p{Lu}?\p{Ll}{3}|^\P{Ll}+$|^.{1,3}$/u.test(word));
    for (const word of [name, words.at(-1) ?? '', words[0] ?? ''])
      if (word !== '' && !units.has(wordKey(word))) units.set(wordKey(word), unit);
  };
  const byName = new Map<string, Unit>();
  for (const [dimension, members] of Object.entries(UNITS))
    for (const [unit, factor] of Object.entries(members)) byName.set(unit, { dimension, factor });
  for (const currency of CURRENCIES) byName.set(currency, { dimension: currency, factor: 1 });
  const yen = language === 'ja' ? 'JPY' : 'CNY';
  for (const [form, name] of Object.entries({ ...MORE_UNITS, '¥': yen, '￥': yen })) {
    const unit = byName.get(name);
    if (unit !== undefined) units.set(form, unit);
  }
  for (const [name, unit] of byName) {
    const isCurrency = CURRENCIES.includes(name);
    const formats = isCurrency
      ? (['name', 'code'] as const).map((currencyDisplay) => ({
          style: 'currency' as const,
          currency: name,
          currencyDisplay,
        }))
      : (['long', 'short'] as const).map((unitDisplay) => ({
          style: 'unit' as const,
          unit: name,
          unitDisplay,
        }));
    for (const options of formats) {
      const format = new Intl.NumberFormat(language, options);
      for (const count of COUNTS)
        for (const { type, value } of format.formatToParts(count))
          if (type === 'unit' || type === 'currency') add(value, unit);
    }
  }
  return units;
}

function multipliersOf(language: Language): Map<string, number> {
  const multipliers = new Map(Object.entries(MORE_MULTIPLIERS));
  for (const compactDisplay of ['long', 'short'] as const) {
    const format = new Intl.NumberFormat(language, { notation: 'compact', compactDisplay });
    for (const power of POWERS)
      for (const count of [1, 2, 5]) {
        const parts = format.formatToParts(count * power);
        const word = parts.find(({ type }) => type === 'compact')?.value;
        const shown = Number(parts.find(({ type }) => type === 'integer')?.value ?? 1);
        if (word !== undefined && !multipliers.has(wordKey(word)))
          multipliers.set(wordKey(word), (count * power) / shown);
      }
  }
  return multipliers;
}

/** Names of letters: 5月 is none. */
function monthsOf(language: Language): Map<string, number> {
  const names = monthNames(language, [
    { day: 'numeric', month: 'long' },
    { day: 'numeric', month: 'short' },
  ]);
  return new Map(
    names.flatMap((forms, at) =>
      forms.filter((name) => /\p{L}{3}/u.test(name)).map((name) => [name.toLowerCase(), at + 1] as const),
    ),
  );
}
