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
  [
    'a quote that never closes, and quotes after it',
    'a,b\n"1,2\n3,"x\ny"\n5,6',
    'a | b\n"1 | 2\n3 | x y\n5 | 6',
  ],
  [
    'a quote that never closes before quoted lines',
    'a,b\n1,"x\n"2","y"\n"3","z"',
    'a | b\n1 | "x\n2 | y\n3 | z',
  ],
  ['single quotes in a quoted field', 'a,b\n"the "new" one",2', 'a | b\nthe "new" one | 2'],
  ['escaped quotes', 'a,b\n"\\"x\\"","y, z"\n"\\\\",""', 'a | b\n"x" | y, z\n\\'],
  ['a backslash before a closing quote', 'a,b\n"C:\\","y, z"\n"1","2"', 'a | b\nC:\\ | y, z\n1 | 2'],
  ['spaces around quotes', 'a, b\n"1" , "x, y"', 'a | b\n1 | x, y'],
  ['a line that names the delimiter', 'sep=;\r\nname;price, net\r\nx;1,5', 'name | price, net\nx | 1,5'],
  ['a quoted line that names the delimiter', '"sep=\t"\na\tb\n1\t2', 'a | b\n1 | 2'],
  ['an unusual delimiter that is named', '\ufeffSEP=^\na^b\n1^2,3', 'a | b\n1 | 2,3'],
  ['a line that names no delimiter', 'sep=\r\na;b\r\n1;2', 'a | b\n1 | 2'],
  ['a delimiter that is named in one column', 'sep=,\nname\nAda', 'name\nAda'],
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

  it.each([
    ['a title', 'Sales report\n\nCity,Units,Price\nOslo,1,2\nRome,3,4', [['paragraph', 'Sales report']]],
    [
      'lines with a name and a value',
      'Report;2026\nBy;Ada\n\nCity;Units;Price;Sum\nOslo;1;2;3\nRome;3;4;5',
      [['paragraph', 'Report | 2026\nBy | Ada']],
    ],
    ['no line above', 'City,Units,Price\nOslo,1,2\nRome\n', []],
    ['no header', 'x\n1,2,3\n4,5,6', []],
  ])('reads tables with %s above the header', async (_what, csv, above) => {
    const blocks = outline(await parse(csv, 'text/csv'));
    expect(blocks.slice(0, -1)).toEqual(above);
    expect(blocks.at(-1)?.[0]).toBe('table');
  });

  it('reads many quotes that never close in linear time', async () => {
    const { text } = await parse('x,"y z"w\n'.repeat(40_000), 'text/csv');
    expect(text.split('\n')).toHaveLength(40_000);
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
