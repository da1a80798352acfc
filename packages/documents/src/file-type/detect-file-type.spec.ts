import { describe, expect, it } from '@jest/globals';
import {
  buildDocx,
  buildEpub,
  buildOdp,
  buildOdt,
  buildPdf,
  buildPptx,
  buildXlsx,
  buildZip,
  wordParagraph,
} from '../test-files/index.js';
import { detectFileType, isArchive } from './detect-file-type.js';
import { DOCX, EPUB, type FileType, ODP, ODS, ODT, PPTX, RTF, XLSX } from './file-type.js';

const text = (content: string): Uint8Array => Buffer.from(content);
const pdf = buildPdf([[{ text: 'Hello', y: 700 }]]);
const docx = buildDocx(wordParagraph('Hello'));
const epub = buildEpub('<p>Hello</p>');
const odt = buildOdt('<text:p>Hello</text:p>');
const spreadsheet = buildZip({
  mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
  'content.xml': '',
});
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const elf = Buffer.from('7f454c4602010100', 'hex');

type Row = readonly [
  what: string,
  bytes: Uint8Array,
  fileName: string,
  mime: string | undefined,
  expected: FileType | null,
];

/** An Office file whose main part has an unusual name and content type. */
function renamed(
  part: string,
  contentType: string,
  { target = `/${part}`, namespace = 'http://schemas.openxmlformats.org/officeDocument/2006' } = {},
): Uint8Array {
  return buildZip({
    '[Content_Types].xml': `<Types><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/${contentType}.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${namespace}/relationships/extended-properties" Target="docProps/app.xml"/><Relationship Id="b" Type="${namespace}/relationships/officeDocument" Target="${target}"/></Relationships>`,
    [part]: '<x/>',
  });
}

const STRICT = { namespace: 'http://purl.oclc.org/ooxml/officeDocument' };
const OOXML = 'vnd.openxmlformats-officedocument';
const strictDocx = renamed('word/document.xml', `${OOXML}.wordprocessingml.document`, STRICT);
const macros = renamed('xl/book 1.xml', 'vnd.ms-excel.sheet.macroEnabled', { target: 'xl/book%201.xml' });
const template = renamed('doc/main2.xml', `${OOXML}.wordprocessingml.template`);
const show = renamed('Slides/Show.xml', `${OOXML}.presentationml.slideshow`, { target: 'slides/show.xml' });
const binaryWorkbook = renamed('xl/workbook.bin', 'vnd.ms-excel.sheet.binary.macroEnabled');
const drawing = renamed('visio/document.xml', 'vnd.ms-visio.drawing');
const odtMimetypeLast = buildZip({
  'content.xml': '<x/>',
  mimetype: 'application/vnd.oasis.opendocument.text',
});

const openDocumentTemplate = buildZip({ mimetype: `${ODP}-template` });
const openDocumentDrawing = buildZip({ mimetype: 'application/vnd.oasis.opendocument.graphics' });
const openDocumentManifest = buildZip({
  'META-INF/manifest.xml': `\ufeff<manifest:manifest><manifest:file-entry manifest:full-path="/" manifest:media-type="${ODS}"/></manifest:manifest>`,
});

/** In UTF-16, both high and low bytes of this text have zeros. */
const CHINESE = '一九三二年春天，一个人从北京来。\n第二年他又回去了，一共走了一个月。';

function sineWave(): Buffer {
  const samples = Int16Array.from({ length: 4_000 }, (_, n) => 9_000 * Math.sin(n / 15));
  return Buffer.from(samples.buffer);
}

