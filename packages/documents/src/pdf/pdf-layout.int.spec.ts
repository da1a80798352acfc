import { describe, expect, it } from '@jest/globals';
import type { Document } from '../document/document.js';
import { buildPdf, type PdfLine, type PdfOptions } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const read = (pages: readonly (readonly PdfLine[])[], options?: PdfOptions): Promise<Document> =>
  parse(buildPdf(pages, options), 'application/pdf');

/** Lines of one column from the top, as wide as their text. */
const column = (x: number, texts: readonly string[], y = 700): PdfLine[] =>
  texts.map((text, index) => ({ text, x, y: y - index * 14 }));

const sentence = (n: number, words: string): string => `Sentence number ${words} has words.${n}`;

describe('the layout of PDF pages', () => {
  it('reads two columns one after the other, even when lines span both', async () => {
    const left = Array.from({ length: 8 }, (_, n) => `the left column goes on and on ${n}`);
    const right = Array.from({ length: 8 }, (_, n) => `the right column has other words ${n}`);
    const drawn = left.flatMap((text, n) => [
      { text, x: 60, y: 700 - n * 14 },
      { text: right[n] ?? '', x: 330, y: 700 - n * 14 },
    ]);
    const { text } = await read([drawn]);
    expect(text.replaceAll('\n\n', ' ')).toBe([...left, ...right].join(' '));
  });

  it('sorts a page that is drawn from bottom to top', async () => {
    const lines = column(72, [
      'One of the lines.',
      'Two of the lines.',
      'Three of them.',
      'Four of them.',
      'Five.',
    ]);
    const { text } = await read([lines.toReversed()]);
    expect(text.replace(/\s+/g, ' ')).toBe(
      'One of the lines. Two of the lines. Three of them. Four of them. Five.',
    );
  });

  it('reads a rotated page', async () => {
    const lines = column(72, ['A page on its side has words', 'that read like any other.'], 500);
    expect((await read([lines], { rotate: 90 })).text.replace('\n', ' ')).toBe(
      'A page on its side has words that read like any other.',
    );
  });

  it('keeps the first of running headers, footers and page numbers, and joins paragraphs across pages', async () => {
    const pages = Array.from({ length: 6 }, (_, n): PdfLine[] => [
      { text: `Handbook of things, chapter ${n < 3 ? 'one' : 'two'}`, y: 760, size: 9 },
      {
        text:
          n === 0
            ? 'The beginning of it all, which is long and'
            : `${sentence(n, 'of some page')} It ends here and`,
        y: 700,
      },
      { text: `then number ${'abcdef'.charAt(n)} goes over to the next page, which is`, y: 686 },
      { text: `- ${n + 7} -`, x: 300, y: 40, size: 9 },
    ]);
    const document = await read(
      pages.map((page, n) =>
        n === 1
          ? page.map((line) =>
              line.y === 700 ? { ...line, text: 'continued by the second page, in a small letter.' } : line,
            )
          : page,
      ),
    );
    expect(document.text.match(/Handbook.*|- \d.*/g)).toEqual([
      'Handbook of things, chapter one',
      '- 7 -',
      'Handbook of things, chapter two',
    ]);
    expect(document.leftOut.running).toBeGreaterThan(2 * 'Handbook of things, chapter one'.length);
    expect(document.text).toMatch(/next page, which is continued by the second page, in a small letter\./);
    expect(document.blocks[0]?.page).toBe(1);
  });

  const body = [
    'The later survey does not name the owners, because the printer had lost the sheet and because',
    'the council had decided that the names of tenants were to be',
  ];
  const more = ['published only with their consent, which some gave.', 'The mills were sold to the railway.'];
  const note = { text: '1 Only mills with a wheel of two metres were counted.', size: 8 };
  it.each<[kind: string, pages: readonly (readonly PdfLine[])[]]>([
    ['page', [[...column(72, body), { ...note, y: 100 }], column(72, more)]],
    [
      'column',
      [
        [
          ...column(40, ['Some owners agreed to be named, and', 'the others wanted the list to be']),
          { ...note, text: '1 Only large mills.', x: 40, y: 660 },
          ...column(320, ['published only with their consent, which', 'some gave. The mills were sold.']),
        ],
      ],
    ],
  ])('puts a note after the paragraph that goes on in the next %s', async (_, pages) => {
    const { text } = await read(pages);
    expect(text.replace(/\s+/g, ' ')).toMatch(
      / to be published only with their consent, which some gave\..* 1 Only [^.]+\.$/,
    );
  });

  it('gives a table that goes on in the next page the column names', async () => {
    const rows = (from: number): string[][] =>
      [0, 1, 2].map((row) => [`P-${from + row}`, `steel ${from + row}`, `${from + row}.50`]);
    const page = (cells: readonly (readonly string[])[]): PdfLine[] =>
      cells.flatMap((row, line) =>
        row.map((text, cell): PdfLine => ({ text, x: 72 + cell * 150, y: 700 - line * 14 })),
      );
    const names = ['Part', 'Material', 'Price'];
    const expected = (from: number): string =>
      [names, ...rows(from)].map((row) => row.join(' | ')).join('\n');
    for (const second of [rows(4), [names, ...rows(4)]]) {
      const document = await read([page([names, ...rows(1)]), page(second)]);
      expect(document.text).toBe(`${expected(1)}\n\n${expected(4)}`);
      expect(document.blocks.map(({ start, headerEnd }) => (headerEnd ?? 0) - start)).toEqual([23, 23]);
    }
  });

  it('keeps lines that only seem to repeat', async () => {
    const pages = ['apples', 'pears', 'plums', 'cherries'].map((fruit, n): PdfLine[] => [
      { text: `All about ${fruit}`, y: 760, size: 20 },
      { text: `${fruit} are the subject of this page, and there is much to say about them.`, y: 700 },
      { text: `${n + 1} of these footnotes is on ${fruit}, no more`, y: 60, size: 9 },
    ]);
    const document = await read(pages);
    expect(document.leftOut.running).toBeUndefined();
    expect(document.blocks.filter((block) => block.kind === 'heading')).toHaveLength(4);
  });

  it('takes heading levels from the outline, whatever the font', async () => {
    const lines = [
      { text: '1 Getting started', y: 700, font: 'bold' as const },
      { text: 'Getting started is what this paragraph is about, at length.', y: 670 },
      { text: 'Setup of the thing', y: 640, size: 18 },
      { text: 'The setup has many words, too, and a full stop.', y: 610 },
    ];
    const document = await read([lines], { outline: ['Getting started', 'Setup of the thing'] });
    expect(document.blocks.map((block) => [block.kind, block.level, block.headingPath.at(-1)])).toEqual([
      ['heading', 1, undefined],
      ['paragraph', undefined, '1 Getting started'],
      ['heading', 1, undefined],
      ['paragraph', undefined, 'Setup of the thing'],
    ]);
  });

  it('recognizes headings that are only bold', async () => {
    const lines: PdfLine[] = [
      { text: 'What it costs', y: 700, font: 'bold' },
      { text: 'It costs nothing, as everybody knows who has read this.', y: 680 },
      { text: 'Note that this bold sentence is one.', y: 650, font: 'bold' },
    ];
    expect((await read([lines])).blocks.map((block) => block.kind)).toEqual([
      'heading',
      'paragraph',
      'paragraph',
    ]);
  });

  it('reads tables as rows, including cells of two lines', async () => {
    const rows = [
      ['Name', 'Town', 'Born'],
      ['Ada', 'London', '1815'],
      ['Grace', 'New York', '1906'],
    ];
    const lines = rows.flatMap((cells, row) =>
      cells.map((text, cell): PdfLine => ({ text, x: 72 + cell * 150, y: 700 - row * 14 })),
    );
    const { blocks, text } = await read([
      [...lines, { text: 'City', x: 222, y: 658 }, { text: 'A paragraph far below.', y: 500 }],
    ]);
    const [table] = blocks;
    expect(text.slice(table?.start, table?.end)).toBe(
      'Name | Town | Born\nAda | London | 1815\nGrace | New York City | 1906',
    );
    expect(table?.headerEnd).toBe('Name | Town | Born'.length);
  });

  it('keeps line breaks and indentation of code', async () => {
    const lines = [
      { text: 'if (x) {', x: 90, y: 700, font: 'fixed' as const },
      { text: 'return 1;', x: 104.4, y: 686, font: 'fixed' as const },
      { text: '}', x: 90, y: 672, font: 'fixed' as const },
    ];
    expect(outline(await read([lines]))).toEqual([['code', 'if (x) {\n  return 1;\n}']]);
  });
});
