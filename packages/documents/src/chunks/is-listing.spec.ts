import { describe, expect, it } from '@jest/globals';
import { isListing } from './is-listing.js';

const CONTENTS = [
  '1 Introduction … 1',
  '1.1 Numbers … 2',
  '1.2 Strings ........ 14',
  '2 Plots . . . . 31',
  '2.1 Lines … 32',
];
const INDEX = ['colour, of a line, 31', 'figures, 12, 14–16', 'lines, 31, 33', 'plots, 12', 'strings, 14'];
const PROSE = [
  'The package was written in 1998, 1999',
  'and again later. It has two parts.',
  'See chapter 3.',
  'a',
  'b',
];
const TABLE = ['1 2 3', '4 5 6', '7 8 9', '10 11 12', '13 14 15'];

describe('isListing', () => {
  it.each([
    ['a table of contents', CONTENTS, true],
    ['an index', INDEX, true],
    ['a table of contents with a heading', ['Table of Contents', '', ...CONTENTS], true],
    ['a short list', CONTENTS.slice(0, 4), false],
    ['prose', PROSE, false],
    ['a table of numbers', TABLE, false],
    ['nothing', [], false],
  ])('recognizes %s', (_, lines, expected) => expect(isListing(lines.join('\n'))).toBe(expected));

  it('is linear in the length of a line', () => {
    expect(isListing(Array(5).fill('a.'.repeat(500_000)).join('\n'))).toBe(false);
  });
});
