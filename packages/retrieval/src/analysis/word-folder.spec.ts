import { expect, it } from '@jest/globals';
import { analyze } from './analyzer.js';
import { boundMarks } from './word-folder.js';

const ACUTE = '\u0301';
const BELOW = '\u0316';

it.each<[name: string, text: string, bounded: string]>([
  ['text without marks', 'plain 中文 👨‍👩‍👧'.repeat(200), 'plain 中文 👨‍👩‍👧'.repeat(200)],
  ['a short text', `Z${ACUTE.repeat(1_900)}`, `Z${ACUTE.repeat(1_900)}`],
  ['30 marks', `Z${ACUTE.repeat(30)}`.repeat(100), `Z${ACUTE.repeat(30)}`.repeat(100)],
  ['a pile', `Z${ACUTE.repeat(8_000)}algo`, `Z${ACUTE.repeat(30)}algo`],
  [
    'a pile of marks that have to be sorted',
    `Z${`${ACUTE}${BELOW}`.repeat(4_000)}`,
    `Z${`${ACUTE}${BELOW}`.repeat(15)}`,
  ],
  ['marks outside the basic plane', '\u{1d165}'.repeat(2_000), '\u{1d165}'.repeat(30)],
  ['two piles', `a${ACUTE.repeat(1_000)}b${BELOW.repeat(1_000)}`, `a${ACUTE.repeat(30)}b${BELOW.repeat(30)}`],
])('boundMarks: %s', (_, text, bounded) => {
  expect(boundMarks(text)).toBe(bounded);
});

it('the analyzer reads a word with piled marks', () => {
  expect(analyze(`Z${`${ACUTE}${BELOW}`.repeat(4_000)}algo`)).toEqual(['zalgo']);
});
