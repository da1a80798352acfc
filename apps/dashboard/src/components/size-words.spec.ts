import { expect, it } from '@jest/globals';
import { sizeWords } from './size-words.js';

it('sizeWords chooses the unit', () => {
  expect([0, 900, 3_400, 999_900, 12_345_678, 5e9].map((bytes) => sizeWords(bytes, 'en'))).toEqual([
    '0 kB',
    '0.9 kB',
    '3.4 kB',
    '1 MB',
    '12 MB',
    '5 GB',
  ]);
});
