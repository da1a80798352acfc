import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../parse-document.js';
import { buildPdf, buildPdfPage, FIRST_EXTRA, type PdfLine, type PdfPicture } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

describe('pdfParser', () => {
  it('joins words into lines and paragraphs and recognizes headings by size', async () => {
    const first = [
      { text: 'Annual report', y: 720, size: 24 },
      { text: 'The first line of a paragraph that is long enough and ends in a hyphen-', y: 680 },
      { text: 'ated word that goes on for a while until the paragraph comes to its', y: 666 },
      { text: 'end.', y: 652 },
      { text: 'Left', y: 600 },
      { text: 'right', x: 100, y: 600 },
    ];
    const pages = [first, [{ text: 'Page two.', y: 700 }]];
    const document = await parse(buildPdf(pages, { title: 'Report (2026)' }), 'application/pdf');
    expect(outline(document)).toEqual([
      ['heading1', 'Annual report'],
      [
        'paragraph',
        'The first line of a paragraph that is long enough and ends in a hyphenated word that goes on for a while until the paragraph comes to its end.',
      ],
      ['paragraph', 'Left right'],
      ['paragraph', 'Page two.'],
    ]);
    expect(document.blocks.map((block) => block.page)).toEqual([1, 1, 1, 2]);
    expect(document.title).toBe('Report (2026)');
    expect(document.pageCount).toBe(2);
  });

  it('reports which pages have no text', async () => {
    const page = [{ text: 'Words on a page.', y: 700 }];
    const document = await parse(buildPdf([page, [], [], page]), 'application/pdf');
    expect(document.pages).toEqual([
      { from: 1, to: 1, content: 'text' },
      { from: 2, to: 3, content: 'empty' },
      { from: 4, to: 4, content: 'text' },
    ]);
  });

  it('reports its progress page by page', async () => {
    const pages = Array.from({ length: 5 }, (_, page) => [{ text: `Words of page ${page}.`, y: 700 }]);
    const reported: string[] = [];
    await parseDocument(Uint8Array.from(buildPdf(pages)), {
      fileType: 'application/pdf',
      onProgress: ({ done, total }) => reported.push(`${done}/${total}`),
    });
    expect(reported).toEqual(['1/5', '2/5', '3/5', '4/5', '5/5']);
  });

  it('reports why a file cannot be read', async () => {
    await expect(parse(buildPdf([[], []]), 'application/pdf')).rejects.toMatchObject({
      code: 'EMPTY_DOCUMENT',
    });
    await expect(parse(buildPdf([[]], { encrypted: true }), 'application/pdf')).rejects.toMatchObject({
      code: 'PASSWORD_REQUIRED',
    });
    await expect(parse('%PDF-1.4 and nothing else', 'application/pdf')).rejects.toMatchObject({
      code: 'CORRUPT_FILE',
    });
    await expect(parse(new Uint8Array(), 'application/pdf')).rejects.toMatchObject({
      code: 'EMPTY_DOCUMENT',
    });
  });
});

const PICTURE: PdfPicture = { width: 8, height: 8, grey: new Uint8Array(64) };
const PAGE = [{ text: 'Words on a page.', y: 700 }];

/** Tesseract's TSV for a page of 1,000 pixels height with lines of words. */
function tableOf(lines: readonly string[], heights: readonly number[] = []): string {
  const rows = [['1', 1, 0, 0, 0, 0, 0, 0, 773, 1000, -1, '']];
  for (const [index, line] of lines.entries()) {
    const height = heights[index] ?? 15;
    for (const [word, text] of line.split(' ').entries()) {
      rows.push([
        '5',
        1,
        1,
        1,
        index + 1,
        word + 1,
        80 + word * 60,
        100 + index * 20 - height,
        55,
        height,
        91,
        text,
      ]);
    }
  }
  return ['level\tpage_num', ...rows.map((row) => row.join('\t'))].join('\n');
}

