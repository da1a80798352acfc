import { MONTH_NAMES, MONTHS } from './months.js';

/** A form that people write in several ways, and its normal form. */
interface Form {
  readonly pattern: RegExp;
  /** A text without it has no match. Default: any text may have one. */
  readonly hint?: RegExp;
  /** Null: the match is no such form. */
  readonly normal: (match: readonly (string | undefined)[]) => string | null;
}

const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const YEAR = String.raw`(?:1[5-9]|20|21)\d{2}`;
const ORDINAL = String.raw`(?:st|nd|rd|th|er|º|\.)?`;
/** Longest first, so that the whole name is found. */
const MONTH = [...MONTHS.keys()].toSorted((a, b) => b.length - a.length).join('|');
const NUMBER = String.raw`\d{1,12}(?:[.,]\d{1,6})?`;

/** Powers of ten by word, in the languages of the product. */
const SCALES = new Map(
  [
    [1e3, 'k thousand tausend tsd тысяч тысячи'],
    [
      1e6,
      'million millions millionen mio millón millones milione milioni milhão milhões млн миллион миллиона миллионов',
    ],
    [
      1e9,
      'billion billions bn milliard milliards milliarde milliarden mrd miliardo miliardi млрд миллиард миллиардов',
    ],
  ].flatMap(([value, words]) =>
    String(words)
      .split(' ')
      .map((word) => [word, Number(value)] as const),
  ),
);
const SCALES_CJK = new Map([
  ['千', 1e3],
  ['万', 1e4],
  ['萬', 1e4],
  ['만', 1e4],
  ['亿', 1e8],
  ['億', 1e8],
  ['억', 1e8],
]);

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/[$＄]|(?<![\p{L}\p{N}])USD(?![\p{L}\p{N}])/gu, 'dollar'],
  [/€|(?<![\p{L}\p{N}])EUR(?![\p{L}\p{N}])/gu, 'euro'],
  [/£|(?<![\p{L}\p{N}])GBP(?![\p{L}\p{N}])/gu, 'pound'],
  [/[¥￥]|(?<![\p{L}\p{N}])JPY(?![\p{L}\p{N}])/gu, 'yen'],
  [
    /%|(?<![\p{L}\p{N}])(?:per cent|prozent|pour cent|por ciento|por cento|per cento)(?![\p{L}\p{N}])/giu,
    'percent',
  ],
  [
    /(?<![\p{L}])(?:sq(?:uare)?\.? ?met(?:er|re)s?|sqm|qm|quadratmetern?|m[èe]tres carrés|metros cuadrados|metri quadri)(?![\p{L}\p{N}])|平方米|平米/giu,
    'm2',
  ],
  [
    /(?<![\p{L}])(?:cubic met(?:er|re)s?|kubikmetern?|m[èe]tres cubes|metros cúbicos)(?![\p{L}\p{N}])|立方米/giu,
    'm3',
  ],
];

