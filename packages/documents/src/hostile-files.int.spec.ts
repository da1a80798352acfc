import { describe, expect, it } from '@jest/globals';
import { DOCX, EPUB, type FileType, ODP, ODS, ODT, PPTX, RTF, XLSX } from './file-type/file-type.js';
import {
  buildDocx,
  buildEpub,
  buildOdp,
  buildOds,
  buildOdt,
  buildPdf,
  buildPptx,
  buildRawPdf,
  streamObject,
  buildXlsx,
  buildZip,
  slideShape,
  wordParagraph,
} from './test-files/index.js';
import { parse } from './test-files/parse.js';

/** Nested entities that would expand to a billion characters. */
const BILLION_LAUGHS = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, n) => {
  const name = String.fromCharCode(98 + n);
  return `<!ENTITY ${name} "${`&${String.fromCharCode(97 + n)};`.repeat(10)}">`;
}).join('')}]>`;
const EXTERNAL = '<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/passwd">]>';

const word = (doctype: string): Uint8Array =>
  buildDocx('', {
    'word/document.xml': `${doctype}<w:document xmlns:w="w"><w:body>${wordParagraph('&j;')}</w:body></w:document>`,
  });
const openDocument = (doctype: string): Uint8Array =>
  buildOdt('', { parts: { 'content.xml': `${doctype}<document-content><p>&j;</p></document-content>` } });
const sheet = (doctype: string): Uint8Array =>
  buildXlsx([{ name: 'A', rows: '' }], {
    parts: {
      'xl/worksheets/sheet1.xml': `${doctype}<worksheet><sheetData><row><c t="str"><v>&j;</v></c></row></sheetData></worksheet>`,
    },
  });

function nestedMessage(depth: number): string {
  const open = (n: number): string => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`;
  return `From: a\n${Array.from({ length: depth }, (_, n) => open(n)).join('')}\ntext`;
}

const manyParts = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`word/media/${n}.txt`, '']));
const rawPdf = (...objects: string[]): Uint8Array =>
  buildRawPdf(['<< /Type /Catalog /Pages 2 0 R >>', ...objects]);