const ROWS: readonly Row[] = [
  ['PDF', pdf, 'a.pdf', 'application/pdf', 'application/pdf'],
  ['PDF without name or type', pdf, '', undefined, 'application/pdf'],
  ['PDF, generic type', pdf, 'a.pdf', 'application/octet-stream', 'application/pdf'],
  ['PDF named .txt', pdf, 'a.txt', undefined, null],
  ['PDF declared as text', pdf, 'a', 'text/markdown', null],
  ['PDF declared as text/plain by a form parser', pdf, 'a', 'text/plain', 'application/pdf'],
  ['PDF after junk, claimed', Buffer.concat([text('junk\n'), pdf]), 'a.pdf', undefined, 'application/pdf'],
  ['text that mentions PDF', text('the magic is %PDF-1.4'), 'a.txt', undefined, 'text/plain'],
  ['docx', docx, 'a.docx', undefined, DOCX],
  ['docx named .pptx', docx, 'a.pptx', undefined, DOCX],
  ['docx named .md', docx, 'a.md', undefined, null],
  ['pptx', buildPptx([]), 'a.pptx', PPTX, PPTX],
  ['xlsx', buildXlsx([]), 'A.XLSX', undefined, XLSX],
  ['docx in the strict format', strictDocx, 'a.docx', undefined, DOCX],
  ['workbook with macros', macros, 'a.xlsm', undefined, XLSX],
  ['template with another main part', template, 'a.dotx', undefined, DOCX],
  ['slide show whose names differ in case', show, 'a.ppsx', undefined, PPTX],
  ['workbook in the binary format', binaryWorkbook, 'a.xlsx', undefined, null],
  ['drawing of Visio', drawing, 'a.vsdx', undefined, null],
  ['ODT whose type is not the first entry', odtMimetypeLast, 'a.odt', undefined, ODT],
  ['EPUB', epub, 'a.epub', 'application/epub+zip', EPUB],
  ['EPUB without name or type', epub, '', undefined, EPUB],
  ['truncated EPUB', epub.subarray(0, 200), 'a.epub', undefined, EPUB],
  ['zip named .epub', buildZip({ 'a.txt': 'x' }), 'a.epub', undefined, null],
  ['text named .epub', text('hello'), 'a.epub', undefined, null],
  ['ODT', odt, 'a.odt', 'application/vnd.oasis.opendocument.text', ODT],
  ['ODT without name or type', odt, '', undefined, ODT],
  ['ODT named .txt', odt, 'a.txt', undefined, null],
  ['truncated ODT', odt.subarray(0, 200), 'a.odt', undefined, ODT],
  ['OpenDocument spreadsheet', spreadsheet, 'a.ods', undefined, ODS],
  ['OpenDocument spreadsheet named .odt', spreadsheet, 'a.odt', undefined, ODS],
  ['OpenDocument presentation', buildOdp(''), '', undefined, ODP],
  ['OpenDocument template', openDocumentTemplate, 'a.otp', undefined, ODP],
  ['OpenDocument without a type of its own', openDocumentManifest, 'a.ods', undefined, ODS],
  ['OpenDocument drawing', openDocumentDrawing, 'a.odg', undefined, null],
  ['zip that is not a docx', buildZip({ 'a.txt': 'x' }), 'a.docx', DOCX, null],
  ['truncated zip', docx.subarray(0, 200), 'a.docx', undefined, DOCX],
  ['truncated zip that claims nothing', docx.subarray(0, 200), 'a.bin', undefined, null],
  ['truncated zip named .txt', docx.subarray(0, 200), 'a.txt', DOCX, null],
  ['zip named .txt', buildZip({ 'a.txt': 'x' }), 'a.txt', undefined, null],
  ['PNG named .pdf', png, 'a.pdf', 'application/pdf', null],
  ['PNG named .jpg', png, 'a.jpg', 'image/jpeg', 'image/png'],
  [
    'TIFF with its directory at the end',
    Buffer.from('4d4d002a00ffffff', 'hex'),
    'a.tif',
    undefined,
    'image/tiff',
  ],
  ['PNG named .txt', png, 'a.txt', 'text/plain', null],
  ['ELF named .docx', elf, 'a.docx', undefined, null],
  ['ELF named .csv', elf, 'a.csv', undefined, null],
  ['text named .pdf', text('hello'), 'a.pdf', undefined, null],
  ['text named .zip', text('hello'), 'a.zip', 'application/zip', null],
  ['text declared as PDF', text('hello'), 'a.txt', 'application/pdf', null],
  ['plain text', text('hello'), 'a.txt', 'text/plain; charset=utf-8', 'text/plain'],
  ['text by extension, generic type', text('a,b'), 'a.csv', 'application/octet-stream', 'text/csv'],
  [
    'csv with the type that browsers on Windows send',
    text('a,b'),
    'a.csv',
    'application/vnd.ms-excel',
    'text/csv',
  ],
  ['extension before text/plain', text('# hi'), 'a.md', 'text/plain', 'text/markdown'],
  ['declared type before .txt', text('# hi'), 'a.txt', 'text/markdown', 'text/markdown'],
  ['declared type, no extension', text('a;b'), 'export', 'text/csv', 'text/csv'],
  ['alias of a declared type', text('# hi'), 'notes', 'text/x-markdown', 'text/markdown'],
  ['JSON by extension', text('{}'), 'a.json', undefined, 'application/json'],
  ['JSON by content', text(' {"a": [1]}\n'), 'a', 'application/octet-stream', 'application/json'],
  [
    'a manual page with bold letters',
    text('N\bNA\bAM\bME\bE\n'.repeat(50)),
    'a.man',
    undefined,
    'text/plain',
  ],
  ['unknown extension, text', text('x = 1'), 'a.ini', undefined, 'text/plain'],
  ['HTML by extension', text('<p>x'), 'a.htm', 'application/octet-stream', 'text/html'],
  ['HTML by declared type', text('<p>x'), 'a', 'text/html; charset=utf-8', 'text/html'],
  ['HTML by content', text('\ufeff <!DOCTYPE html><p>x'), 'a', undefined, 'text/html'],
  ['e-mail by extension', text('From: a\n\nx'), 'a.eml', undefined, 'message/rfc822'],
  [
    'a mailbox by extension',
    text('From a@b.example Mon Mar  2 10:00:00 2026\nFrom: a\n\nx'),
    'a.mbox',
    undefined,
    'message/rfc822',
  ],
  ['a message of Mail of Apple', text('3\nFrom: a\n\nx'), 'a.emlx', undefined, 'message/rfc822'],
  ['a saved page', text('MIME-Version: 1.0\n\nx'), 'a.mhtml', 'multipart/related', 'message/rfc822'],
  ['e-mail by declared type', text('From: a\n\nx'), 'a', 'message/rfc822', 'message/rfc822'],
  ['e-mail by content', text('Received: from a\r\n\r\nx'), 'a', undefined, 'message/rfc822'],
  ['a note that begins with a subject', text('Subject: x'), 'a', undefined, 'text/plain'],
  ['PNG named .eml', png, 'a.eml', undefined, null],
  ['PNG named .html', png, 'a.html', 'text/html', null],
  ['XML without a claim', text('<?xml version="1.0"?><a/>'), 'a.xml', undefined, null],
  ['RTF', text('{\\rtf1 x}'), 'a.rtf', 'text/rtf', RTF],
  ['RTF named .doc', text('{\\rtf1 x}'), 'a.doc', 'application/msword', RTF],
  ['RTF named .txt', text('{\\rtf1 x}'), 'a.txt', undefined, null],
  ['text named .rtf', text('hello'), 'a.rtf', undefined, null],
  ['HTML inside of .txt', text('<html>'), 'a.txt', undefined, 'text/plain'],
  ['zero byte in text', text('abc\0def'), 'a.txt', undefined, null],
  [
    'zero byte in the middle of long text',
    text(`${'a'.repeat(9000)}\0${'a'.repeat(9000)}`),
    'a.txt',
    undefined,
    null,
  ],
  ['UTF-16 with byte order mark', Buffer.from('\ufeffhello', 'utf16le'), 'a.txt', undefined, 'text/plain'],
  ['UTF-16 without byte order mark', Buffer.from('hello world', 'utf16le'), 'a.txt', undefined, 'text/plain'],
  ['UTF-16 big-endian', Buffer.from('hello world', 'utf16le').swap16(), 'a.csv', undefined, 'text/csv'],
  ['UTF-16 of Chinese with U+4E00', Buffer.from(CHINESE, 'utf16le'), 'a.txt', undefined, 'text/plain'],
  ['the same, big-endian', Buffer.from(CHINESE, 'utf16le').swap16(), 'a.txt', undefined, 'text/plain'],
  ['16-bit audio samples', sineWave(), 'a.txt', undefined, null],
  ['Latin-1 text', Buffer.from('caf\u00e9 cr\u00e8me', 'latin1'), 'a.txt', undefined, 'text/plain'],
  ['a few control characters', text('a\u0001\u0002\u001f\u007fb'), 'a.txt', undefined, 'text/plain'],
  ['empty file named .txt', text(''), 'a.txt', undefined, 'text/plain'],
  ['empty file named .pdf', text(''), 'a.pdf', undefined, null],
  ['names of prototype properties', text('x'), 'a.constructor', 'toString', 'text/plain'],
];

