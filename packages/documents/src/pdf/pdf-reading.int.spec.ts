import { describe, expect, it } from '@jest/globals';
import type { Document } from '../document/document.js';
import { buildPdf, type PdfLine } from '../test-files/index.js';
import { parse } from '../test-files/parse.js';

const read = (lines: readonly PdfLine[], rotate?: 90): Promise<Document> =>
  parse(buildPdf([lines], rotate === undefined ? {} : { rotate }), 'application/pdf');

const ROWS = [
  ['Haemoglobin', '159', 'g/L'],
  ['Platelets', '149', 'E9/L'],
  ['Ferritin', '88', 'ug/L'],
  ['Calcium', '2.31', 'mmol/L'],
];
const TABLE = ROWS.map((row) => row.join(' | ')).join('\n');
const cells: readonly PdfLine[] = ROWS.flatMap((row, line) =>
  row.map((text, cell) => ({ text, x: 72 + cell * 150, y: 700 - line * 18 })),
);

describe('the order of PDF pages', () => {
  const byColumn = cells.toSorted((one, other) => (one.x ?? 0) - (other.x ?? 0));
  it.each<[kind: string, lines: readonly PdfLine[]]>([
    ['row by row', cells],
    ['column by column', byColumn],
    ['from the bottom', cells.toReversed()],
    ['column by column from the right', byColumn.toReversed()],
    [
      'with baselines that differ a little',
      byColumn.map((cell, n) => ({ ...cell, y: cell.y + (n % 3) - 1 })),
    ],
  ])('reads a table that is drawn %s', async (_, lines) => {
    expect((await read(lines)).text).toBe(TABLE);
  });

  it('reads a table on its side', async () => {
    expect(
      (
        await read(
          byColumn.map((cell) => ({ ...cell, y: cell.y - 300 })),
          90,
        )
      ).text,
    ).toBe(TABLE);
  });

  const cell = (text: string, x: number, y: number): PdfLine => ({ text, x, y });
  it.each<[kind: string, lines: readonly PdfLine[], text: string]>([
    [
      'values centred beside labels of two lines',
      [
        cell('Date of the', 72, 706),
        cell('last payment', 72, 694),
        cell('4 July', 250, 700),
        cell('Number of', 72, 676),
        cell('employees', 72, 664),
        cell('12', 250, 670),
        cell('Town', 72, 646),
        cell('Graz', 250, 646),
      ],
      'Date of the last payment | 4 July\nNumber of employees | 12\nTown | Graz',
    ],
    [
      'values centred beside labels of two and three lines',
      [
        cell('Date of the', 72, 706),
        cell('last payment', 72, 694),
        cell('4 July', 250, 700),
        cell('Town', 72, 676),
        cell('Graz', 250, 676),
        cell('Number of', 72, 658),
        cell('employees at', 72, 646),
        cell('the end', 72, 634),
        cell('12', 250, 646),
      ],
      'Date of the last payment | 4 July\nTown | Graz\nNumber of employees at the end | 12',
    ],
    [
      'cells of several lines at the top of their rows',
      [
        cell('Fee', 72, 700),
        cell('for each', 200, 700),
        cell('call', 200, 688),
        cell('9.00', 400, 700),
        cell('Rent', 72, 670),
        cell('of the rooms', 200, 670),
        cell('12.00', 400, 670),
      ],
      'Fee | for each call | 9.00\nRent | of the rooms | 12.00',
    ],
    [
      'groups of rows with empty cells',
      [
        cell('Export', 72, 700),
        cell('yes', 200, 700),
        cell('Search', 72, 688),
        cell('no', 300, 688),
        cell('Sync', 72, 676),
        cell('Support', 72, 652),
        cell('no', 200, 652),
        cell('Phone', 72, 640),
        cell('yes', 300, 640),
      ],
      'Export | yes\nSearch |  | no\nSync\nSupport | no\nPhone |  | yes',
    ],
    [
      'a label centred beside rows of numbers',
      [
        cell('North', 72, 700),
        cell('2024', 200, 706),
        cell('14', 300, 706),
        cell('2025', 200, 694),
        cell('15', 300, 694),
        cell('South', 72, 670),
        cell('2024', 200, 676),
        cell('16', 300, 676),
        cell('2025', 200, 664),
        cell('17', 300, 664),
      ],
      'North | 2024 | 14\n| 2025 | 15\nSouth | 2024 | 16\n| 2025 | 17',
    ],
    [
      'groups of rows',
      [
        ...ROWS.flatMap((row, line) => row.map((text, n) => cell(text, 72 + n * 150, 700 - line * 12))),
        ...ROWS.flatMap((row, line) => row.map((text, n) => cell(`${text}2`, 72 + n * 150, 640 - line * 12))),
      ],
      `${TABLE}\n${ROWS.map((row) => row.map((text) => `${text}2`).join(' | ')).join('\n')}`,
    ],
  ])('reads %s', async (_, lines, text) => {
    expect((await read(lines)).text).toBe(text);
    expect((await read(lines.toReversed())).text).toBe(text);
  });

  it('puts entries that are drawn later beside their labels', async () => {
    const labels = ['Applicant:', 'Policy:', 'Sum insured:', 'Remarks:'].map((text, n) => ({
      text,
      y: 700 - n * 24,
    }));
    const values = ['Kim Doe', 'P-7719', '90,000', 'none'].map((text, n) => ({
      text,
      x: 200,
      y: 700.5 - n * 24,
    }));
    const { text } = await read([...labels, ...values.toReversed()]);
    expect(text.split(/\s*[|\n]+\s*/)).toEqual([
      'Applicant:',
      'Kim Doe',
      'Policy:',
      'P-7719',
      'Sum insured:',
      '90,000',
      'Remarks:',
      'none',
    ]);
  });

  it('puts entries into the lines that are drawn for them', async () => {
    const { text } = await read([
      { text: 'Name: ____________ Date: ____________', y: 700 },
      { text: 'Kim Doe', x: 112, y: 701 },
      { text: '4 July', x: 230, y: 701 },
    ]);
    expect(text).toMatch(/^Name: _+ Kim Doe Date: _+ 4 July$/);
  });

  const left = [
    'The left column has a sentence that',
    'goes on in the second line of it',
    'and ends in the last one, which is',
    'this.',
  ];
  const right = [
    'Another sentence is in the right',
    'column, where it takes some lines,',
    'too, but has other words in them',
    'than the left.',
  ];
  const place = (texts: readonly string[], x: number, y = 700): PdfLine[] =>
    texts.map((text, n) => ({ text, x, y: y - n * 14 }));
  it.each<[kind: string, lines: readonly PdfLine[]]>([
    ['one after the other', [...place(left, 60), ...place(right, 330)]],
    ['the second first', [...place(right, 330), ...place(left, 60)]],
    ['line by line', place(left, 60).flatMap((line, n) => [line, ...place(right, 330).slice(n, n + 1)])],
    ['on other baselines', [...place(left, 60), ...place(right, 330, 695)]],
    [
      'below a title',
      [
        ...place(left, 60),
        ...place(right, 330),
        { text: 'A title that is as wide as the page, over both of the columns', y: 730 },
      ],
    ],
  ])('reads columns of text that are drawn %s', async (_, lines) => {
    const { text } = await read(lines);
    const flat = text.replace(/\s+/g, ' ');
    expect(flat).toContain(left.join(' '));
    expect(flat.endsWith(right.join(' '))).toBe(true);
  });

  const notices = [
    ['The heating starts in October and ends on 30', 'April. In the stairs it is set to fifteen degrees.'],
    [
      'Bicycles stand in the yard. Prams may stay in the',
      'hall if the door remains free for the wheelchair.',
    ],
  ];
  const sideBySide = notices.flatMap((texts, column) => place(texts, 60 + column * 270, 680));
  it.each<[kind: string, lines: readonly PdfLine[]]>([
    ['one after the other', sideBySide],
    ['line by line', sideBySide.toSorted((one, other) => (other.y ?? 0) - (one.y ?? 0))],
    [
      'below headings',
      [
        { ...cell('Heating', 60, 698), size: 11, font: 'bold' },
        { ...cell('Bicycles', 330, 698), size: 11, font: 'bold' },
        ...sideBySide,
      ],
    ],
  ])('reads columns of two lines that are drawn %s', async (_, lines) => {
    const flat = (await read(lines.map((line) => ({ size: 10, ...line })))).text.replace(/\s+/g, ' ');
    for (const texts of notices) expect(flat).toContain(texts.join(' '));
  });

  it('reads slides beside each other one after the other', async () => {
    const slides = [
      [
        'Why we measure',
        'Flow tells us when a pump wears out',
        'Pressure alone is not enough',
        'Costs fall by a fifth',
      ],
      ['What we need', 'Two sensors in each of the halls', 'A gateway with a card', 'One day of work'],
    ];
    const lines = slides.flatMap(([title = '', ...points], column) => [
      { ...cell(title, 60 + column * 270, 760), size: 14 },
      ...points.map((text, n) => ({ ...cell(text, 60 + column * 270, 724 - n * 18), size: 10 })),
    ]);
    expect((await read(lines)).text.split(/\n+/)).toEqual(slides.flat());
  });

  it('reads long labels and values that are drawn row by row as rows', async () => {
    const rows = [
      ['maximum pressure of the primary circuit', 'twenty-five bar at the outlet of the pump'],
      ['interval between two inspections', 'every two months or after five hundred hours'],
      ['person who signs the yearly report', 'the head of the workshop or the deputy'],
      ['storage of the signed reports', 'ten years in the archive of the plant'],
    ];
    const lines = rows.flatMap(([label = '', value = ''], row) =>
      [cell(label, 60, 700 - row * 16), cell(value, 320, 700 - row * 16)].map((line) => ({
        ...line,
        size: 10,
      })),
    );
    expect((await read(lines)).text).toBe(rows.map((row) => row.join(' | ')).join('\n'));
  });

  it('reads rows that are drawn cell by cell, whatever the distance of their lines', async () => {
    const rows = [
      [['P-001'], ['Bearing of the main shaft,', 'made of steel'], ['12.50', 'net']],
      [['P-002'], ['Seal of the main shaft,', 'made of rubber'], ['1.50', 'net']],
      [['P-003'], ['Screw of the cover,', 'made of brass'], ['0.50', 'net']],
    ];
    const lines = rows.flatMap((row, index) =>
      row.flatMap((texts, column) => place(texts, 72 + column * 180, 700 - index * 28)),
    );
    expect((await read(lines)).text).toBe(
      rows.map((row) => row.map((t) => t.join(' ')).join(' | ')).join('\n'),
    );
  });

  it('reads a table below columns of text row by row', async () => {
    const below = [
      ['a first cell', 'and another', 'the third of', 'all of them'],
      ['more words', 'of a table', 'with two rows', 'in small letters'],
    ].flatMap((row, line) => row.map((text, n) => cell(text, 60 + n * 135, 626 - line * 18)));
    const { text } = await read([...place(left, 60), ...place(right, 330), ...below]);
    const flat = text.replace(/[\s|]+/g, ' ');
    expect(flat).toBe(
      `${left.join(' ')} ${right.join(' ')} a first cell and another the third of all of them more words of a table with two rows in small letters`,
    );
  });

  it('reads columns of text below a table whose gaps are elsewhere', async () => {
    const above = ['one', 'two', 'six'].flatMap((text, line) =>
      [60, 190, 290, 350].map((x) => cell(`${text} ${x}`, x, 770 - line * 12)),
    );
    const wide = cell(
      'A line that is as wide as both of the columns and the space between, so to say',
      60,
      725,
    );
    const { text } = await read([...above, wide, ...place(left, 60), ...place(right, 330)]);
    const flat = text.replace(/\s+/g, ' ');
    expect(flat).toContain(left.join(' '));
    expect(flat).toContain(right.join(' '));
  });

  it('reads labels beside text of several lines first', async () => {
    const { text } = await read([
      ...place(['Purpose'], 60),
      ...place(['Content'], 60, 640),
      ...place(left, 200),
      ...place(right, 200, 640),
    ]);
    expect(text.replace(/[\s|]+/g, ' ')).toBe(`Purpose ${left.join(' ')} Content ${right.join(' ')}`);
  });
});
