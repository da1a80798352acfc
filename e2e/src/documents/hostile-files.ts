import type { INGESTION_ERRORS } from '@citewell/contracts/errors';
import {
  buildDocx,
  buildPdf,
  buildPptx,
  buildRawPdf,
  buildXlsx,
  buildZip,
  drawPages,
  slideShape,
  wordParagraph,
} from '@citewell/documents/test-files';

/** A malicious or damaged file, and the error that its datasource must end with. */
export interface HostileFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly code: keyof typeof INGESTION_ERRORS;
  /** Expected message, where it says more than the code. */
  readonly message?: RegExp;
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'));
const truncate = (file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  file.slice(0, Math.trunc(file.length * 0.6));
const line = (text: string) => [{ text, y: 700 }];

/** Nested XML entities that expand to a billion characters. */
const BILLION_LAUGHS = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, n) => {
  const name = String.fromCharCode(98 + n);
  return `<!ENTITY ${name} "${`&${String.fromCharCode(97 + n)};`.repeat(10)}">`;
}).join('')}]>`;
const EXTERNAL = '<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/passwd">]>';

const docxWith = (doctype: string): Uint8Array<ArrayBuffer> =>
  buildDocx('', {
    'word/document.xml': `${doctype}<w:document xmlns:w="w"><w:body>${wordParagraph('&j;')}</w:body></w:document>`,
  });
const xlsxWith = (doctype: string): Uint8Array<ArrayBuffer> =>
  buildXlsx([{ name: 'A', rows: '' }], {
    parts: {
      'xl/worksheets/sheet1.xml': `${doctype}<worksheet><sheetData><row><c t="str"><v>&j;</v></c></row></sheetData></worksheet>`,
    },
  });
const manyParts = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`word/media/${n}.txt`, '']));

/** @param maxCharacters the deployment's `PARSER_MAX_CHARACTERS` */
export function hostileFiles(maxCharacters: number): HostileFile[] {
  return [
    {
      name: 'bomb.docx',
      content: buildDocx(wordParagraph('0'.repeat(30_000_000))),
      code: 'TOO_COMPLEX',
      message: /unpacks to more than 200 times its size/,
    },
    {
      name: 'bomb.xlsx',
      content: buildXlsx([{ name: 'A', rows: `<row><c><v>${'0'.repeat(30_000_000)}</v></c></row>` }]),
      code: 'TOO_COMPLEX',
      message: /unpacks to more than 200 times its size/,
    },
    {
      name: 'parts.docx',
      content: buildDocx(wordParagraph('x'), manyParts),
      code: 'TOO_COMPLEX',
      message: /more than 20,000 parts/,
    },
    { name: 'laughs.docx', content: docxWith(BILLION_LAUGHS), code: 'CORRUPT_FILE' },
    { name: 'laughs.xlsx', content: xlsxWith(BILLION_LAUGHS), code: 'CORRUPT_FILE' },
    { name: 'external.docx', content: docxWith(EXTERNAL), code: 'CORRUPT_FILE' },
    { name: 'external.xlsx', content: xlsxWith(EXTERNAL), code: 'CORRUPT_FILE' },
    {
      name: 'deep.docx',
      content: buildDocx('<w:sdt>'.repeat(100_000)),
      code: 'TOO_COMPLEX',
      message: /deeper than 250 levels/,
    },
    {
      name: 'deep.json',
      content: bytes('{"a":'.repeat(500_000)),
      code: 'TOO_COMPLEX',
      message: /deeper than 200 levels/,
    },
    {
      name: 'long.txt',
      content: bytes('long '.repeat(maxCharacters / 4)),
      code: 'TOO_COMPLEX',
      message: new RegExp(`more than ${maxCharacters.toLocaleString('en')} characters`),
    },
    // A page tree that contains itself, and one that lists the same page 20,000 times.
    {
      name: 'loop.pdf',
      content: buildRawPdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [2 0 R] /Count 100000000 >>',
      ]),
      code: 'CORRUPT_FILE',
    },
    {
      name: 'again.pdf',
      content: buildRawPdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Kids [${'3 0 R '.repeat(20_000)}] /Count 20000 >>`,
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>',
      ]),
      code: 'TOO_COMPLEX',
      message: /same pages/,
    },
    {
      name: 'locked.pdf',
      content: buildPdf([line('Secret')], { encrypted: true }),
      code: 'PASSWORD_REQUIRED',
    },
    {
      name: 'scan.pdf',
      content: buildPdf(drawPages(buildPdf([line('One'), line('Two')]))),
      code: 'OCR_REQUIRED',
      message: /^Pages 1-2 are scanned images\..*install tesseract-ocr and poppler-utils/,
    },
    { name: 'blank.pdf', content: buildPdf([[], []]), code: 'EMPTY_DOCUMENT' },
    { name: 'cut.pdf', content: truncate(buildPdf([line('A page'), line('Another')])), code: 'CORRUPT_FILE' },
    {
      name: 'cut.docx',
      content: truncate(buildDocx(wordParagraph('word '.repeat(200)))),
      code: 'CORRUPT_FILE',
    },
    {
      name: 'cut.pptx',
      content: truncate(buildPptx([slideShape(['A slide'], 'title')])),
      code: 'CORRUPT_FILE',
    },
    {
      name: 'cut.xlsx',
      content: truncate(buildXlsx([{ name: 'A', rows: '<row><c><v>5</v></c></row>' }])),
      code: 'CORRUPT_FILE',
    },
    {
      name: 'cut.json',
      content: truncate(bytes(JSON.stringify([{ a: 1 }, { b: 'text' }]))),
      code: 'CORRUPT_FILE',
    },
    { name: 'nothing.md', content: bytes(' \n\n \n'), code: 'EMPTY_DOCUMENT' },
  ];
}

/** Files of other types, named as if they were of a supported one. */
export const REFUSED_FILES: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer>])[] = [
  ['setup.pdf', bytes(`\u007fELF\u0002\u0001\u0001${'\0'.repeat(500)}`)],
  ['setup.txt', bytes(`MZ\u0090\0\u0003${'\0'.repeat(500)}`)],
  ['archive.docx', buildZip({ 'readme.txt': 'hello' })],
];

/** Text files truncated within a character, a code block or a cell. */
export const TRUNCATED_TEXTS: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer>])[] = [
  ['cut.txt', bytes('The text ends in a caf\u00c3')],
  ['cut.md', bytes('# A heading\n\n```js\nconst a = ')],
  ['cut.csv', bytes('name,remark\nBergen,"a remark that does not')],
];
