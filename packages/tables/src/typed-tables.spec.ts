import { describe, expect, it } from '@jest/globals';
import type { TableDocument } from './table-source.js';
import { typedTables, type TypedTableOptions } from './typed-tables.js';

/** @param lines of one table, with `|` between cells; the first is the header if `hasHeader` */
function documentOf(
  lines: string,
  { hasHeader = true, language = null as string | null } = {},
): TableDocument {
  const text = lines
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .join(' | ')
        .replace(/[ |]+$/, '')
        .trimStart(),
    )
    .join('\n');
  const headerEnd = hasHeader ? { headerEnd: text.indexOf('\n') } : {};
  return {
    text,
    language,
    blocks: [{ kind: 'table', start: 0, end: text.length, headingPath: [], ...headerEnd }],
  };
}

function tableOf(lines: string, options: Parameters<typeof documentOf>[1] & Partial<TypedTableOptions> = {}) {
  const document = documentOf(lines, options);
  const [table] = [...typedTables(document, { isSpreadsheet: true, delimiter: 'tab', ...options })].map(
    (each) => ({
      ...each,
      rows: [...each.rows],
    }),
  );
  if (table === undefined) throw new Error('no table');
  return {
    ...table,
    text: document.text,
    values: table.rows.map(({ cells }) => cells.map(({ value }) => value)),
  };
}

const typesOf = (lines: string, options?: Parameters<typeof tableOf>[1]) =>
  tableOf(lines, options).columns.map(({ type }) => type);

const column = (...cells: string[]) =>
  `Name | X\n${cells.map((cell, index) => `row ${'abcdefgh'.charAt(index)} | ${cell}`).join('\n')}`;
const valuesOf = (...cells: string[]) => {
  const { columns, values } = tableOf(column(...cells));
  return [columns[1]?.type, ...values.map(([, value]) => value)];
};