describe('detectFileType', () => {
  for (const [what, bytes, fileName, mime, expected] of ROWS) {
    it(`${what}: ${expected ?? 'rejected'}`, async () => {
      const source = {
        size: bytes.length,
        read: async (start: number, end: number) => bytes.subarray(start, end),
      };
      const declared = mime === undefined ? { fileName } : { fileName, declaredMimeType: mime };
      expect(await detectFileType(source, declared)).toBe(expected);
    });
  }

  it('reads further extensions as plain text, if the content is text', async () => {
    const typeOf = (bytes: Uint8Array, fileName: string, declaredMimeType = 'text/html') =>
      detectFileType(
        { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) },
        { fileName, declaredMimeType, plainTextExtensions: ['xml', 'hbs', 'md', 'pdf'] },
      );
    expect(await typeOf(text('<?xml version="1.0"?><a/>'), 'A.XML', 'text/xml')).toBe('text/plain');
    expect(await typeOf(text('<html>{{title}}</html>'), 'page.hbs')).toBe('text/plain');
    expect(await typeOf(text('# hi'), 'a.md')).toBe('text/markdown');
    expect(await typeOf(pdf, 'a.pdf', 'application/pdf')).toBe('application/pdf');
    expect(await typeOf(png, 'a.xml')).toBeNull();
  });

  it('detects an encrypted Office file by its name, so that its parser asks for the password', async () => {
    const bytes = encryptedOffice();
    const source = {
      size: bytes.length,
      read: async (start: number, end: number) => bytes.subarray(start, end),
    };
    expect(await detectFileType(source, { fileName: 'a.docx' })).toBe(DOCX);
    expect(await detectFileType(source, { fileName: 'a.doc' })).toBeNull();
    expect(await detectFileType(source, { fileName: 'a.epub' })).toBeNull();
    expect(await detectFileType(source, { fileName: 'a.odt' })).toBeNull();
    expect(await detectFileType(source, { fileName: 'a.txt' })).toBeNull();
  });
});

