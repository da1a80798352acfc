import { describe, expect, it } from '@jest/globals';
import { DOCX } from '../file-type/file-type.js';
import {
  buildDocx,
  buildZip,
  chartPoints,
  chartSpace,
  diagramModel,
  graphic,
  relationships,
  wordParagraph,
} from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const item = (text: string, depth: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`;

const STYLES =
  '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>' +
  '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style>' +
  '<w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style></w:styles>';
const NUMBERING =
  '<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>' +
  '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>' +
  '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>';

describe('docxParser', () => {
  it('reads headings by style, lists, code, tables and text boxes', async () => {
    const box = `<w:p><w:r><w:t>Around </w:t><w:drawing><w:txbxContent>${wordParagraph('In a box')}</w:txbxContent></w:drawing></w:r></w:p>`;
    const body =
      wordParagraph('First', 'berschrift1') +
      wordParagraph('Text &amp; more') +
      item('one', 0) +
      item('inner', 1) +
      item('two', 0) +
      wordParagraph('let x', 'Code') +
      wordParagraph('  = 1', 'Code') +
      wordParagraph('Second', 'Mine') +
      `<w:tbl><w:tr>${cell('Name')}${cell('Town')}</w:tr><w:tr>${cell('Ada', '<w:vMerge w:val="restart"/>')}${cell('London')}</w:tr>` +
      `<w:tr>${cell('', '<w:vMerge/>')}${cell('Paris')}</w:tr></w:tbl>` +
      box;
    const document = await parse(
      buildDocx(body, { 'word/styles.xml': STYLES, 'word/numbering.xml': NUMBERING }),
      DOCX,
    );
    expect(outline(document)).toEqual([
      ['heading1', 'First'],
      ['paragraph', 'Text & more'],
      ['list', '1. one\n  - inner\n2. two'],
      ['code', 'let x\n  = 1'],
      ['heading1', 'Second'],
      ['table', 'Name | Town\nAda | London\nAda | Paris'],
      ['paragraph', 'Around'],
      ['paragraph', 'In a box'],
    ]);
    expect(document.blocks.at(-1)?.headingPath).toEqual(['Second']);
    expect(document.tables.get(5)?.contents.at(2)).toEqual([null, undefined]);
  });

  it('keeps numbers apart from the fractions and roots after them', async () => {
    const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const equations = [
      `${run('2')}<m:f><m:num>${run('1')}</m:num><m:den>${run('2')}</m:den></m:f>${run('m')}`,
      `${run('x=2')}<m:rad><m:deg>${run('3')}</m:deg><m:e>${run('8')}</m:e></m:rad>`,
    ];
    const body = equations.map((equation) => `<w:p><m:oMath>${equation}</m:oMath></w:p>`).join('');
    expect((await parse(buildDocx(body), DOCX)).text).toBe('2 1/2m\n\nx=2 3√(8)');
  });

  it('reads notes, comments, equations and headers in place', async () => {
    const body =
      '<w:p><w:bookmarkStart w:name="area"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Area</w:t></w:r></w:p>' +
      '<w:p><w:r><w:t xml:space="preserve">It is </w:t></w:r><m:oMath><m:r><m:t>A=π</m:t></m:r><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>' +
      '<w:r><w:footnoteReference w:id="7"/><w:commentReference w:id="0"/></w:r></w:p>' +
      wordParagraph('More.');
    const file = buildDocx(body, {
      'word/footnotes.xml': `<w:footnotes><w:footnote w:id="-1" w:type="separator">${wordParagraph('---')}</w:footnote><w:footnote w:id="7">${wordParagraph('Of a circle.')}</w:footnote></w:footnotes>`,
      'word/comments.xml': `<w:comments><w:comment w:id="0" w:author="Ada">${wordParagraph('Check this')}</w:comment></w:comments>`,
      'word/header1.xml': `<w:hdr>${wordParagraph('Draft 3')}</w:hdr>`,
      'word/footer1.xml': `<w:ftr>${wordParagraph('Page 1')}</w:ftr>`,
      'word/_rels/document.xml.rels': relationships({
        r1: ['header', 'header1.xml'],
        r2: ['footer', 'footer1.xml'],
      }),
    });
    const document = await parse(file, DOCX);
    expect(outline(document)).toEqual([
      ['heading1', 'Area'],
      ['paragraph', 'It is A=πr^2[1]'],
      ['paragraph', '[Comment by Ada] Check this'],
      ['paragraph', 'More.'],
      ['paragraph', '[1] Of a circle.'],
      ['paragraph', 'Draft 3'],
    ]);
    expect(document.blocks[0]?.anchor).toBe('area');
    expect(document.blocks[1]?.headingPath).toEqual(['Area']);
    expect(document.leftOut).toEqual({ running: 6 });
  });

  it('reads charts and diagrams in place, and those of cells after the table', async () => {
    const drawing = (kind: 'chart' | 'diagram', id: string): string =>
      `<w:r><w:drawing><wp:inline>${graphic(kind, id)}</wp:inline></w:drawing></w:r>`;
    const inCell = `<w:tc><w:p><w:r><w:t>Cell</w:t></w:r>${drawing('diagram', 'r3')}</w:p></w:tc>`;
    const body =
      item('one', 0) +
      `<w:p><w:r><w:t>Around</w:t></w:r>${drawing('chart', 'r1')}${drawing('chart', 'missing')}${drawing('chart', 'r4')}${drawing('diagram', 'r5')}</w:p>` +
      `<w:p><mc:AlternateContent><mc:Choice>${drawing('diagram', 'r2')}</mc:Choice><mc:Fallback>${drawing('diagram', 'r6')}</mc:Fallback></mc:AlternateContent></w:p>` +
      `<w:tbl><w:tr>${inCell}${cell('Other')}</w:tr></w:tbl>` +
      `<w:p>${drawing('chart', 'r1')}</w:p>` +
      wordParagraph('After');
    const series = `<c:ser><c:tx>${chartPoints(['Trees'])}</c:tx><c:cat>${chartPoints(['2024'])}</c:cat><c:val>${chartPoints(['7'])}</c:val></c:ser>`;
    const file = buildDocx(body, {
      'word/_rels/document.xml.rels': relationships({
        r1: ['chart', 'charts/chart1.xml'],
        r2: ['diagramData', 'diagrams/data1.xml'],
        r3: ['diagramData', 'diagrams/data2.xml'],
        r4: ['chart', 'charts/none.xml'],
        r5: ['diagramData', 'diagrams/broken.xml'],
        r6: ['diagramData', 'diagrams/data3.xml'],
      }),
      'word/charts/chart1.xml': chartSpace(`<c:pieChart>${series}</c:pieChart>`),
      'word/diagrams/data1.xml': diagramModel({ a: 'Plan', b: 'Build' }, [['a', 'b', 0]]),
      'word/diagrams/data2.xml': diagramModel({ a: 'In a cell' }, []),
      'word/diagrams/data3.xml': diagramModel({ a: 'The same again' }, []),
      'word/diagrams/broken.xml': '<dgm:dataModel><dgm:ptLst>',
    });
    expect(outline(await parse(file, DOCX))).toEqual([
      ['list', '- one'],
      ['paragraph', 'Around'],
      ['caption', 'Pie chart'],
      ['table', '| Trees\n2024 | 7'],
      ['list', '- Plan\n  - Build'],
      ['table', 'Cell | Other'],
      ['list', '- In a cell'],
      ['paragraph', 'After'],
    ]);
  });

  it('omits deleted and struck text, reads inserted text, and counts', async () => {
    const struck = item('done', 0).replace('<w:r>', '<w:r><w:rPr><w:strike/></w:rPr>');
    const body =
      item('one', 0) +
      struck +
      item('', 0).replace('</w:pPr>', '<w:rPr><w:del/></w:rPr></w:pPr>') +
      item('three', 0) +
      '<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>bb</w:delText></w:r></w:del><w:ins><w:r><w:t>c</w:t></w:r></w:ins></w:p>' +
      `<w:tbl><w:tr>${cell('A')}${cell('B')}</w:tr><w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cell('gone')}${cell('')}</w:tr><w:tr><w:trPr><w:hidden/></w:trPr>${cell('x')}${cell('y')}</w:tr><w:tr>${cell('1')}${cell('2')}</w:tr></w:tbl>`;
    const document = await parse(buildDocx(body, { 'word/numbering.xml': NUMBERING }), DOCX);
    expect(document.text).toBe('1. one\n3. three\n\nac\n\nA | B\n1 | 2');
    expect(document.leftOut).toEqual({ deleted: 10, hidden: 2 });
  });

  it('counts text that was moved and then edited', async () => {
    const moved = 'The seller pays for the delivery of all goods to the door of the buyer.';
    const move = (kind: string, text: string): string =>
      `<w:p><w:${kind}><w:r><w:t>${text}</w:t></w:r></w:${kind}></w:p>`;
    const body = move('moveFrom', moved) + move('moveTo', 'The buyer collects the goods.');
    const { text, leftOut, warnings } = await parse(buildDocx(body), DOCX);
    expect([text, leftOut, warnings]).toEqual([
      'The buyer collects the goods.',
      { deleted: moved.length },
      [],
    ]);
  });

  it('joins the rows of a header', async () => {
    const head = (...cells: string[]): string =>
      `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cells.join('')}</w:tr>`;
    const body = `<w:tbl>${head(cell('Region', '<w:vMerge w:val="restart"/>'), cell('2024', '<w:gridSpan w:val="2"/>'))}${head(cell('', '<w:vMerge/>'), cell('Q1'), cell('Q2'))}<w:tr>${cell('North')}${cell('1')}${cell('2')}</w:tr></w:tbl>`;
    const { text, blocks } = await parse(buildDocx(body), DOCX);
    expect(text).toBe('Region | 2024 / Q1 | 2024 / Q2\nNorth | 1 | 2');
    expect(text.slice(0, blocks[0]?.headerEnd)).toBe('Region | 2024 / Q1 | 2024 / Q2');
  });

  describe('text of paragraphs', () => {
    const run = (text: string, properties = ''): string =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const raised = (text: string): string => run(text, '<w:vertAlign w:val="superscript"/>');
    const mark = (type: string, data = ''): string =>
      `<w:r><w:fldChar w:fldCharType="${type}">${data}</w:fldChar></w:r>`;
    const code = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
    const form = (data: string, result = ''): string =>
      mark('begin', `<w:ffData>${data}</w:ffData>`) + code(' FORM ') + result + mark('end');
    const formula = (text: string): string => `<m:oMath><m:r><m:t>${text}</m:t></m:r></m:oMath>`;
    const symbol = (font: string, char: string): string =>
      `<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>`;
    const ruby = (base: string, reading: string): string =>
      `<w:r><w:ruby><w:rt><w:r><w:t>${reading}</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>${base}</w:t></w:r></w:rubyBase></w:ruby></w:r>`;
    const styles =
      '<w:styles><w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="Child"><w:basedOn w:val="Secret"/></w:style>' +
      '<w:style w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style>' +
      '<w:style w:styleId="Greek"><w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr></w:style></w:styles>';

    it.each<[what: string, paragraph: string, text: string]>([
      [
        'symbols',
        run('Dose ') + symbol('Symbol', 'F0A3') + run(' 5, ') + symbol('Wingdings', '00FE') + run(' yes'),
        'Dose ≤ 5, ☑ yes',
      ],
      [
        'characters of symbol fonts',
        run('b', '<w:rStyle w:val="Greek"/>') + run('\uf0b3', '<w:rFonts w:hAnsi="Symbol"/>') + run(' 2'),
        'β≥ 2',
      ],
      [
        'exponents in several runs',
        run('10') + raised('−') + raised('9') + run(' mbar, 5 m') + raised('3') + run('/h'),
        '10^−9 mbar, 5 m^3/h',
      ],
      [
        'ordinals, trademarks and notes',
        run('the 1') + raised('st') + run(' Acme') + raised('TM') + run(' ') + raised('2'),
        'the 1st AcmeTM 2',
      ],
      [
        'hidden text',
        run('a') +
          run('bc', '<w:vanish/>') +
          run('d', '<w:rStyle w:val="Child"/>') +
          run('e', '<w:rStyle w:val="Child"/><w:vanish w:val="0"/>'),
        'ae',
      ],
      [
        'text that is not struck out',
        run('95', '<w:strike/>') +
          run('82', '<w:strike w:val="0"/>') +
          run(' was', '<w:dstrike w:val="true"/>') +
          run(' 7', '<w:rStyle w:val="Old"/>') +
          run(' EUR', '<w:rStyle w:val="Old"/><w:strike w:val="false"/>'),
        '82 EUR',
      ],
      [
        'form fields',
        form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>') +
          form('<w:checkBox><w:default w:val="0"/></w:checkBox>') +
          form(
            '<w:ddList><w:result w:val="1"/><w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/></w:ddList>',
          ) +
          form('<w:textInput/>', mark('separate') + run('Ada')),
        '☒☐BlueAda',
      ],
      [
        'a field in the code of a field',
        mark('begin') +
          code(' IF ') +
          mark('begin') +
          code(' MERGEFIELD sex ') +
          mark('separate') +
          run('f') +
          mark('end') +
          code(' = "f" ') +
          mark('separate') +
          run('Ms') +
          mark('end') +
          run(' Doe'),
        'Ms Doe',
      ],
      ['a field without an end', mark('begin') + code(' PAGE ') + run('text'), 'text'],
      [
        'fields that show their code',
        mark('begin') +
          code(' MACROBUTTON None Click here ') +
          mark('end') +
          mark('begin') +
          code(' SYMBOL 179 \\f "Symbol" ') +
          mark('end') +
          mark('begin') +
          code(' EQ \\f(a,b) ') +
          mark('end'),
        'Click here≥a/b',
      ],
      ...[
        ['\\r(3;8)', '3√(8)'],
        ['\\R (,x+1)', '√(x+1)'],
        ['\\r(2)', '√(2)'],
        ['\\r(2,5;x)', '2,5√(x)'],
        ['\\r(n,\\f(1,2))', 'n√(1/2)'],
        ['\\r(f(a,b))', '√(f(a,b))'],
      ].map(([equation = '', text = '']): [string, string, string] => [
        `the equation ${equation}`,
        mark('begin') + code(` EQ ${equation} `) + mark('end'),
        text,
      ]),
      [
        'equations',
        formula('a=b') +
          formula('c=d') +
          run('; ') +
          `<m:oMathPara>${formula('x')}${formula('y')}</m:oMathPara>`,
        'a=b c=d; \nx\ny',
      ],
      [
        'readings',
        run('今日の') + ruby('漢', 'かん') + ruby('字', 'じ') + run('です'),
        '今日の漢字(かんじ)です',
      ],
      [
        'prompts of content controls',
        run('Name: ') +
          `<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>${run('Click here', '<w:rStyle w:val="PlaceholderText"/>')}</w:sdtContent></w:sdt><w:sdt><w:sdtPr><w:dropDownList/></w:sdtPr><w:sdtContent>${run('Blue')}</w:sdtContent></w:sdt>`,
        'Name: Blue',
      ],
      [
        'alternatives',
        `<mc:AlternateContent><mc:Fallback>${run('only')}</mc:Fallback></mc:AlternateContent>`,
        'only',
      ],
    ])('reads %s', async (_what, paragraph, text) => {
      const file = buildDocx(`<w:p>${paragraph}</w:p>`, { 'word/styles.xml': styles });
      expect((await parse(file, DOCX)).text).toBe(text);
    });

    it('joins a drop cap with its word', async () => {
      const cap = (text: string): string =>
        `<w:p><w:pPr><w:framePr w:dropCap="drop" w:lines="3"/></w:pPr>${run(text)}</w:p>`;
      const body = `${cap('T')}${wordParagraph('urbines run.')}${cap('A')}${wordParagraph(' pump')}<w:tbl/>${cap('Z')}`;
      expect((await parse(buildDocx(body), DOCX)).text).toBe('Turbines run.\n\nA pump\n\nZ');
    });
  });

  it('reads files that the document contains', async () => {
    const inner = buildDocx(wordParagraph('Of a document'));
    const chunk = (id: string): string => `<w:altChunk r:id="${id}"/>`;
    const file = buildZip({
      '_rels/.rels': relationships({ rId1: ['officeDocument', 'word/document.xml'] }),
      'word/document.xml': `<w:document><w:body>${wordParagraph('Before')}${['h', 'm', 'r', 't', 'd', 'x'].map(chunk).join('')}<w:tbl><w:tr><w:tc>${chunk('c')}${wordParagraph('Cell')}</w:tc>${cell('B')}</w:tr></w:tbl></w:body></w:document>`,
      'word/_rels/document.xml.rels': relationships({
        h: ['aFChunk', '/chunks/a.html'],
        m: ['aFChunk', '/chunks/b.mht'],
        r: ['aFChunk', '/chunks/c.rtf'],
        t: ['aFChunk', '/chunks/d.txt'],
        d: ['aFChunk', '/chunks/e.docx'],
        x: ['aFChunk', '/chunks/broken.docx'],
        c: ['aFChunk', '/chunks/f.html'],
      }),
      'chunks/a.html': '<html><body><h2>Page</h2><p>Of a page</p></body></html>',
      'chunks/b.mht':
        'MIME-Version: 1.0\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>Of an arch=\r\nive</p>',
      'chunks/c.rtf': '{\\rtf1 Of RTF\\par}',
      'chunks/d.txt': 'Of a text',
      'chunks/e.docx': inner,
      'chunks/broken.docx': 'PK broken',
      'chunks/f.html': '<p>Of a cell</p>',
    });
    const document = await parse(file, DOCX);
    expect(outline(document)).toEqual([
      ['paragraph', 'Before'],
      ['heading2', 'Page'],
      ['paragraph', 'Of a page'],
      ['paragraph', 'Of an archive'],
      ['paragraph', 'Of RTF'],
      ['paragraph', 'Of a text'],
      ['paragraph', 'Of a document'],
      ['table', 'Cell | B'],
      ['paragraph', 'Of a cell'],
    ]);
    expect(document.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('not read: broken.docx.'),
    ]);
  });

  it('knows the kinds of these files from their content types', async () => {
    const fragment = (name: string): string => `<p>In ${name}</p>`;
    const chunks = {
      'x.xhtml': `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${fragment('x')}</body></html>`,
      'f.xhtml': fragment('f'),
      'd.dat': fragment('d'),
      'own.xml': fragment('own'),
      none: fragment('none'),
      'c.txt': '2 &lt; 3',
    };
    const names = Object.keys(chunks);
    const file = buildDocx(names.map((name) => `<w:altChunk r:id="${name}"/>`).join(''), {
      '[Content_Types].xml':
        '<Types><Default Extension="xhtml" ContentType="application/xhtml+xml"/><Default Extension="DAT" ContentType="text/html"/>' +
        '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/own.xml" ContentType="application/xhtml+xml"/>' +
        '<Override PartName="/word/none" ContentType="text/html; charset=utf-8"/></Types>',
      'word/_rels/document.xml.rels': relationships(
        Object.fromEntries(names.map((name) => [name, ['aFChunk', name] as const])),
      ),
      ...Object.fromEntries(Object.entries(chunks).map(([name, chunk]) => [`word/${name}`, chunk])),
    });
    expect((await parse(file, DOCX)).text.split('\n\n')).toEqual([
      'In x',
      'In f',
      'In d',
      'In own',
      'In none',
      '2 &lt; 3',
    ]);
  });

  it('adds a document that it contains once', async () => {
    const reference = '<w:altChunk r:id="r1"/>'.repeat(500);
    const file = buildDocx(reference, {
      'word/_rels/document.xml.rels': relationships({ r1: ['aFChunk', '/chunks/inner.docx'] }),
      'chunks/inner.docx': buildDocx(wordParagraph('Of a text')),
    });
    expect((await parse(file, DOCX)).text).toBe('Of a text');
  });

  it('reads footers and headers once, with text boxes and without numbers of pages', async () => {
    const box = `<w:p><w:r><w:drawing><w:txbxContent>${wordParagraph('Contract K-88213')}</w:txbxContent></w:drawing></w:r></w:p>`;
    const footer = '<w:p><w:r><w:t>IBAN DE02</w:t><w:tab/><w:t>Seite 1 von 3</w:t></w:r></w:p>';
    const file = buildDocx(wordParagraph('Text'), {
      'word/header1.xml': `<w:hdr>${box}</w:hdr>`,
      'word/footer1.xml': `<w:ftr>${footer}</w:ftr>`,
      'word/footer2.xml': `<w:ftr>${footer}</w:ftr>`,
      'word/_rels/document.xml.rels': relationships({
        r1: ['footer', 'footer1.xml'],
        r2: ['header', 'header1.xml'],
        r3: ['footer', 'footer2.xml'],
      }),
    });
    const document = await parse(file, DOCX);
    expect(document.text).toBe('Text\n\nContract K-88213\n\nIBAN DE02');
    expect(document.leftOut).toEqual({ running: 26 });
  });

  it('reads the main part that the relationships name', async () => {
    const document = `<w:document><w:body>${wordParagraph('Text')}${item('one', 0)}</w:body></w:document>`;
    const file = buildZip({
      '_rels/.rels': relationships({ rId1: ['officeDocument', '/Word/Document22.xml'] }),
      'word/document22.xml': document,
      'word/_rels/document22.xml.rels': relationships({ rId1: ['numbering', '../lists/numbering.xml'] }),
      'lists/numbering.xml': NUMBERING,
      'word/document.xml': '<w:document><w:body/></w:document>',
    });
    expect((await parse(file, DOCX)).text).toBe('Text\n\n1. one');
  });

  it('reports why a file cannot be read', async () => {
    await expect(parse(buildDocx(''), DOCX)).rejects.toMatchObject({ code: 'EMPTY_DOCUMENT' });
    await expect(parse(buildDocx('<w:p>'), DOCX)).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
    await expect(parse('PK no zip', DOCX)).rejects.toMatchObject({ code: 'CORRUPT_FILE' });
  });
});
