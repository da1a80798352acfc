import { expect, it } from '@jest/globals';
import type { Language } from '../question/function-words.js';
import { readQuantities } from './read-quantities.js';

/** Each quantity as its values and its dimension. */
function read(text: string, language: Language): string[] {
  return readQuantities(text, language).map(({ values, dimension }) =>
    `${values.join(' or ')} ${dimension}`.trim(),
  );
}

const DATE = ['2024 year of the calendar', '7 month of the calendar', '4 day of the month'];

it.each<[Language, string[], string[]]>([
  ['en', ['1,800,000', '1.8 million', '1 800 000', '1.800.000'], ['1800000']],
  ['en', ['$24k', '24 000 dollars', 'USD 24 000', '$24 thousand'], ['24000 USD']],
  ['en', ['24 months', 'two years', '24-month', 'twenty-four months'], ['24 month']],
  ['en', ['4 July 2024', '2024-07-04', 'July 4th, 2024', '4.7.2024'], DATE],
  ['en', ['17:30', '5:30 pm', '5:30 p.m.'], ['1050 time of day']],
  ['en', ['1.5 kg', '1500 g', '1,500.0 grams'], ['1500 gram']],
  ['de', ['1,8 Mio. Euro', '1.800.000 €', '1,8 Millionen Euro'], ['1800000 EUR']],
  ['de', ['21 Tage', 'einundzwanzig Tagen', 'drei Wochen'], ['1814400 second']],
  ['de', ['4. Juli 2024', '04.07.2024'], DATE],
  ['fr', ['1 200 euros', '1200 €', '1,2 mille euros'], ['1200 EUR']],
  ['es', ['20 %', '20 por ciento', 'veinte por ciento'], ['20 percent']],
  ['ru', ['2,5 тысячи рублей', '2500 рублей'], ['2500 RUB']],
  ['zh', ['180万元', '1800000元'], ['1800000 CNY']],
  ['zh', ['25天', '二十五天'], ['2160000 second']],
  ['zh', ['2024年7月4日', '2024-07-04'], DATE],
  ['ja', ['12ヶ月', '12か月'], ['12 month']],
  ['ko', ['5만 원', '50000원'], ['50000 KRW']],
])('reads the same in %s: %j', (language, texts, quantities) => {
  expect(texts.map((text) => read(text, language))).toEqual(
    texts.map(() => expect.arrayContaining(quantities.map((one) => expect.stringContaining(one)))),
  );
});

it('keeps both readings of an ambiguous number', () => {
  expect(read('1.800', 'en')).toEqual(['1800 or 1.8']);
  expect(read('04/07/2024', 'en')).toEqual([
    '2024 year of the calendar',
    '7 or 4 month of the calendar',
    '4 or 7 day of the month',
  ]);
});

it('reads no numbers in identifiers, versions and words', () => {
  expect(read('The KX200B has version 1.2.3, and may march on.', 'en')).toEqual([]);
  expect(read('三峡在四川以东。', 'zh')).toEqual([]);
});

it('lets "a week" support one week, and claim nothing', () => {
  expect(readQuantities('a week', 'en')).toMatchObject([{ values: [604_800], isClaim: false }]);
});
