import { describe, expect, it } from '@jest/globals';
import { withoutMarkdown } from './without-markdown.js';

describe('withoutMarkdown', () => {
  it.each([
    ['# Lamp\n\n## Warranty ##', 'Lamp\n\nWarranty ##'],
    ['- one\n* two\n  + > three\n1. four', 'one\ntwo\nthree\n1. four'],
    ['**Two** *years*, ***really***', 'Two years, really'],
    ['`npm start` and ``a`', 'npm start and a'],
    ['See [the manual](https://a.example/b) [1].', 'See the manual [1].'],
    ['2 * 3 * 4, 2**8 and 3**8, a*b*c, file_name', '2 * 3 * 4, 2**8 and 3**8, a*b*c, file_name'],
    ['#1 of C# - and -5 degrees', '#1 of C# - and -5 degrees'],
    ['**unfinished', '**unfinished'],
  ])('shows %j', (text, shown) => {
    expect(withoutMarkdown(text)).toBe(shown);
  });
});