describe('the type of a column', () => {
  it('has no value for one of ten cells that reads differently, and for few numbers with another unit', () => {
    const years = Array.from({ length: 24 }, (_, at) => String(1990 + at));
    const read = (...cells: string[]) => {
      const { columns, values } = tableOf(`X\n${cells.join('\n')}`);
      return [columns[0]?.type, columns[0]?.unit, columns[0]?.unreadCells, values.at(-1)?.[0]];
    };
    expect(read(...years.slice(0, 9), '1999-2000')).toEqual(['number', undefined, 1, null]);
    expect(read(...years.slice(0, 8), '1999-2000')).toEqual(['text', undefined, undefined, '1999-2000']);
    expect(read(...years, '500 BC')).toEqual(['number', undefined, 1, null]);
    expect(read(...years.map((year) => `${year} kg`), '500 lb')).toEqual(['number', 'kg', 1, null]);
    // It may be in another unit: 900000 beside 1.2M.
    expect(read(...years.map((year) => `${year} kg`), '500')).toEqual(['number', 'kg', 1, null]);
    const { columns, values } = tableOf('Share (%)\n5\n7.5\n12');
    expect([columns[0]?.type, ...values.flat()]).toEqual(['percent', 5, 7.5, 12]);
    expect(read('1 kg', '2 lb', '3 kg')).toEqual(['text', undefined, undefined, '3 kg']);
  });

  it.each<[cells: string[], expected: unknown[]]>([
    [
      ['1', '2', '30'],
      ['number', 1, 2, 30],
    ],
    [
      ['1.5', '1,234.5', '-3'],
      ['number', 1.5, 1234.5, -3],
    ],
    [
      ['1,5', '1.234,5', '3'],
      ['number', 1.5, 1234.5, 3],
    ],
    [
      ['1.234', '2,5'],
      ['number', 1234, 2.5],
    ],
    [
      ['1.234', '2.5'],
      ['number', 1.234, 2.5],
    ],
    [
      ['1,234', '12'],
      ['number', 1234, 12],
    ],
    [
      ['1.234', '2.345'],
      ['text', '1.234', '2.345'],
    ],
    [
      ['1.234', '23456'],
      ['number', 1.234, 23456],
    ],
    [
      ['1.234', '12', '2.345'],
      ['number', 1234, 12, 2345],
    ],
    [
      ['20260131', '20251224', '20260201'],
      ['date', '2026-01-31', '2025-12-24', '2026-02-01'],
    ],
    [
      ['20260131', '20251324', '20260201'],
      ['number', 20260131, 20251324, 20260201],
    ],
    [
      ['1.', '2.', '3.'],
      ['number', 1, 2, 3],
    ],
    [
      ['3000 m st.', '3000 m st.', 'Short race'],
      ['text', '3000 m st.', '3000 m st.', 'Short race'],
    ],
    [
      ['7 p.m.', '3:30 p.m.'],
      ['time', '19:00:00', '15:30:00'],
    ],
    [
      ['1:46.50', '2:03.9'],
      ['time', '00:01:46.50', '00:02:03.9'],
    ],
    [
      ['11/09/2013*', '12/31/2013', '1 May 2014[2]'],
      ['date', '2013-11-09', '2013-12-31', '2014-05-01'],
    ],
    [
      ['9780141439587', '9780441013593'],
      ['text', '9780141439587', '9780441013593'],
    ],
    [
      ['00123', '4567'],
      ['text', '00123', '4567'],
    ],
    [
      ['2019', '2020'],
      ['number', 2019, 2020],
    ],
    [
      ['2019', '199,991', '101,355'],
      ['number', 2019, 199991, 101355],
    ],
    [
      ['12', 'n/a', '15', '–', ''],
      ['number', 12, null, 15, null, null],
    ],
    [
      ['12', '12 (est.)', '15'],
      ['text', '12', '12 (est.)', '15'],
    ],
    [
      ['12 kg', '15 kg'],
      ['number', 12, 15],
    ],
    [
      ['12 kg', '15 lb'],
      ['text', '12 kg', '15 lb'],
    ],
    [
      ['12 %', '7,5 %'],
      ['percent', 12, 7.5],
    ],
    [
      ['€ 5', '1.000,50 €'],
      ['money', 5, 1000.5],
    ],
    [
      ['(5.00)', '$7.00'],
      ['money', -5, 7],
    ],
    [
      ['03/04/2026', '13/04/2026'],
      ['date', '2026-04-03', '2026-04-13'],
    ],
    [
      ['03/04/2026', '04/13/2026'],
      ['date', '2026-03-04', '2026-04-13'],
    ],
    [
      ['03/04/2026', '05/06/2026'],
      ['text', '03/04/2026', '05/06/2026'],
    ],
    [
      ['13/04/2026', '04/13/2026'],
      ['text', '13/04/2026', '04/13/2026'],
    ],
    [
      ['3.4.2026', '5. Mai 2026'],
      ['date', '2026-04-03', '2026-05-05'],
    ],
    [
      ['2026-05-01 10:00', '2026-05-02'],
      ['date', '2026-05-01 10:00:00', '2026-05-02'],
    ],
    [
      ['9:30', '14:05'],
      ['time', '09:30:00', '14:05:00'],
    ],
    [
      ['+49301234567', '+4989999999'],
      ['text', '+49301234567', '+4989999999'],
    ],
    [
      ['3-2', '1-0'],
      ['text', '3-2', '1-0'],
    ],
    [
      ['yes', 'no'],
      ['text', 'yes', 'no'],
    ],
    [
      ['', ''],
      ['text', null, null],
    ],
  ])('is decided from %j', (cells, expected) => {
    expect(valuesOf(...cells)).toEqual(expected);
  });

  it('has the currency of all cells, and no currency if they differ', () => {
    expect(tableOf(column('5 €', '7 EUR')).columns[1]).toMatchObject({ type: 'money', currency: 'EUR' });
    expect(tableOf(column('$5', '$7')).columns[1]).toMatchObject({ currency: '$' });
    const mixed = tableOf(column('5 €', '7 USD'));
    expect(mixed.columns[1]).toEqual({ name: 'X', type: 'money', currency: null, mixedCurrencies: true });
    expect(mixed.values.map(([, value]) => value)).toEqual([5, 7]);
  });

  it('is shown by its name, too', () => {
    expect(tableOf('A | Net (EUR) | Share %\nx | 5 | 1\ny | 6 | 2').columns.slice(1)).toMatchObject([
      { type: 'money', currency: 'EUR' },
      { type: 'percent' },
    ]);
  });

  it('counts cells that do not read as the type', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `${index} | ${index === 7 ? '7 or 8' : index}`);
    expect(tableOf(`A | B\n${lines.join('\n')}`).columns[1]).toMatchObject({
      type: 'number',
      unreadCells: 1,
    });
  });

  it('follows other columns, the delimiter and the language where the cells do not tell', () => {
    const amounts = 'A | B\n1.234 | 1,5\n2.345 | 2,5';
    expect(tableOf(amounts).values[0]).toEqual([1234, 1.5]);
    const alone = 'Name | B\nx | 1.234\ny | 2.345';
    expect(tableOf(alone, { delimiter: ';' }).columns[1]?.type).toBe('text');
    expect(tableOf(alone, { delimiter: ',' }).values[0]?.[1]).toBe(1.234);
    expect(tableOf(alone, { language: 'de-AT' }).values[0]?.[1]).toBe(1234);
    expect(tableOf(alone, { language: 'en' }).values[0]?.[1]).toBe(1.234);
    const dates = 'A | B\n03/04/2026 | 13/04/2026\n05/06/2026 | 01/01/2026';
    expect(tableOf(dates).values[0]).toEqual(['2026-04-03', '2026-04-13']);
  });
});