describe('pdfParser on scanned pages', () => {
  const read = (file: Uint8Array<ArrayBuffer>, recognized?: ReadonlyMap<number, string>) => {
    const scans: number[] = [];
    const document = parseDocument(file, {
      fileType: 'application/pdf',
      onScans: (pages) => scans.push(...pages),
      ...(recognized === undefined ? {} : { recognized }),
    });
    return { document, scans };
  };

  it('throws OCR_REQUIRED for a scanned file, with the pages and what to do', async () => {
    const { document, scans } = read(buildPdf([PAGE, PICTURE, [], PICTURE, PICTURE]));
    await expect(document).rejects.toMatchObject({
      code: 'OCR_REQUIRED',
      userMessage: expect.stringMatching(/^Pages 2, 4-5 are scanned images\. .*check OCR_LANGUAGES/),
    });
    expect(scans).toEqual([2, 4, 5]);
  });

  it('reads a file with text on most pages and reports the scanned ones', async () => {
    const { document, scans } = read(buildPdf([PAGE, PICTURE, PAGE]));
    const { metadata, text, pages } = await document;
    expect(metadata['unrecognizedPages']).toBe('2');
    expect(pages.map(({ content }) => content)).toEqual(['text', 'unread', 'text']);
    // Repeated lines are kept if there is no other text.
    expect(text).toBe('Words on a page.\n\nWords on a page.');
    expect(scans).toEqual([2]);
  });

  it.each<[kind: string, line: PdfLine]>([
    ['the number of a page', { text: 'Page 2 of 3', x: 280, y: 20, size: 8 }],
    ['a fax header', { text: '12/03/2024 14:22 FROM: ACME FAX NO. 0123 P. 03/05', y: 775, size: 9 }],
    ['a stamp', { text: 'RECEIVED 12 MAR 2024', x: 300, y: 400, size: 11 }],
  ])('takes an image with %s for a scan, and stores the words once', async (_, line) => {
    const file = [PAGE, { ...PICTURE, lines: [line] }, PAGE];
    const { document, scans } = read(buildPdf(file));
    const { text, warnings } = await document;
    expect(text).toContain(line.text);
    expect(warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringMatching(/^Pages 2 are images .*check OCR_LANGUAGES/) },
    ]);
    expect(scans).toEqual([2]);
    const recognized = await read(buildPdf(file), new Map([[2, tableOf(['Ridge height 4.50 m', line.text])]]))
      .document;
    expect(recognized.text.split(line.text)).toHaveLength(2);
    expect(recognized.text).toContain('Ridge height 4.50 m');
    expect(recognized.warnings).toEqual([]);
  });

  it.each<[kind: string, lines: readonly PdfLine[]]>([
    ['a slide', [{ text: 'Annual report', y: 400, size: 36 }]],
    [
      'much text',
      Array.from({ length: 9 }, (_, line) => ({
        text: 'The house has eleven rooms.',
        y: 80 - line * 9,
        size: 8,
      })),
    ],
  ])('does not take an image under %s for a scan', async (_, lines) => {
    const { document, scans } = read(buildPdf([{ ...PICTURE, lines }]));
    expect([(await document).warnings, scans]).toEqual([[], []]);
  });

  it('takes transformations for no images', async () => {
    const content = 'q 612 0 0 792 0 0 cm Q '.repeat(30);
    const file = buildPdfPage(`${content} BT /F1 9 Tf 72 700 Td (A short page.) Tj ET`);
    const { document, scans } = read(file);
    expect([(await document).warnings, scans]).toEqual([[], []]);
    await expect(read(buildPdfPage(content)).document).rejects.toMatchObject({ code: 'EMPTY_DOCUMENT' });
  });

  it('inserts OCR results as paragraphs and headings of their page', async () => {
    const recognized = new Map([
      [2, tableOf(['Great Anchors', 'An anchor holds the ship', 'when there is wind.'], [30])],
      [3, tableOf([])],
    ]);
    const { document } = read(buildPdf([PAGE, PICTURE, PICTURE, PAGE]), recognized);
    const { blocks, metadata, pages, text } = await document;
    expect(blocks.map(({ kind, page, start, end }) => [kind, page, text.slice(start, end)])).toEqual([
      ['paragraph', 1, 'Words on a page.'],
      ['heading', 2, 'Great Anchors'],
      ['paragraph', 2, 'An anchor holds the ship when there is wind.'],
      ['paragraph', 4, 'Words on a page.'],
    ]);
    expect(pages.map(({ content }) => content)).toEqual(['text', 'recognized', 'empty', 'text']);
    expect(metadata['unrecognizedPages']).toBeUndefined();
  });

  it('throws EMPTY_DOCUMENT when OCR found no text or its output is invalid', async () => {
    for (const table of [tableOf([]), '5\t\t\t', 'a\tb\n'.repeat(3)]) {
      const { document } = read(buildPdf([PICTURE]), new Map([[1, table]]));
      await expect(document).rejects.toMatchObject({
        code: 'EMPTY_DOCUMENT',
        userMessage: expect.stringMatching(/text recognition \(OCR\) found no text/),
      });
    }
  });
});

