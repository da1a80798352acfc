import { describe, expect, it } from '@jest/globals';
import { dateParts, dateValue, type DayOrder, timeValue } from './read-date.js';
import { type DecimalMark, numberParts, readingOf, valueOf } from './read-number.js';

describe('numberParts', () => {
  it.each<[text: string, digits: string, currency: string | null, unit: string, isNegative?: true]>([
    ['1078', '1078', null, ''],
    ['-5', '5', null, '', true],
    ['−5,25', '5,25', null, '', true],
    ['(1,234.50)', '1,234.50', null, '', true],
    ['120-', '120', null, '', true],
    ['.5', '.5', null, ''],
    ['1.2e-5', '1.2e-5', null, ''],
    ['1.234,56 €', '1.234,56', 'EUR', ''],
    ['€1,234.56', '1,234.56', 'EUR', ''],
    ['-$5', '5', '$', '', true],
    ['$-5', '5', '$', '', true],
    ['US$ 12', '12', 'USD', ''],
    ['CHF 1’234.50', '1’234.50', 'CHF', ''],
    ['12 000 zł', '12 000', 'PLN', ''],
    ['¥500', '500', '¥', ''],
    ['3,2 Mio. €', '3,2', 'EUR', 'Mio.'],
    ['$1.2M', '1.2', '$', 'M'],
    ['12.5 %', '12.5', null, '%'],
    ['12 kg', '12', null, 'kg'],
    ['42[1]', '42', null, ''],
    ['42*', '42', null, ''],
  ])('divides %s', (text, digits, currency, unit, ...negative) => {
    expect(numberParts(text)).toEqual({ digits, currency, unit, isNegative: negative[0] ?? false });
  });

  it.each([
    'N-1078',
    'Q1',
    'Room 5',
    '3-2',
    '1/2',
    '5–7',
    '+49301234567',
    '12 (est.)',
    '12345678901234567',
    '2 adults and 3 children',
    '(5',
    'x'.repeat(100),
    'none',
    '',
  ])('does not read %j', (text) => {
    expect(numberParts(text)).toBeNull();
  });

  it.each<[digits: string, reading: string, dot: number | null, comma: number | null]>([
    ['1234', 'same', 1234, 1234],
    ['1 234', 'same', 1234, 1234],
    ['1.234', 'either', 1.234, 1234],
    ['1,234', 'either', 1234, 1.234],
    ['1.5', '.', 1.5, null],
    ['1,5', ',', null, 1.5],
    ['1.234,56', ',', null, 1234.56],
    ['1,234.56', '.', 1234.56, null],
    ['1.234.567', ',', null, 1234567],
    ["1'234.5", '.', 1234.5, null],
    ['12,34,567', '.', 1234567, null],
    ['0.123', '.', 0.123, null],
    ['0,123', ',', null, 0.123],
    ['1.2.3', 'none', null, null],
    ['1,23,4', 'none', null, null],
    ['1234.567', '.', 1234.567, null],
  ])('reads %s with either mark', (digits, reading, dot, comma) => {
    expect(readingOf(digits)).toBe(reading);
    const values = (['.', ','] satisfies DecimalMark[]).map((mark) => valueOf(digits, mark));
    expect(values).toEqual([dot, comma]);
  });
});

describe('dateParts', () => {
  it.each<[text: string, value: string | null, order?: DayOrder]>([
    ['2026-05-03', '2026-05-03'],
    ['2026/5/3 14:05', '2026-05-03 14:05:00'],
    ['2026-05-03T14:05:09.123Z', '2026-05-03 14:05:09'],
    ['3.5.2026', '2026-05-03'],
    ['03.05.26', '2026-05-03'],
    ['03/04/2026', '2026-04-03', 'day first'],
    ['03/04/2026', '2026-03-04', 'month first'],
    ['12/31/99 11:30 PM', '1999-12-31 23:30:00', 'month first'],
    ['31/12/1999', null, 'month first'],
    ['3 May 2026', '2026-05-03'],
    ['3. Mai 2026', '2026-05-03'],
    ['Mar 3, 2026', '2026-03-03'],
    ['Sunday, May 3, 2026', '2026-05-03'],
    ['03-May-26', '2026-05-03'],
    ['3 août 2026', '2026-08-03'],
    ['3 de mayo de 2026', '2026-05-03'],
    ['3 мая 2026', '2026-05-03'],
    ['2026年5月3日', '2026-05-03'],
    ['May 2026', '2026-05-01'],
    ['2026-05', '2026-05-01'],
    ['30 February 2026', null],
    ['2026-13-01', null],
    ['03-05-26', null],
    ['May', null],
    ['3 cats 2026', null],
    ['1.2.3', null],
    ['2026', null],
    ['99/99/2026', null],
  ])('reads %s', (text, value, order = 'day first') => {
    const parts = dateParts(text);
    expect(parts === null ? null : dateValue(parts, order)).toBe(value);
  });

  it.each([
    ['14:05', '14:05:00'],
    ['2:05 pm', '14:05:00'],
    ['12:00 AM', '00:00:00'],
    ['7 p.m.', '19:00:00'],
    ['1:46.50', '00:01:46.50'],
    ['37:30', null],
    ['13:00 pm', null],
    ['14', null],
  ])('reads the time %s', (text, value) => {
    expect(timeValue(text)).toBe(value);
  });
});