/** A compound file whose directory, in sector 0, lists an encrypted package. */
function encryptedOffice(): Buffer {
  const file = Buffer.alloc(1024);
  file.write('d0cf11e0a1b11ae1', 'hex');
  file.writeUInt16LE(9, 30);
  file.write('EncryptedPackage', 512, 'utf16le');
  return file;
}

const zip = buildZip({ 'a.txt': 'x' });

describe('isArchive', () => {
  it.each([
    ['a zip', zip, 'a.zip', undefined, true],
    ['a zip with capitals and a generic type', zip, 'A.ZIP', 'application/octet-stream', true],
    ['a truncated zip', zip.subarray(0, 30), 'a.zip', undefined, true],
    ['a zip without files', buildZip({}), 'a.zip', undefined, true],
    ['a zip without a name', zip, '', 'application/zip; a=b', true],
    ['a zip of Windows without a name', zip, 'blob', 'application/x-zip-compressed', true],
    ['a zip without name and type', zip, 'blob', undefined, false],
    ['a zip of another kind', zip, 'a.jar', 'application/zip', false],
    ['a spreadsheet', zip, 'a.ods', undefined, false],
    ['a text', Buffer.from('hello'), 'a.zip', 'application/zip', false],
    ['nothing', Buffer.alloc(0), 'a.zip', undefined, false],
  ])('%s', async (_what, bytes, fileName, mime, expected) => {
    const source = {
      size: bytes.length,
      read: async (start: number, end: number) => bytes.subarray(start, end),
    };
    const declared = { fileName, ...(mime === undefined ? {} : { declaredMimeType: mime }) };
    expect(await isArchive(source, declared)).toBe(expected);
  });
});
