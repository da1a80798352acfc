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

/** A file made to do harm, or damaged, and how it has to end. */
export interface HostileFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly code: keyof typeof INGESTION_ERRORS;
  /** What the user reads, where it says more than the code. */
  readonly message?: RegExp;
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'));
const cut = (file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  file.slice(0, Math.trunc(file.length * 0.6));
const line = (text: string) => [{ text, y: 700 }];

/** An entity of ten, ten times over: a billion characters if anybody expanded it. */
const BILLION_LAUGHS = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, n) => {
  const name = String.fromCharCode(98 + n);
  return `<!ENTITY ${name} "${`&${String.fromCharCode(97 + n)};`.repeat(10)}">`;
}).join('')}]>`;
const EXTERNAL = '<!DOCTYPE x [<!ENTITY j SYSTEM "file:///etc/passwd">]>';

const wordWith = (doctype: string): Uint8Array<ArrayBuffer> =>
  buildDocx('', {
    'word/document.xml': `${doctype}<w:document xmlns:w="w"><w:body>${wordParagraph('&j;')}</w:body></w:document>`,
  });
const sheetWith = (doctype: string): Uint8Array<ArrayBuffer> =>
  buildXlsx([{ name: 'A', rows: '' }], {
    parts: {
      'xl/worksheets/sheet1.xml': `${doctype}<worksheet><sheetData><row><c t="str"><v>&j;</v></c></row></sheetData></worksheet>`,
    },
  });
const manyParts = Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`word/media/${n}.txt`, '']));

/** @param maxCharacters the installation's limit */
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
    { name: 'laughs.docx', content: wordWith(BILLION_LAUGHS), code: 'CORRUPT_FILE' },
    { name: 'laughs.xlsx', content: sheetWith(BILLION_LAUGHS), code: 'CORRUPT_FILE' },
    { name: 'external.docx', content: wordWith(EXTERNAL), code: 'CORRUPT_FILE' },
    { name: 'external.xlsx', content: sheetWith(EXTERNAL), code: 'CORRUPT_FILE' },
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
    // A tree of pages whose only branch is itself, and one that shows its one page twenty thousand times.
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
      message: /^Pages 1-2 are pictures of text\..*install tesseract-ocr and poppler-utils/,
    },
    { name: 'blank.pdf', content: buildPdf([[], []]), code: 'EMPTY_DOCUMENT' },
    { name: 'cut.pdf', content: cut(buildPdf([line('A page'), line('Another')])), code: 'CORRUPT_FILE' },
    { name: 'cut.docx', content: cut(buildDocx(wordParagraph('word '.repeat(200)))), code: 'CORRUPT_FILE' },
    { name: 'cut.pptx', content: cut(buildPptx([slideShape(['A slide'], 'title')])), code: 'CORRUPT_FILE' },
    {
      name: 'cut.xlsx',
      content: cut(buildXlsx([{ name: 'A', rows: '<row><c><v>5</v></c></row>' }])),
      code: 'CORRUPT_FILE',
    },
    {
      name: 'cut.json',
      content: cut(bytes(JSON.stringify([{ a: 1 }, { b: 'text' }]))),
      code: 'CORRUPT_FILE',
    },
    { name: 'nothing.md', content: bytes(' \n\n \n'), code: 'EMPTY_DOCUMENT' },
  ];
}

/** None of the eight types, whatever their names say. */
export const REFUSED_FILES: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer>])[] = [
  ['setup.pdf', bytes(`\u007fELF\u0002\u0001\u0001${'\0'.repeat(500)}`)],
  ['setup.txt', bytes(`MZ\u0090\0\u0003${'\0'.repeat(500)}`)],
  ['archive.docx', buildZip({ 'readme.txt': 'hello' })],
];

/** Files of text that were cut off, in the middle of a character or a cell. */
export const CUT_TEXTS: readonly (readonly [name: string, content: Uint8Array<ArrayBuffer>])[] = [
  ['cut.txt', bytes('The text ends in a caf\u00c3')],
  ['cut.md', bytes('# A heading\n\n```js\nconst a = ')],
  ['cut.csv', bytes('name,remark\nBergen,"a remark that does not')],
];
