import { describe, expect, it } from '@jest/globals';
import { formatNumber, systemOf } from './number-text.js';

describe('formatNumber', () => {
  it.each<[system: string, ...numbers: (readonly [value: number, text: string])[]]>([
    ['lowerLetter', [1, 'a'], [27, 'aa'], [781, '781']],
    ['upperRoman', [4, 'IV'], [1949, 'MCMXLIX'], [0, '0'], [5001, '5001']],
    ['decimalZero', [7, '07'], [12, '12']],
    ['001', [7, '007'], [1234, '1234']],
    ['ordinal', [1, '1st'], [2, '2nd'], [11, '11th'], [23, '23rd']],
    [
      'chineseCountingThousand',
      [1, '一'],
      [10, '十'],
      [11, '十一'],
      [20, '二十'],
      [100, '一百'],
      [105, '一百零五'],
      [110, '一百一十'],
      [1005, '一千零五'],
      [12_345, '12345'],
    ],
    ['taiwaneseCounting', [21, '二十一']],
    ['japaneseCounting', [1, '一'], [10, '十'], [111, '百十一'], [205, '二百五']],
    ['koreanCounting', [12, '십이']],
    ['chineseLegalSimplified', [10, '壹拾'], [21, '贰拾壹']],
    ['ideographTraditional', [10, '癸'], [11, '11']],
    ['decimalEnclosedCircleChinese', [20, '⑳'], [21, '21']],
    ['decimalFullWidth', [10, '１０']],
    ['hebrew1', [15, 'טו'], [121, 'קכא']],
    ['russianUpper', [2, 'Б'], [30, 'АА']],
    ['aiueoFullWidth', [2, 'イ']],
    ['none', [3, '']],
    ['cardinalText', [3, '3']],
    ['constructor', [3, '3']],
  ])('writes numbers of the system %s', (system, ...numbers) => {
    expect(numbers.map(([value]) => formatNumber(value, system))).toEqual(numbers.map(([, text]) => text));
  });
});

describe('systemOf', () => {
  it.each([
    ['1', 'decimal'],
    ['i', 'lowerRoman'],
    ['01, 02, 03, ...', 'decimalZero'],
    ['一, 二, 三, ...', 'chineseCounting'],
    ['甲, 乙, 丙, ...', 'ideographTraditional'],
    ['', undefined],
    ['Native Numbering', undefined],
  ])('finds the system of %j', (sample, system) => expect(systemOf(sample)).toBe(system));
});
