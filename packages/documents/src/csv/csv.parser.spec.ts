import { describe, expect, it } from '@jest/globals';
import { outline, parse } from '../test-files/parse.js';

const ROWS: readonly (readonly [what: string, csv: string, text: string])[] = [
  ['commas', 'a,b\r\n1,2\r\n', 'a | b\n1 | 2'],
  ['semicolons with decimal commas', 'name;price\nx;1,5\ny;2,5', 'name | price\nx | 1,5\ny | 2,5'],
  ['tabs', 'a\tb\n1\t2', 'a | b\n1 | 2'],
  ['bars', 'a|b\n1|2', 'a | b\n1 | 2'],
  ['quoted newlines and delimiters', 'a,b\n"1\n2","x, ""y"""', 'a | b\n1 2 | x, "y"'],
  ['ragged rows', 'a,b,c\n1\n1,2,3,4', 'a | b | c\n1\n1 | 2 | 3 | 4'],
  ['one column', 'name\nAda\nBob', 'name\nAda\nBob'],
  ['a quote that never closes', 'a,b\n"1,2\n3,4', 'a | b\n"1 | 2\n3 | 4'],
  ['a quote inside of a field', 'a,b\n5" disk,x', 'a | b\n5" disk | x'],
  ['carriage returns', 'a,b\r1,2', 'a | b\n1 | 2'],
];

describe('csvParser', () => {
  for (const [what, csv, text] of ROWS) {
    it(`reads ${what}`, async () => expect(outline(await parse(csv, 'text/csv'))).toEqual([['table', text]]));
  }

  it('detects whether there is a header row', async () => {
    const [named] = (await parse('id,name\n1,x', 'text/csv')).blocks;
    expect(named?.headerEnd).toBe('id | name'.length);
    const [unnamed] = (await parse('1,2\n3,4', 'text/csv')).blocks;
    expect(unnamed?.headerEnd).toBeUndefined();
  });

  it('refuses more columns than Excel has, with the reason', async () => {
    const row = (columns: number): string => Array.from({ length: columns }, (_, n) => `c${n}`).join();
    expect((await parse(row(16_384), 'text/csv')).blocks).toHaveLength(1);
    await expect(parse(`a,b\n${row(16_385)}`, 'text/csv')).rejects.toMatchObject({
      code: 'TOO_COMPLEX',
      userMessage: expect.stringContaining('16,384 columns'),
    });
  });
});
