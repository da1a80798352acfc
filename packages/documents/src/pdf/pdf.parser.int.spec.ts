import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../parse-document.js';
import { buildPdf, type PdfPicture } from '../test-files/index.js';
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
    expect(document.metadata['pagesWithoutText']).toBe('2-3');
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

  it('throws OCR_REQUIRED for a scanned file, with the pages and what to install', async () => {
    const { document, scans } = read(buildPdf([PAGE, PICTURE, [], PICTURE, PICTURE]));
    await expect(document).rejects.toMatchObject({
      code: 'OCR_REQUIRED',
      userMessage: expect.stringMatching(
        /^Pages 2, 4-5 are scanned images\. .*install tesseract-ocr and poppler-utils/,
      ),
    });
    expect(scans).toEqual([2, 4, 5]);
  });

  it('reads a file with text on most pages and reports the scanned ones', async () => {
    const { document, scans } = read(buildPdf([PAGE, PICTURE, PAGE]));
    const { metadata, text } = await document;
    expect([metadata['pagesWithoutText'], metadata['unrecognizedPages']]).toEqual(['2', '2']);
    // Repeated lines are kept if there is no other text.
    expect(text).toBe('Words on a page.\n\nWords on a page.');
    expect(scans).toEqual([2]);
  });

  it('inserts OCR results as paragraphs and headings of their page', async () => {
    const recognized = new Map([
      [2, tableOf(['Great Anchors', 'An anchor holds the ship', 'when there is wind.'], [30])],
      [3, tableOf([])],
    ]);
    const { document } = read(buildPdf([PAGE, PICTURE, PICTURE, PAGE]), recognized);
    const { blocks, metadata, text } = await document;
    expect(blocks.map(({ kind, page, start, end }) => [kind, page, text.slice(start, end)])).toEqual([
      ['paragraph', 1, 'Words on a page.'],
      ['heading', 2, 'Great Anchors'],
      ['paragraph', 2, 'An anchor holds the ship when there is wind.'],
      ['paragraph', 4, 'Words on a page.'],
    ]);
    expect([metadata['recognizedPages'], metadata['pagesWithoutText']]).toEqual(['2', '3']);
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