const line = [{ text: 'Text that can be read.', y: 700 }];
const FILES: readonly (readonly [what: string, type: FileType, file: string | Uint8Array, code: string])[] = [
  ['a zip bomb in a Word file', DOCX, buildDocx(wordParagraph('0'.repeat(30_000_000))), 'TOO_COMPLEX'],
  [
    'a zip bomb in a workbook',
    XLSX,
    buildXlsx([{ name: 'A', rows: `<row><c><v>${'0'.repeat(30_000_000)}</v></c></row>` }]),
    'TOO_COMPLEX',
  ],
  ['a zip bomb in a book', EPUB, buildEpub('0'.repeat(30_000_000)), 'TOO_COMPLEX'],
  ['nested entities in a Word file', DOCX, word(BILLION_LAUGHS), 'CORRUPT_FILE'],
  ['nested entities in a workbook', XLSX, sheet(BILLION_LAUGHS), 'CORRUPT_FILE'],
  ['a zip bomb in an OpenDocument file', ODT, buildOdt('0'.repeat(30_000_000)), 'TOO_COMPLEX'],
  ['nested entities in an OpenDocument file', ODT, openDocument(BILLION_LAUGHS), 'CORRUPT_FILE'],
  ['an external entity in an OpenDocument file', ODT, openDocument(EXTERNAL), 'CORRUPT_FILE'],
  ['deeply nested OpenDocument', ODT, buildOdt('<text:section>'.repeat(100_000)), 'TOO_COMPLEX'],
  ['a zip that is not an OpenDocument file', ODT, buildZip({ 'readme.txt': 'hello' }), 'CORRUPT_FILE'],
  ['an external entity in a Word file', DOCX, word(EXTERNAL), 'CORRUPT_FILE'],
  ['an external entity in a workbook', XLSX, sheet(EXTERNAL), 'CORRUPT_FILE'],
  ['deeply nested XML', DOCX, buildDocx('<w:sdt>'.repeat(100_000)), 'TOO_COMPLEX'],
  ['a Word file of 20,001 parts', DOCX, buildDocx(wordParagraph('x'), manyParts), 'TOO_COMPLEX'],
  [
    'a page tree that contains only itself',
    'application/pdf',
    rawPdf('<< /Type /Pages /Kids [2 0 R] /Count 100000000 >>'),
    'CORRUPT_FILE',
  ],
  [
    'a PDF file that lists the same page 20,000 times',
    'application/pdf',
    rawPdf(
      `<< /Type /Pages /Kids [${'3 0 R '.repeat(20_000)}] /Count 20000 >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
    ),
    'TOO_COMPLEX',
  ],
  ['a zip that is not a Word file', DOCX, buildZip({ 'readme.txt': 'hello' }), 'CORRUPT_FILE'],
  ['deeply nested RTF', RTF, `{\\rtf1${'{'.repeat(1_000_000)}`, 'TOO_COMPLEX'],
  ['binary data that exceeds an RTF file', RTF, '{\\rtf1 text\\bin9999999999 }', 'CORRUPT_FILE'],
  ['a message of nested parts', 'message/rfc822', nestedMessage(60), 'CORRUPT_FILE'],
  ['a text named as a message', 'message/rfc822', 'Dear all,\nthis is no message.', 'CORRUPT_FILE'],
  ['deeply nested JSON', 'application/json', '{"a":'.repeat(500_000), 'TOO_COMPLEX'],
  [
    'an executable with another file type',
    'application/pdf',
    Buffer.from(`\u007fELF${'\u0001'.repeat(5000)}`, 'latin1'),
    'CORRUPT_FILE',
  ],
];

/** Truncated in the tests. Text formats cannot be detected as truncated. */
const TRUNCATED: readonly (readonly [type: FileType, file: Uint8Array])[] = [
  ['application/pdf', buildPdf([line, line])],
  [DOCX, buildDocx(wordParagraph('word '.repeat(200)))],
  [PPTX, buildPptx([slideShape(['A slide'], 'title')])],
  [EPUB, buildEpub('<p>A page</p>')],
  [ODT, buildOdt('<text:p>A page</text:p>')],
  [ODS, buildOds('<table:table table:name="A page"/>')],
  [ODP, buildOdp('<draw:page/>')],
  [XLSX, buildXlsx([{ name: 'A', rows: '<row><c><v>5</v></c></row>' }])],
  [RTF, Buffer.from('{\\rtf1\\ansi The first paragraph.\\par The second paragraph.\\par}')],
  ['application/json', Buffer.from(JSON.stringify([{ a: 1 }, { b: 'text' }]))],
];

describe('hostile files', () => {
  for (const [what, type, file, code] of FILES) {
    it(`rejects ${what} with ${code}`, async () => {
      await expect(parse(file, type)).rejects.toMatchObject({ name: 'DocumentError', code });
    });
  }

  for (const [type, file] of TRUNCATED) {
    it(`rejects a truncated ${type} with CORRUPT_FILE`, async () => {
      await expect(parse(file.subarray(0, Math.trunc(file.length * 0.6)), type)).rejects.toMatchObject({
        name: 'DocumentError',
        code: 'CORRUPT_FILE',
      });
    });
  }

  // Each of 200 pages with the same 2,000 links took 0.2 seconds.
  it('reads the first 50,000 annotations of a PDF file', async () => {
    const page = (links: string): string =>
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 6 0 R >> >> /Annots [${links}] >>`;
    const file = rawPdf(
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
      page('7 0 R '.repeat(50_000)),
      page('7 0 R'),
      streamObject('BT /F1 12 Tf 72 700 Td (The price list) Tj ET'),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Annot /Subtype /Link /Rect [72 697 160 712] /A << /S /URI /URI (https://a.example/1) >> >>',
    );
    const { text } = await parse(file, 'application/pdf');
    expect(text.split('\n\n')).toEqual(['The price list (https://a.example/1)', 'The price list']);
  });

  it('reads the pages of a page tree that contains itself', async () => {
    const document = await parse(buildPdf([line], { pageLoop: true }), 'application/pdf');
    expect(document.text).toBe('Text that can be read.');
    expect(document.warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringContaining('Pages 2 are damaged') },
    ]);
  });
});