describe('the header', () => {
  it.each<[title: string, lines: string, hasHeader: boolean, names: string[]]>([
    ['is marked', 'A | B\nx | y', true, ['A', 'B']],
    ['is missing', 'x | 1\ny | 2', false, ['Column 1', 'Column 2']],
    ['is marked, but has values', 'x | 1\ny | 2\nz | 3', true, ['Column 1', 'Column 2']],
    [
      'is not marked, but differs from the values',
      ' | A | A\nx | 1 | 3\ny | 2 | 4',
      false,
      ['Column 1', 'A', 'A 2'],
    ],
    ['has years', 'Land | 2019 | 2020\nx | 10 | 3\ny | 20 | 4', false, ['Land', '2019', '2020']],
    [
      'has years above texts',
      'Name | 1989 | 1990\nParis | 1R | 2R\nRome | 3R | A',
      false,
      ['Name', '1989', '1990'],
    ],
    ['has several rows, joined', '2019 / Q1 | 2019 / Q2\n1 | 2\n3 | 4', true, ['2019 / Q1', '2019 / Q2']],
  ])('%s', (_title, lines, hasHeader, names) => {
    expect(tableOf(lines, { hasHeader }).columns.map(({ name }) => name)).toEqual(names);
  });
});

describe('totals', () => {
  it.each<[title: string, lines: string, totals: number[]]>([
    ['a sum with a name', 'A | N\nx | 1\ny | 2\nTotal | 3', [3]],
    ['a sum in another language', 'A | N\nx | 10,5\ny | 20,5\nGesamtsumme | 31,0', [3]],
    [
      'a name with an empty cell',
      'A | N | D\nx | 1 | a\ny | 2 | b\nz | 3 | c\nt | 4 | d\nu | 5 | e\nv | 6 | f\nw | 7 | g\nq | 8 | h\nr | 9 | i\nTotal | 46 |',
      [10],
    ],
    [
      'partial sums and the whole',
      'A | N\nx | 1\ny | 2\nSubtotal | 3\nz | 4\nw | 5\nSubtotal | 9\nTotal | 12',
      [3, 6, 7],
    ],
    ['a sum without a name', 'A | N\nx | 100\ny | 250\n | 350', [3]],
    ['an average', 'A | N\nx | 1\ny | 2\nz | 6\nAverage | 3', [4]],
    ['a row that is a sum by chance', 'A | N\nx | 1\ny | 2\nz | 3', []],
    ['a customer of that name', 'A | N\nx | 100\nTotal Energies | 250\ny | 30', []],
    ['percent', 'A | N | P\nx | 10 | 25 %\ny | 30 | 75 %\nTotal | 40 | 100 %', [3]],
  ])('%s', (_title, lines, totals) => {
    const { rows } = tableOf(lines);
    expect(rows.flatMap(({ isTotal }, index) => (isTotal ? [index + 1] : []))).toEqual(totals);
  });
});

