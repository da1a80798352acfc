import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DocumentError } from '../document/document-error.js';
import { buildPdf } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

describe('pdfParser', () => {
  it('joins words to lines and paragraphs, and tells headings by their size', async () => {
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
    assert.deepEqual(outline(document), [
      ['heading1', 'Annual report'],
      [
        'paragraph',
        'The first line of a paragraph that is long enough and ends in a hyphenated word that goes on for a while until the paragraph comes to its end.',
      ],
      ['paragraph', 'Left right'],
      ['paragraph', 'Page two.'],
    ]);
    assert.deepEqual(
      document.blocks.map((block) => block.page),
      [1, 1, 1, 2],
    );
    assert.equal(document.title, 'Report (2026)');
    assert.equal(document.pageCount, 2);
  });

  it('says which pages have no text when others have', async () => {
    const page = [{ text: 'Words on a page.', y: 700 }];
    const document = await parse(buildPdf([page, [], [], page]), 'application/pdf');
    assert.equal(document.metadata['pagesWithoutText'], '2-3');
  });

  it('says why it cannot read', async () => {
    await assert.rejects(parse(buildPdf([[], []]), 'application/pdf'), (error: unknown) => {
      assert.ok(error instanceof DocumentError);
      assert.equal(error.code, 'OCR_REQUIRED');
      assert.match(error.userMessage, /\(pages 1-2\)\. Install /);
      return true;
    });
    await assert.rejects(parse(buildPdf([[]], { encrypted: true }), 'application/pdf'), {
      code: 'PASSWORD_REQUIRED',
    });
    await assert.rejects(parse('%PDF-1.4 and nothing else', 'application/pdf'), { code: 'CORRUPT_FILE' });
    await assert.rejects(parse(new Uint8Array(), 'application/pdf'), { code: 'EMPTY_DOCUMENT' });
  });
});
