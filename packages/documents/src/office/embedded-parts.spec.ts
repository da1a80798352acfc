import { describe, expect, it } from '@jest/globals';
import { DOCX, PPTX, XLSX } from '../file-type/file-type.js';
import {
  buildDocx,
  buildEpub,
  buildOdt,
  buildPptx,
  buildXlsx,
  graphic,
  relationships,
  slideShape,
  wordParagraph,
} from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const row = (...texts: string[]): string =>
  `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join('')}</row>`;
const WORKBOOK = buildXlsx([{ name: 'Tariff', rows: row('Zone', 'Price') + row('North', '4.20') }]);
const OLD_OBJECT = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]);
const object = (id: string, program: string): string =>
  `<w:r><w:object><o:OLEObject Type="Embed" ProgID="${program}" r:id="${id}"/></w:object></w:r>`;
const TABLE = [
  ['heading2', 'Tariff'],
  ['table', 'Zone | Price\nNorth | 4.20'],
];

describe('EmbeddedFiles', () => {
  it('reads files in a Word document at their places, each once, and names those that it cannot read', async () => {
    const body =
      wordParagraph('First', 'Heading1') +
      `<w:p>${object('r1', 'Excel.Sheet.12')}${object('r2', 'Equation.3')}${object('r3', 'Equation.3')}</w:p>` +
      wordParagraph('Between') +
      `<w:tbl><w:tr><w:tc><w:p>${object('r1', 'Excel.Sheet.12')}${object('r4', 'Word.Document.12')}</w:p></w:tc><w:tc>${wordParagraph('Cell')}</w:tc></w:tr></w:tbl>`;
    const inner = buildDocx(
      '<w:p><w:r><w:t>Inner</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r></w:p>',
      {
        'docProps/core.xml': '<cp:coreProperties><dc:title>Not this</dc:title></cp:coreProperties>',
      },
    );
    const file = buildDocx(body, {
      'word/_rels/document.xml.rels': relationships({
        r1: ['package', 'embeddings/a.xlsx'],
        r2: ['oleObject', 'embeddings/b.bin'],
        r3: ['oleObject', 'embeddings/c.bin'],
        r4: ['package', 'embeddings/d.docx'],
        r5: ['package', 'embeddings/missing.docx'],
      }),
      'word/embeddings/a.xlsx': WORKBOOK,
      'word/embeddings/b.bin': OLD_OBJECT,
      'word/embeddings/c.bin': OLD_OBJECT,
      'word/embeddings/d.docx': inner,
    });
    const document = await parse(file, DOCX);
    expect(outline(document)).toEqual([
      ['heading1', 'First'],
      ...TABLE,
      ['paragraph', 'Between'],
      ['table', '| Cell'],
      ['paragraph', 'Inner'],
    ]);
    expect(document.blocks.map(({ headingPath }) => headingPath.join('/'))).toEqual([
      '',
      'First',
      'First/Tariff',
      'First',
      'First',
      'First',
    ]);
    const [, , table] = document.blocks;
    expect(document.text.slice(table?.start, table?.headerEnd)).toBe('Zone | Price');
    expect([document.title, document.metadata, document.leftOut]).toEqual(['First', {}, { hidden: 1 }]);
    expect(document.warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringContaining('Equation.3 (2).') },
    ]);
  });

  it('reads files on slides and in sheets', async () => {
    const frame =
      '<p:graphicFrame><a:graphic><a:graphicData><mc:AlternateContent><mc:Choice Requires="v"><p:oleObj r:id="r1" progId="Excel.Sheet.12"><p:embed/></p:oleObj></mc:Choice><mc:Fallback><p:oleObj r:id="r1"/></mc:Fallback></mc:AlternateContent></a:graphicData></a:graphic></p:graphicFrame>';
    const slides = buildPptx([slideShape(['Title'], 'title') + frame], {
      parts: {
        'ppt/slides/_rels/slide1.xml.rels': relationships({ r1: ['package', '../embeddings/a.xlsx'] }),
        'ppt/embeddings/a.xlsx': WORKBOOK,
      },
    });
    const document = await parse(slides, PPTX);
    expect(outline(document)).toEqual([['heading1', 'Title'], ...TABLE]);
    expect(document.blocks.map(({ page }) => page)).toEqual([1, 1, 1]);
    const sheet = buildXlsx([{ name: 'S', rows: row('x') }], {
      parts: {
        'xl/worksheets/_rels/sheet1.xml.rels': relationships({
          r1: ['package', '../embeddings/a.docx'],
          r2: ['oleObject', '../embeddings/b.bin'],
        }),
        'xl/embeddings/a.docx': buildDocx(wordParagraph('Inner')),
        'xl/embeddings/b.bin': OLD_OBJECT,
      },
    });
    const { text, warnings } = await parse(sheet, XLSX);
    expect(text).toBe('S\n\nx\n\nInner');
    expect(warnings[0]?.message).toContain('b.bin');
  });

  it('reads a file where it is shown', async () => {
    const frame = `<p:graphicFrame><a:graphic><a:graphicData><p:oleObj r:id = 'r1'/></a:graphicData></a:graphic></p:graphicFrame>`;
    const parts = Object.fromEntries(
      [1, 2].map((slide) => [
        `ppt/slides/_rels/slide${slide}.xml.rels`,
        relationships({ r1: ['package', '../embeddings/a.xlsx'] }),
      ]),
    );
    const slides = buildPptx([slideShape(['One']), slideShape(['Two']) + frame], {
      parts: { ...parts, 'ppt/embeddings/a.xlsx': WORKBOOK },
    });
    expect(outline(await parse(slides, PPTX))).toEqual([
      ['paragraph', 'One'],
      ['paragraph', 'Two'],
      ...TABLE,
    ]);
  });

  it('does not read files nested deeper than two levels', async () => {
    const nest = (inner: Uint8Array, text: string): Uint8Array =>
      buildDocx(wordParagraph(text) + `<w:p>${object('r1', 'Word.Document.12')}</w:p>`, {
        'word/_rels/document.xml.rels': relationships({ r1: ['package', 'inner.docx'] }),
        'word/inner.docx': inner,
      });
    const { text, warnings } = await parse(nest(nest(nest(WORKBOOK, 'c'), 'b'), 'a'), DOCX);
    expect(text).toBe('a\n\nb\n\nc');
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('Word.Document.12')]);
  });

  /** A document that shows files as objects, each named after its file. */
  const holding = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array => {
    const names = Object.keys(files);
    const body = wordParagraph('Text') + `<w:p>${names.map((name) => object(name, name)).join('')}</w:p>`;
    return buildDocx(body, {
      'word/_rels/document.xml.rels': relationships(
        Object.fromEntries(names.map((name) => [name, ['package', name] as const])),
      ),
      ...Object.fromEntries(Object.entries(files).map(([name, file]) => [`word/${name}`, file])),
    });
  };
  const many = Object.fromEntries(Array.from({ length: 11_000 }, (_, index) => [`${index}`, '']));
  const ODT_FILE = buildOdt('<text:p>Odt</text:p>', { parts: many });
  const EPUB_FILE = buildEpub('<p>Epub</p>', many);
  const BOMB = buildDocx(wordParagraph('0'.repeat(5_000_000)));

  it.each<[what: string, files: Record<string, string | Uint8Array>, text: string, unread: string]>([
    ['a file that unpacks to too much', { 'bomb.docx': BOMB, 'a.txt': 'Read' }, 'Text\n\nRead', 'bomb.docx'],
    ['a damaged file', { 'a.docx': 'PK', 'b.xlsx': WORKBOOK.subarray(0, 300) }, 'Text', 'a.docx, b.xlsx'],
    ['what exceeds the limits of all', { 'a.odt': ODT_FILE, 'b.epub': EPUB_FILE }, 'Text\n\nOdt', 'b.epub'],
    ['books, too', { 'a.epub': EPUB_FILE, 'b.odt': ODT_FILE }, 'Text\n\nEpub', 'b.odt'],
  ])('names %s, and reads the rest', async (_what, files, text, unread) => {
    const document = await parse(holding(files), DOCX);
    expect(document.text).toBe(text);
    expect(document.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining(`were not read: ${unread}.`),
    ]);
  });

  it('names charts without data that it knows, and charts and diagrams that are damaged', async () => {
    const shown = ['x', 'c', 'd'].map((id) => graphic(id === 'd' ? 'diagram' : 'chart', id)).join('');
    const fallback = '<mc:Fallback><w:t>This chart is not available in your version</w:t></mc:Fallback>';
    const alternatives = `<mc:AlternateContent><mc:Choice Requires="">${shown}</mc:Choice>${fallback}</mc:AlternateContent>`;
    const file = buildDocx(`<w:p><w:r><w:t>Text</w:t>${alternatives}</w:r></w:p>`, {
      'word/_rels/document.xml.rels': relationships({
        x: ['chartEx', 'waterfall.xml'],
        c: ['chart', 'chart.xml'],
        d: ['diagramData', 'data.xml'],
      }),
      'word/waterfall.xml':
        '<cx:chartSpace><cx:chartData><cx:data><cx:numDim><cx:lvl><cx:pt idx="0">7</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"/></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>',
      'word/chart.xml': '<c:chartSpace>',
      'word/data.xml': '<dgm:dataModel>',
    });
    const { text, warnings } = await parse(file, DOCX);
    expect(text).toBe('Text');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('were not read: waterfall.xml, chart.xml, data.xml.'),
    ]);
  });

  it('reads a file with a damaged part that nothing refers to', async () => {
    const file = buildDocx(wordParagraph('Text'), { 'word/people.xml': '<w15:people>' });
    const directory = Buffer.from(file).lastIndexOf('word/people.xml') - 46;
    // The sizes of the part in the directory are wrong.
    Buffer.from(file.buffer).writeUInt32LE(1_000_000, directory + 20);
    expect((await parse(file, DOCX)).text).toBe('Text');
  });
});