describe('rows', () => {
  it('have their places in the text', () => {
    const { rows, text } = tableOf('A | B\nx | 1\n | 2\ny');
    expect(rows.map(({ from, to, number }) => [text.slice(from, to), number])).toEqual([
      ['x | 1', 2],
      ['| 2', 3],
      ['y', 4],
    ]);
    expect(rows.map(({ cells }) => cells.map((cell) => cell.text))).toEqual([
      ['x', '1'],
      ['', '2'],
      ['y', ''],
    ]);
  });

  it('have the contents that the file has', () => {
    const document = documentOf('A | B | C | D\nx | 1,235 | 13 % | May-26\ny | 7 | 14 % | Jun-26');
    const contents = [
      undefined,
      [undefined, 1234.56, 0.125, '2026-05-01'],
      [undefined, null, 0.14, '2026-06-01'],
    ];
    const tables = new Map([
      [0, { divided: new Map([[2, ['y | z', '7', '14 %', 'Jun-26']]]), contents, numbers: [3, 4, 8] }],
    ]);
    const [table] = typedTables({ ...document, tables }, { isSpreadsheet: true });
    const rows = [...(table?.rows ?? [])];
    expect(rows.map(({ cells }) => cells.map(({ value }) => value))).toEqual([
      ['x', 1234.56, 12.5, '2026-05-01'],
      ['y | z', null, 14, '2026-06-01'],
    ]);
    expect(rows.map(({ number }) => number)).toEqual([4, 8]);
  });
});

it('has tables beside each other apart, and no empty columns', () => {
  const lines = ' | A | B | | | Land | Area |\n | x | 1 | | | Laos | 10\n | y | 2\n | z | 3 | | | Mali | 20';
  const tables = [...typedTables(documentOf(lines), { isSpreadsheet: true, delimiter: ';' })];
  const shown = tables.map(({ columns, rows }) => ({
    names: columns.map(({ name, type }) => `${name}: ${type}`),
    rows: [...rows].map(({ number, cells }) => [number, ...cells.map(({ value }) => value)]),
  }));
  expect(shown).toEqual([
    {
      names: ['A: text', 'B: number'],
      rows: [
        [2, 'x', 1],
        [3, 'y', 2],
        [4, 'z', 3],
      ],
    },
    {
      names: ['Land: text', 'Area: number'],
      rows: [
        [2, 'Laos', 10],
        [4, 'Mali', 20],
      ],
    },
  ]);
});

it('has the records of a JSON file', () => {
  const record = (index: number, ...lines: string[]) =>
    lines.map((line) => `users[${index}]${line}`).join('\n');
  const texts = [0, 1, 2, 3, 4].map((index) =>
    record(index, '.id: 0012', `.note: a: ${index}`, `.pay.net: ${index === 2 ? 'null' : `${index}.125`}`),
  );
  const text = `version: 3\n\n${texts.join('\n\n')}\nand more\nfew[0].n: 1`;
  const block = { kind: 'paragraph', start: 0, end: text.length, headingPath: [] };
  const tables = [
    ...typedTables({ text, language: 'de', blocks: [block] }, { isSpreadsheet: false, hasRecords: true }),
  ];
  expect(
    tables.map(({ name, columns }) => [name, ...columns.map((each) => `${each.name}: ${each.type}`)]),
  ).toEqual([['users', 'id: text', 'note: text', 'pay.net: number']]);
  const rows = [...(tables[0]?.rows ?? [])];
  expect(rows[1]?.cells.map(({ value }) => value)).toEqual(['0012', 'a: 1', 1.125]);
  expect(rows[2]?.cells[2]).toEqual({ value: null, text: '' });
  expect(rows.map(({ from, to }) => text.slice(from, to))).toEqual(texts);
});

it('has tables of five rows, and all tables of a spreadsheet', () => {
  const lines = (count: number) => `A | B\n${'x | 1\n'.repeat(count)}`;
  expect(typesOf(lines(1))).toEqual(['text', 'number']);
  expect(() => typesOf(lines(4), { isSpreadsheet: false })).toThrow('no table');
  expect(typesOf(lines(5), { isSpreadsheet: false })).toEqual(['text', 'number']);
});