const FORMS: readonly Form[] = [
  {
    pattern: new RegExp(String.raw`(?<!\d)(${YEAR})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)`, 'gu'),
    normal: ([, year, month, day]) => date(year, Number(month), Number(day)),
  },
  {
    pattern: new RegExp(String.raw`(?<!\d)(${YEAR})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号號]`, 'gu'),
    normal: ([, year, month, day]) => date(year, Number(month), Number(day)),
  },
  {
    pattern: new RegExp(String.raw`(?<![\d./])(\d{1,2})([./-])(\d{1,2})\2(${YEAR})(?!\d)`, 'gu'),
    normal: ([, first, mark, second, year]) => numericDate(Number(first), mark, Number(second), year),
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d])(${DAY})${ORDINAL}\s{1,3}(?:of |de |do )?(${MONTH})\.?,?\s{1,3}(?:de |do )?(${YEAR})(?!\d)`,
      'giu',
    ),
    normal: ([, day, month, year]) => date(year, MONTHS.get((month ?? '').toLowerCase()), Number(day)),
  },
  {
    // The names of all months are compared at each word, which takes longer than all other patterns.
    hint: new RegExp(String.raw`(?<=\p{L}\.?\s{1,3})${DAY}(?:st|nd|rd|th)?,?\s{1,3}${YEAR}(?!\d)`, 'iu'),
    pattern: new RegExp(
      String.raw`(?<!\p{L})(${MONTH})\.?\s{1,3}(${DAY})(?:st|nd|rd|th)?,?\s{1,3}(${YEAR})(?!\d)`,
      'giu',
    ),
    normal: ([, month, day, year]) => date(year, MONTHS.get((month ?? '').toLowerCase()), Number(day)),
  },
  {
    pattern: new RegExp(String.raw`(?<=[$€£] ?)(${NUMBER}) ?m(?![\p{L}\d])`, 'giu'),
    normal: ([, number]) => scaled(number, 1e6),
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d.,])(${NUMBER})[ -]?(${[...SCALES.keys()].join('|')})(?![\p{L}\d])\.?`,
      'giu',
    ),
    normal: ([, number, word = '']) => scaled(number, SCALES.get(word.toLowerCase())),
  },
  {
    pattern: new RegExp(String.raw`(?<![A-Za-z\d.,])(${NUMBER})(${[...SCALES_CJK.keys()].join('|')})`, 'gu'),
    normal: ([, number, word = '']) => scaled(number, SCALES_CJK.get(word)),
  },
  {
    // 24 000, 1'800'000. Spaces also separate the numbers of a row, so that both readings are indexed.
    pattern: /(?<![\d.,]|\d[ '’])\d{1,3}(?:[ '’]\d{3}){1,4}(?![\d]|[ '’.,]\d)/gu,
    normal: ([grouped = '']) => grouped.replaceAll(/[ '’]/gu, ''),
  },
  ...WORDS.map(([pattern, word]): Form => ({ pattern, normal: () => word })),
];
const MAY_HAVE_FORM =
  /[\d$€£¥%]|(?:EUR|USD|GBP|JPY|per cent|prozent|pour cent|por cien|por cent|per cent|平方|平米|立方)/iu;

/** The normal forms of the dates, amounts and units of a text instead of what the text has. */
export function inNormalForms(text: string): string {
  return replaceForms(text, (_, normal) => ` ${normal} `);
}

/** A text with the normal forms of its dates, amounts and units beside what it has. */
export function withNormalForms(text: string): string {
  return replaceForms(text, (found, normal) => (normal === found ? found : `${found} ${normal} `));
}

function replaceForms(text: string, replace: (found: string, normal: string) => string): string {
  if (!MAY_HAVE_FORM.test(text)) return text;
  let replaced = text;
  for (const { pattern, hint, normal } of FORMS) {
    if (hint !== undefined && !hint.test(replaced)) continue;
    replaced = replaced.replace(pattern, (...match: string[]) => {
      const found = match[0] ?? '';
      const form = normal(match);
      return form === null ? found : replace(found, form);
    });
  }
  return replaced;
}

/** Year, English name of the month, and the date as `20240704`. Null if there is no such day. */
function date(year: string | undefined, month: number | undefined, day: number): string | null {
  const [name] = MONTH_NAMES[0]?.[(month ?? 0) - 1] ?? [];
  if (name === undefined || day < 1 || day > 31) return null;
  return `${year} ${name} ${year}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}`;
}

/** A day stands first before full stops; else, both orders are read where both are dates. */
function numericDate(
  first: number,
  mark: string | undefined,
  second: number,
  year: string | undefined,
): string | null {
  const dayFirst = date(year, second, first);
  const monthFirst = mark === '.' || first === second ? null : date(year, first, second);
  if (dayFirst === null || monthFirst === null) return dayFirst ?? monthFirst;
  return [year, dayFirst.slice(-8), monthFirst.slice(-8)].join(' ');
}

/** Null for three decimals, which may be a group of digits. */
function scaled(number = '', factor = 1): string | null {
  if (/[.,]\d{3}$/.test(number)) return null;
  return String(Math.round(Number(number.replace(',', '.')) * factor));
}
