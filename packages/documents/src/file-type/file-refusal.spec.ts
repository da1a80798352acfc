import type { FileRefusal } from '@citewell/contracts/errors';
import { describe, expect, it } from '@jest/globals';
import { buildOdp, buildOds, buildPptx, buildZip } from '../test-files/index.js';
import { detectFileType, isArchive } from './detect-file-type.js';
import { refusalOf } from './file-refusal.js';

const hex = (digits: string): Buffer => Buffer.concat([Buffer.from(digits, 'hex'), Buffer.alloc(64)]);
const text = (content: string): Buffer => Buffer.from(content, 'utf8');
const zip = (...names: string[]): Buffer =>
  Buffer.from(buildZip(Object.fromEntries(names.map((name) => [name, 'x']))));

/** A compound file whose directory, in sector 0, lists a stream. */
function compoundFile(stream: string): Buffer {
  const file = Buffer.alloc(1024);
  file.write('d0cf11e0a1b11ae1', 'hex');
  file.writeUInt16LE(9, 30);
  file.write(stream, 512, 'utf16le');
  return file;
}

/** An OpenDocument file: its first entry is its type, uncompressed. */
function openDocument(type: string): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  return Buffer.concat([header, text(`mimetypeapplication/vnd.oasis.opendocument.${type}`), zip('a')]);
}

const flatOpenDocument = (type: string): string =>
  `<?xml version="1.0"?><office:document office:mimetype="application/vnd.oasis.opendocument.${type}"/>`;

const unreadable = (kind: string) => ({ reason: 'UNREADABLE_FILE', kind });
const misnamed = (kind: string, extension: string) => ({ reason: 'MISNAMED_FILE', kind, extension });

