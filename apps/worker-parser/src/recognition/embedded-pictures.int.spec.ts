import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeDocument } from '@citewell/documents';
import type { FileType } from '@citewell/documents/file-type';
import {
  buildDocx,
  buildEpub,
  buildOdp,
  buildOds,
  buildOdt,
  buildPdf,
  buildPptx,
  buildXlsx,
  drawPages,
  pngOf,
  relationships,
  slideShape,
  wordParagraph,
} from '@citewell/documents/test-files';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ParserSandbox } from '../sandbox/parser-sandbox.js';
import { TextRecognition } from './text-recognition.js';

const [page] = drawPages(
  buildPdf([
    [
      { text: 'Ships that arrive after midnight pay the', y: 700, size: 16 },
      { text: 'night fee and wait for the pilot.', y: 676, size: 16 },
    ],
  ]),
);
const PNG = page === undefined ? Buffer.alloc(0) : pngOf(page);
const BASE64 = PNG.toString('base64');
const BLIP = '<p:blipFill><a:blip r:embed="p1"/></p:blipFill>';
const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';
const FRAME = '<draw:frame><draw:image xlink:href="Pictures/p.png"/></draw:frame>';
const cell = (content: string): string =>
  `<table:table-row><table:table-cell>${content}</table:table-cell></table:table-row>`;

/** Each has the picture between `Before` and `Behind`. */
const FILES: readonly (readonly [type: FileType, file: Uint8Array])[] = [
  [
    `${OOXML}.wordprocessingml.document`,
    buildDocx(
      wordParagraph('Before') +
        `<w:p><w:r><w:drawing><pic:pic>${BLIP}</pic:pic></w:drawing></w:r></w:p>` +
        wordParagraph('Behind'),
      {
        'word/_rels/document.xml.rels': relationships({ p1: ['image', 'media/p.png'] }),
        'word/media/p.png': PNG,
      },
    ),
  ],
  [
    `${OOXML}.presentationml.presentation`,
    buildPptx([slideShape(['Before']), `<p:pic>${BLIP}</p:pic>`, slideShape(['Behind'])], {
      parts: {
        'ppt/slides/_rels/slide2.xml.rels': relationships({ p1: ['image', '../media/p.png'] }),
        'ppt/media/p.png': PNG,
      },
    }),
  ],
  [
    `${OOXML}.spreadsheetml.sheet`,
    buildXlsx(
      ['Before', 'Behind'].map((name) => ({ name, rows: `<row><c t="str"><v>${name}</v></c></row>` })),
      {
        parts: {
          'xl/worksheets/_rels/sheet1.xml.rels': relationships({
            d1: ['drawing', '../drawings/drawing1.xml'],
          }),
          'xl/drawings/drawing1.xml': `<xdr:wsDr xmlns:xdr="x" xmlns:r="r" xmlns:p="p" xmlns:a="a"><xdr:oneCellAnchor><xdr:pic>${BLIP}</xdr:pic></xdr:oneCellAnchor></xdr:wsDr>`,
          'xl/drawings/_rels/drawing1.xml.rels': relationships({ p1: ['image', '../media/p.png'] }),
          'xl/media/p.png': PNG,
        },
      },
    ),
  ],
  [
    `${ODF}.text`,
    buildOdt(
      `<text:p>Before${FRAME}</text:p><table:table>${cell(`<text:p>Cell${FRAME}</text:p>`)}</table:table><text:p>Behind</text:p>`,
      {
        parts: { 'Pictures/p.png': PNG },
      },
    ),
  ],
  [
    `${ODF}.spreadsheet`,
    buildOds(
      `<table:table table:name="Before">${cell(`<text:p>x</text:p>${FRAME}`)}</table:table><table:table table:name="Behind">${cell('<text:p>y</text:p>')}</table:table>`,
      { parts: { 'Pictures/p.png': PNG } },
    ),
  ],
  [
    `${ODF}.presentation`,
    buildOdp(
      `<draw:page><draw:rect><text:p>Before</text:p></draw:rect></draw:page><draw:page>${FRAME}</draw:page><draw:page><draw:rect><text:p>Behind</text:p></draw:rect></draw:page>`,
      { parts: { 'Pictures/p.png': PNG } },
    ),
  ],
  [
    'text/html',
    Buffer.from(
      `<main><h1>Fees</h1><p>Before <img src="data:image/png;base64,${BASE64}"></p><p>Behind</p></main>`,
    ),
  ],
  [
    'application/epub+zip',
    buildEpub('<p>Before</p><p><img src="p.png"/></p><p>Behind</p>', { 'p.png': PNG }),
  ],
  [
    'message/rfc822',
    Buffer.from(
      `From: a@b.example\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n<p>Before</p><img src="cid:p1"><p>Behind</p>\n` +
        `--x\nContent-Type: image/png\nContent-ID: <p1>\nContent-Transfer-Encoding: base64\n\n${BASE64}\n--x--\n`,
    ),
  ],
];

describe('pictures in documents', () => {
  let folder: string;
  let sandbox: ParserSandbox;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pictures-'));
    sandbox = new ParserSandbox({
      processes: 1,
      timeoutMs: 60_000,
      maxMemoryBytes: 500 * 1024 ** 2,
      maxOutputCharacters: 100_000,
      scratchDirectory: join(folder, 'scratch'),
      recognition: new TextRecognition({ tesseract: 'no-such-program', languages: 'eng', parallel: 2 }),
    });
  });
  afterAll(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(FILES)('are read at their places: %s', async (fileType, file) => {
    const path = join(folder, 'file');
    await writeFile(path, file);
    const parsed = await sandbox.parse({ source: path, fileType, fileName: 'file' });
    const { text, blocks } = decodeDocument(parsed);
    const at = text.search(/Ships that arrive after midnight pay the\s+night fee and wait for the pilot/);
    expect(at).toBeGreaterThan(text.indexOf('Before'));
    expect(text.indexOf('Behind', at)).toBeGreaterThan(at);
    const { page: number } = blocks.find(({ end }) => end > at) ?? {};
    if (fileType.includes('presentation')) expect(number).toBe(2);
    expect(parsed).toMatchObject({ hasUnrecognizedPages: false, warnings: [] });
  });

  it('are read in small files, and attached to messages', async () => {
    const message = `From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee below.\n--x\nContent-Type: image/png; name=scan.png\nContent-Transfer-Encoding: base64\n\n${BASE64}\n--x--\n`;
    const parsed = await sandbox.parse({
      source: Buffer.from(message),
      fileType: 'message/rfc822',
      fileName: 'a.eml',
    });
    expect(decodeDocument(parsed).text).toMatch(
      /^From: a@b.example\s+See below\.\s+Attachment: scan\.png\s+scan\.png\s+Ships that arrive/,
    );
  });
});