describe('pdfParser on fonts that do not say which characters they show', () => {
  const SENTENCES = ['Cleaning of the filter is done every month.', 'Please write the date into the list.'];
  /** A page whose font has codes of two bytes and no map of characters. */
  const pageOf = (
    lines: readonly string[],
    codeOf: (code: number) => number,
    printed = '',
    recognized?: ReadonlyMap<number, string>,
  ) => {
    const hex = (text: string): string =>
      Array.from(text, (letter) =>
        codeOf(letter.codePointAt(0) ?? 0)
          .toString(16)
          .padStart(4, '0'),
      ).join('');
    const shown = lines.map((line, index) => `BT /C 11 Tf 72 ${700 - index * 20} Td <${hex(line)}> Tj ET`);
    const scans: number[] = [];
    const file = buildPdfPage([...shown, `BT /F1 11 Tf 72 500 Td (${printed}) Tj ET`].join('\n'), {
      resources: `/Font << /F1 5 0 R /C ${FIRST_EXTRA} 0 R >>`,
      objects: [
        `<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Arial /Encoding /Identity-H /DescendantFonts [${FIRST_EXTRA + 1} 0 R] >>`,
        '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Arial /DW 550 ' +
          '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      ],
    });
    const document = parseDocument(file, {
      fileType: 'application/pdf',
      onScans: (pages) => scans.push(...pages),
      ...(recognized === undefined ? {} : { recognized }),
    });
    return { document, scans };
  };
  const glyphNumber = (code: number): number => code - 29;

  it('asks for OCR when the letters of a page are numbers of glyphs', async () => {
    const { document, scans } = pageOf(SENTENCES, glyphNumber);
    await expect(document).rejects.toMatchObject({
      code: 'OCR_REQUIRED',
      userMessage: expect.stringMatching(/do not say which letters/),
    });
    expect(scans).toEqual([1]);
  });

  it('asks for OCR of a page with other text, stores that text and warns', async () => {
    const printed = 'The caretaker reads the list on every first Monday of a month and orders new filters. ';
    const { document, scans } = pageOf(['Cleaning'], glyphNumber, printed.repeat(3));
    const { text, warnings } = await document;
    expect(text).toBe(printed.repeat(3).trim());
    expect(warnings).toEqual([
      {
        code: 'GARBLED',
        message: expect.stringMatching(/^Fonts of pages 1 do not .*the text in these fonts is missing/),
      },
    ]);
    expect(scans).toEqual([1]);
  });

  it.each<[case_: string, line: string]>([
    ['new words', 'Warranty excluded'],
    ['known words in another order', 'The list is not read by the caretaker'],
    ['one word more', 'The caretaker never reads the list'],
    ['a part of two sentences', 'the list on every month'],
    ['another number', 'orders 13 new filters'],
    ['another short word', 'and orders 12 now filters'],
    ['a single word of the text', 'Filters'],
    ['a single number of the text', '12'],
  ])('adds a recognized line with %s to the other text of the page', async (_, line) => {
    const printed =
      'The caretaker reads the list on every first Monday of a month and orders 12 new filters. ';
    const known = [
      'The caretaken reads the list on every',
      '* * *',
      'first Monday of a month and orders 12 new filters.',
    ];
    const { document } = pageOf(
      ['Cleaning'],
      glyphNumber,
      printed,
      new Map([[1, tableOf([line, ...known])]]),
    );
    const { text, warnings } = await document;
    expect(text.replace(/\s+/g, ' ')).toBe(`${printed}${line}`);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['Latin text', SENTENCES],
    ['Chinese text', ['每月由房屋管理员清洁过滤器一次。']],
    ['numbers', ['1,200.50 300.10 48.00', '99.10 (12.00) 7.50 %']],
  ])('reads %s whose codes are characters', async (_, lines) => {
    const { document } = pageOf(lines, (code) => code);
    const { text, warnings } = await document;
    expect(text.replace(/\s+/g, ' ')).toBe(lines.join(' '));
    expect(warnings).toEqual([]);
  });
});