const PDF = text('%PDF-1.7\n');
/** The header of a picture, and the beginning of its data. */
const PNG = hex('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000a49444154');
const ROWS: readonly [fileName: string, bytes: Buffer, mime: string, expected: object][] = [
  ['a.pdf', Buffer.alloc(0), 'application/pdf', { reason: 'EMPTY_FILE' }],
  ['a.doc', compoundFile('WordDocument'), 'application/msword', unreadable('OLD_WORD')],
  ['A.DOC', compoundFile('?'), '', unreadable('OLD_WORD')],
  ['a.docx', compoundFile('WordDocument'), '', misnamed('OLD_WORD', 'docx')],
  ['a.xls', compoundFile('Workbook'), '', unreadable('OLD_EXCEL')],
  ['a.csv', compoundFile('Workbook'), 'text/csv', misnamed('OLD_EXCEL', 'csv')],
  ['a.xlsb', zip('[Content_Types].xml', 'xl/workbook.bin'), '', unreadable('OLD_EXCEL')],
  ['a.ppt', compoundFile('PowerPoint Document'), '', unreadable('OLD_POWERPOINT')],
  ['a.msg', compoundFile('__nameid_version1.0'), '', unreadable('OUTLOOK')],
  ['a.doc', compoundFile('EncryptedPackage'), '', unreadable('ENCRYPTED')],
  ['a.hwp', compoundFile('HwpSummaryInformation'), '', unreadable('WORD_PROCESSOR')],
  ['noname', compoundFile('?'), '', unreadable('OLD_OFFICE')],
  ['a.pages', zip('Index/Document.iwa'), '', unreadable('PAGES')],
  ['a.numbers', zip('Index/Document.iwa'), '', unreadable('NUMBERS')],
  ['a.key', zip('Index/Document.iwa', 'Index/Slide.iwa'), '', unreadable('KEYNOTE')],
  ['a.docx', zip('Index/Document.iwa'), '', misnamed('PAGES', 'docx')],
  ['a.txt', Buffer.from(buildOds('')), '', misnamed('ODS', 'txt')],
  ['a.csv', Buffer.from(buildOdp('')), '', misnamed('ODP', 'csv')],
  ['a.odg', openDocument('graphics'), '', unreadable('DRAWING')],
  ['a.vsdx', zip('visio/document.xml'), '', unreadable('DRAWING')],
  ['a.jar', zip('META-INF/MANIFEST.MF'), '', unreadable('PROGRAM')],
  ['photo.txt', PNG, 'text/plain', misnamed('PICTURE', 'txt')],
  ['photo.pdf', PNG, 'application/pdf', misnamed('PICTURE', 'pdf')],
  ['photo.png', text('hello'), 'image/png', misnamed('TEXT', 'png')],
  ['photo.heic', text('\0\0\0\u0018ftypheic\0\0\0\0'), '', unreadable('IMAGE')],
  ['logo.svg', text('<?xml version="1.0"?>\n<svg xmlns="x"/>'), '', unreadable('IMAGE')],
  ['a.mp4', text('\0\0\0\u0018ftypisom\0\0\0\0'), '', unreadable('VIDEO')],
  ['a.m4a', text('\0\0\0\u0018ftypM4A \0\0\0\0'), '', unreadable('AUDIO')],
  ['a.mp3', hex('fffb9064'), '', unreadable('AUDIO')],
  ['a.exe', hex('4d5a9000'), '', unreadable('PROGRAM')],
  ['a.ttf', hex('0001000000'), '', unreadable('FONT')],
  ['a.sqlite', text('SQLite format 3\0'), '', unreadable('DATABASE')],
  ['a.rar', hex('526172211a0700'), '', unreadable('ARCHIVE')],
  ['a.7z', hex('377abcaf271c'), '', unreadable('ARCHIVE')],
  ['a.zip', hex('526172211a0700'), 'application/zip', misnamed('ARCHIVE', 'zip')],
  ['a.zip', text('<!doctype html><p>Sign in'), '', misnamed('HTML', 'zip')],
  ['a.pdf', text('<!doctype html><p>Sign in'), '', misnamed('HTML', 'pdf')],
  ['a.pdf', text('hello'), '', misnamed('TEXT', 'pdf')],
  ['a.txt', PDF, '', misnamed('PDF', 'txt')],
  ['a.epub', zip('a.txt'), '', misnamed('ZIP', 'epub')],
  ['a.md', Buffer.from(buildPptx([])), '', misnamed('PPTX', 'md')],
  ['a.bin', zip('a.txt').subarray(0, 40), '', unreadable('INCOMPLETE')],
  ['a.mobi', Buffer.concat([Buffer.alloc(60), text('BOOKMOBI')]), '', unreadable('EBOOK')],
  ['a.xml', text('<?xml version="1.0"?><a/>'), '', unreadable('XML')],
  ['a.fodt', text(flatOpenDocument('text')), '', unreadable('WORD_PROCESSOR')],
  ['a.xml', text(flatOpenDocument('spreadsheet')), '', unreadable('OPEN_SPREADSHEET')],
  ['a.fodp', text('<?xml version="1.0"?><a/>'), '', unreadable('OPEN_PRESENTATION')],
  [
    'a.xls',
    text('<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'),
    '',
    unreadable('OLD_EXCEL'),
  ],
  ['a.dbx', hex('cfad12fe'), '', unreadable('OUTLOOK')],
  ['a.eps', text('%!PS-Adobe'), '', unreadable('PRINT_FILE')],
  ['a.dat', hex('00112233'), '', unreadable('BINARY')],
  ['a.gpg', hex('85020c03'), '', unreadable('ENCRYPTED')],
  [
    'a.txt',
    text('hello'),
    'application/pdf',
    { reason: 'MISDECLARED_FILE', kind: 'TEXT', type: 'application/pdf' },
  ],
  ['a.bin', PDF, 'text/markdown', { reason: 'MISDECLARED_FILE', kind: 'PDF', type: 'text/markdown' }],
  ['a.dll', zip('a.txt'), '', misnamed('ZIP', 'dll')],
];

describe('the refusal of a file', () => {
  it.each(ROWS)('%s, %#', async (fileName, bytes, declaredMimeType, expected) => {
    const source = {
      size: bytes.length,
      read: async (start: number, end: number) => bytes.subarray(start, end),
    };
    const declared = { fileName, declaredMimeType };
    // It is asked for only when no type was found.
    if (bytes.length > 0)
      expect([await detectFileType(source, declared), await isArchive(source, declared)]).toEqual([
        null,
        false,
      ]);
    expect(await refusalOf(source, declared)).toEqual(expected satisfies object as FileRefusal);
  });
});
