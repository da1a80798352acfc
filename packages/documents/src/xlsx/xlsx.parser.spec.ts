import { describe, expect, it } from '@jest/globals';
import { XLSX } from '../file-type/file-type.js';
import { buildXlsx, diagramModel, graphic, relationships } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

/** A drawing with shapes by the rows that they begin in. */
const drawing = (...shapes: (readonly [row: number, content: string])[]): string => {
  const anchors = shapes.map(
    ([row, content]) =>
      `<xdr:twoCellAnchor><xdr:from><xdr:row>${row}</xdr:row></xdr:from>${content}</xdr:twoCellAnchor>`,
  );
  return `<xdr:wsDr>${anchors.join('')}</xdr:wsDr>`;
};
const textBox = (text: string, properties = ''): string =>
  `<xdr:sp><xdr:nvSpPr><xdr:cNvPr ${properties}/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;

describe('xlsxParser', () => {
  it('reads sheets as headings and tables, with formatted values', async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>When</t></is></c></row>' +
      '<row r="2"><c r="A2"><v>0.30000000000000004</v></c><c r="C2" s="1"><v>45292.5</v></c></row>' +
      '<row r="3"><c r="A3" s="2"><v>0.07</v></c><c r="C3" s="3"><v>60</v></c></row>' +
      '<row r="9"><c r="B9" t="b"><v>1</v></c></row>';
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd&quot; at &quot;hh:mm"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="10"/><xf numFmtId="14"/></cellXfs>';
    const sheets = [
      { name: 'Data', rows },
      { name: 'Empty', rows: '' },
      { name: 'Secret', rows: '<row><c><v>5</v></c></row>', state: 'hidden' as const },
    ];
    const document = await parse(buildXlsx(sheets, { strings: ['What'], styles }), XLSX);
    expect(outline(document)).toEqual([
      ['heading2', 'Data'],
      ['table', 'What |  | When\n0.3 |  | 2024-01-01 at 12:00\n7.00% |  | 1900-02-29'],
      ['table', '| TRUE'],
      ['heading2', 'Secret'],
      ['table', '5'],
    ]);
    expect(document.metadata['hiddenSheets']).toBe('Secret');
  });

  it('finds the header row below a title and repeats merged cells', async () => {
    const text = (ref: string, value: string): string => `<c r="${ref}" t="str"><v>${value}</v></c>`;
    const rows =
      `<row r="1">${text('A1', 'Sales of the year')}</row>` +
      `<row r="2">${text('A2', 'Region')}${text('B2', 'Half')}${text('C2', 'Amount')}</row>` +
      `<row r="3">${text('A3', 'North')}${text('B3', 'first')}<c r="C3"><v>5</v></c></row>` +
      `<row r="4">${text('B4', 'second')}<c r="C4"><v>6</v></c></row>`;
    const after = '<mergeCells count="2"><mergeCell ref="A1:C1"/><mergeCell ref="A3:A4"/></mergeCells>';
    const document = await parse(buildXlsx([{ name: 'S', rows, after }]), XLSX);
    expect(outline(document)).toEqual([
      ['heading2', 'S'],
      ['paragraph', 'Sales of the year'],
      ['table', 'Region | Half | Amount\nNorth | first | 5\nNorth | second | 6'],
    ]);
    const [, , table] = document.blocks;
    expect(document.text.slice(table?.start, table?.headerEnd)).toBe('Region | Half | Amount');
    expect(table?.headingPath).toEqual(['S']);
    const cells = document.tables.get(2);
    expect(cells?.numbers).toEqual([2, 3, 4]);
    expect([1, 2].map((row) => cells?.contents.at(row))).toEqual([
      [undefined, undefined, 5],
      [null, undefined, 6],
    ]);
  });

  it('fills merged cells that overlap in linear time', async () => {
    const cell = (ref: string): string => `<c r="${ref}" t="str"><v>a</v></c>`;
    const rows = Array.from({ length: 1000 }, (_, row) => `<row>${cell(`A${row + 1}`)}</row>`).join('');
    // Different ends, because a part that can be compressed too well is refused.
    const ends = Array.from({ length: 50_000 }, (_, index) => 1000 + ((index * 7919) % 8999));
    const after = `<mergeCells>${ends.map((end) => `<mergeCell ref="A1:AZ${end}"/>`).join('')}</mergeCells>`;
    const file = buildXlsx([{ name: 'S', rows, after }]);
    const started = process.cpuUsage();
    const { text } = await parse(file, XLSX);
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(5);
    expect(text.split('\n').at(-1)).toBe(Array.from({ length: 52 }, () => 'a').join(' | '));
  });

  it('reads charts, diagrams and comments of a sheet', async () => {
    const point = (value: string): string => `<c:pt idx="0"><c:v>${value}</c:v></c:pt>`;
    const file = buildXlsx([{ name: 'S', rows: '<row><c><v>1</v></c></row>' }], {
      parts: {
        'xl/worksheets/_rels/sheet1.xml.rels': relationships({
          r1: ['drawing', '../drawings/drawing1.xml'],
          r2: ['comments', '../comments1.xml'],
        }),
        'xl/drawings/drawing1.xml': drawing(
          [9, `<xdr:grpSp>${textBox('Below')}${textBox('Old', 'hidden="1"')}</xdr:grpSp>`],
          [1, graphic('chart', 'r1')],
          [2, graphic('chart', 'r2')],
          [
            3,
            `<mc:AlternateContent><mc:Choice>${graphic('diagram', 'r3')}</mc:Choice><mc:Fallback>${textBox('Not available')}</mc:Fallback></mc:AlternateContent>`,
          ],
          [4, graphic('diagram', 'r4')],
        ),
        'xl/drawings/_rels/drawing1.xml.rels': relationships({
          r1: ['chart', '../charts/chart1.xml'],
          r2: ['chart', '../charts/broken.xml'],
          r3: ['diagramData', '../diagrams/data1.xml'],
          r4: ['diagramData', '../diagrams/none.xml'],
        }),
        'xl/charts/broken.xml': '<c:chartSpace>',
        'xl/diagrams/data1.xml': diagramModel({ a: 'Plan', b: 'Build' }, [['a', 'b', 0]]),
        'xl/charts/chart1.xml': `<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Growth</a:t></a:r></a:p></c:title><c:plotArea><c:layout/><c:lineChart><c:ser><c:tx>${point('Trees')}</c:tx><c:cat>${point('2020')}</c:cat><c:val>${point('7')}</c:val></c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>`,
        'xl/comments1.xml':
          '<comments><authors><author>Bob</author></authors><commentList><comment ref="A1" authorId="0"><text><t>Really?</t></text></comment></commentList></comments>',
      },
    });
    expect(outline(await parse(file, XLSX)).slice(2)).toEqual([
      ['caption', 'Line chart: Growth'],
      ['table', '| Trees\n2020 | 7'],
      ['list', '- Plan\n  - Build'],
      ['paragraph', 'Below'],
      ['paragraph', 'A1 [Comment by Bob] Really?'],
    ]);
  });

  it('reads a part once, however often it is referenced', async () => {
    const many = (type: string, target: string): string =>
      relationships(
        Object.fromEntries(Array.from({ length: 3 }, (_, index) => [`r${index}`, [type, target] as const])),
      );
    const comments =
      '<comments><authors><author>Bob</author></authors><commentList><comment ref="A1" authorId="0"><text><t>Really?</t></text></comment></commentList></comments>';
    const rows = '<row><c><v>1</v></c></row>';
    const file = buildXlsx(
      ['A', 'B', 'C', 'Copy'].map((name) => ({ name, rows })),
      {
        parts: {
          'xl/_rels/workbook.xml.rels': relationships(
            Object.fromEntries(
              [1, 2, 3, 1].map((sheet, index) => [
                `rId${index + 1}`,
                ['worksheet', `worksheets/sheet${sheet}.xml`] as const,
              ]),
            ),
          ),
          'xl/worksheets/_rels/sheet1.xml.rels': many('drawing', '../drawings/drawing1.xml'),
          'xl/worksheets/_rels/sheet2.xml.rels': many('drawing', '../drawings/drawing2.xml'),
          'xl/worksheets/_rels/sheet3.xml.rels': many('comments', '../comments1.xml'),
          'xl/drawings/drawing1.xml': drawing([1, graphic('diagram', 'r0') + graphic('diagram', 'r2')]),
          'xl/drawings/drawing2.xml': drawing([1, graphic('diagram', 'r1')]),
          'xl/drawings/_rels/drawing1.xml.rels': many('diagramData', '../diagrams/data1.xml'),
          'xl/drawings/_rels/drawing2.xml.rels': many('diagramData', '../diagrams/data1.xml'),
          'xl/diagrams/data1.xml': diagramModel({ a: 'Plan' }, []),
          'xl/comments1.xml': comments,
        },
      },
    );
    expect(outline(await parse(file, XLSX))).toEqual([
      ['heading2', 'A'],
      ['table', '1'],
      ['list', '- Plan'],
      ['heading2', 'B'],
      ['table', '1'],
      ['heading2', 'C'],
      ['table', '1'],
      ['paragraph', 'A1 [Comment by Bob] Really?'],
    ]);
  });

  describe('headers', () => {
    const sheet = (
      rows: readonly (readonly (string | number | null)[])[],
      merges: readonly string[] = [],
    ) => {
      const letter = (column: number): string => String.fromCharCode(65 + column);
      const xml = rows.map((cells, index) => {
        const texts = cells.map((cell, column) => {
          if (cell === null) return '';
          const ref = `${letter(column)}${index + 1}`;
          return typeof cell === 'number'
            ? `<c r="${ref}"><v>${cell}</v></c>`
            : `<c r="${ref}" t="str"><v>${cell}</v></c>`;
        });
        return cells.length === 0 ? '' : `<row r="${index + 1}">${texts.join('')}</row>`;
      });
      const after = `<mergeCells>${merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
      return buildXlsx([{ name: 'S', rows: xml.join(''), after }]);
    };
    const headed = async (file: Uint8Array): Promise<[header: string, text: string][]> => {
      const { blocks, text } = await parse(file, XLSX);
      return blocks
        .slice(1)
        .map(({ start, end, headerEnd = start }) => [text.slice(start, headerEnd), text.slice(start, end)]);
    };

    it('joins two rows with groups', async () => {
      const rows = [
        ['Region', '2023', null, '2024', null],
        [null, 'Q1', 'Q2', 'Q1', 'Q2'],
        ['North', 1, 2, 3, 4],
      ];
      const header = 'Region | 2023 / Q1 | 2023 / Q2 | 2024 / Q1 | 2024 / Q2';
      for (const merges of [
        ['A1:A2', 'B1:C1', 'D1:E1'],
        ['B1:C1', 'D1:E1'],
      ])
        expect(await headed(sheet(rows, merges))).toEqual([[header, `${header}\nNorth | 1 | 2 | 3 | 4`]]);
    });

    it('joins three rows, the last with the first name', async () => {
      const rows = [
        [null, 2023, null, null, null],
        [null, 'Umsatz', null, 'Kosten', null],
        ['Werk', 'Plan', 'Ist', 'Plan', 'Ist'],
        ['Graz', 'n/a', 2, 3, 4],
        ['Wien', 5, 6, 7, 8],
      ];
      const merges = ['B1:E1', 'B2:C2', 'D2:E2'];
      const header = 'Werk | Umsatz / Plan | Umsatz / Ist | Kosten / Plan | Kosten / Ist';
      expect(await headed(sheet(rows, merges))).toEqual([
        ['', '2023'],
        [header, `${header}\nGraz | n/a | 2 | 3 | 4\nWien | 5 | 6 | 7 | 8`],
      ]);
    });

    it('does not take rows of text below a merged name for a header', async () => {
      const rows = [
        ['Name', null, 'Town'],
        ['Ada', 'Lovelace', 'London'],
      ];
      expect(await headed(sheet(rows, ['A1:B1']))).toEqual([
        ['Name | Name | Town', 'Name | Name | Town\nAda | Lovelace | London'],
      ]);
    });

    it('keeps the header across blank rows', async () => {
      const rows = [
        ['Item', 'Price'],
        [],
        ['Saw', 5],
        [],
        ['Tools'],
        ['Nail', 1],
        [],
        ['Name', 'Town'],
        ['Ada', 'Rome'],
      ];
      expect(await headed(sheet(rows))).toEqual([
        ['Item | Price', 'Item | Price\nSaw | 5\nTools\nNail | 1'],
        ['Name | Town', 'Name | Town\nAda | Rome'],
      ]);
    });

    it('begins a table without header for numbers in other columns, and after a wide gap', async () => {
      const rows = [['Item', 'Price'], ['Saw', 5], [], [null, null, 7, 8], [], [], [], ['Nail', 1]];
      expect(await headed(sheet(rows))).toEqual([
        ['Item | Price', 'Item | Price\nSaw | 5'],
        ['', '|  | 7 | 8'],
        ['', 'Nail | 1'],
      ]);
    });
  });

  it('shows texts by their format, dates in ISO 8601, formulas without results and escaped characters', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="170" formatCode="0;0;0;&quot;Ref. &quot;@"/><numFmt numFmtId="171" formatCode=";;;"/><numFmt numFmtId="172" formatCode="dd.mm.yyyy"/></numFmts>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/></cellXfs>';
    const rows =
      '<row><c s="1" t="str"><v>A-1</v></c><c s="2"><v>4711</v></c><c s="3" t="d"><v>2024-03-05T00:00:00</v></c>' +
      '<c><f>SUM(A1:A2)</f></c><c t="str"><f>A1</f><v></v></c><c t="e"><v>#N/A</v></c><c t="str"><v>a_x000D_b _x005F_x</v></c></row>';
    const document = await parse(buildXlsx([{ name: 'S', rows }], { styles }), XLSX);
    expect(outline(document)[1]).toEqual([
      'table',
      'Ref. A-1 |  | 2024-03-05T00:00:00 | =SUM(A1:A2) |  | #N/A | a b _x',
    ]);
    expect(document.leftOut).toEqual({ hidden: 4 });
  });

  it('reads threads of comments with their authors, and the copy of a thread whose part is missing', async () => {
    const copy =
      '[Kommentarthread]\n\nIhre Version von Excel kann dies lesen: https://go.microsoft.com/fwlink/?linkid=870924\n\nKommentar:\n    Stimmt das?';
    const legacy = `<comments><authors><author>tc={1}</author><author>Bob</author></authors><commentList><comment ref="A1" authorId="0"><text><t>${copy}</t></text></comment><comment ref="A2" authorId="1"><text><t>Old note</t></text></comment></commentList></comments>`;
    const file = (isComplete: boolean): Uint8Array =>
      buildXlsx([{ name: 'S', rows: '<row><c><v>1</v></c></row>' }], {
        parts: {
          'xl/worksheets/_rels/sheet1.xml.rels': relationships({
            r1: ['comments', '../comments1.xml'],
            ...(isComplete ? { r2: ['threadedComment', '../threadedComments/t1.xml'] as const } : {}),
          }),
          'xl/_rels/workbook.xml.rels': relationships({
            rId1: ['worksheet', 'worksheets/sheet1.xml'],
            p1: ['person', 'persons/person.xml'],
          }),
          'xl/comments1.xml': legacy,
          'xl/persons/person.xml':
            '<personList><person displayName="Ada" id="{A}"/><person displayName="Eve" id="{E}"/></personList>',
          'xl/threadedComments/t1.xml':
            '<ThreadedComments><threadedComment ref="A1" dT="2024-05-06T10:00:00.00" personId="{A}" id="{1}"><text>Stimmt das?</text></threadedComment>' +
            '<threadedComment ref="A1" personId="{E}" id="{2}" parentId="{1}"><text>Ja.</text></threadedComment></ThreadedComments>',
        },
      });
    expect(outline(await parse(file(true), XLSX)).slice(2)).toEqual([
      ['paragraph', 'A2 [Comment by Bob] Old note'],
      ['paragraph', 'A1 [Comment by Ada, 2024-05-06] Stimmt das?'],
      ['paragraph', 'A1 [Comment by Eve] Ja.'],
    ]);
    expect(outline(await parse(file(false), XLSX)).slice(2)).toEqual([
      ['paragraph', expect.stringMatching(/^A1 \[Comment\] \[Kommentarthread\].*Stimmt das\?$/s)],
      ['paragraph', 'A2 [Comment by Bob] Old note'],
    ]);
  });

  it.each([
    ['persons/person.xml', ['person', '../persons/person.xml']],
    ['comments1.xml', ['comments', '../comments1.xml']],
    ['drawings/drawing1.xml', ['drawing', '../drawings/drawing1.xml']],
  ] as const)('names the damaged part %s, and reads the rest', async (part, relationship) => {
    const [type, target] = relationship;
    const file = buildXlsx([{ name: 'S', rows: '<row><c><v>1</v></c></row>' }], {
      parts: {
        'xl/_rels/workbook.xml.rels': relationships({
          rId1: ['worksheet', 'worksheets/sheet1.xml'],
          r2: [type, target.slice(3)],
        }),
        'xl/worksheets/_rels/sheet1.xml.rels': relationships({ r1: relationship }),
        [`xl/${part}`]: '<broken',
      },
    });
    const { text, warnings } = await parse(file, XLSX);
    expect(text).toBe('S\n\n1');
    expect(warnings).toEqual([
      { code: 'PARTLY_READ', message: expect.stringContaining(`not read: ${part.split('/').at(-1)}.`) },
    ]);
  });

  it('reads exponents and symbols of rich text, without phonetic guides', async () => {
    const raised = (text: string): string => `<r><rPr><vertAlign val="superscript"/></rPr><t>${text}</t></r>`;
    const rows =
      `<row><c t="inlineStr"><is><r><t>10</t></r>${raised('-')}${raised('6')}<r><t> m</t></r>${raised('2')}</is></c>` +
      '<c t="inlineStr"><is><r><rPr><rFont val="Wingdings"/></rPr><t>ü</t></r><r><t> done</t></r></is></c>' +
      '<c t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c></row>';
    expect((await parse(buildXlsx([{ name: 'S', rows }]), XLSX)).text).toBe('S\n\n10^-6 m^2 | ✓ done | 東京');
  });

  it('counts text that is struck out', async () => {
    const styles =
      '<fonts><font/><font><strike/></font><font><strike val="0"/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/></cellXfs>';
    const run = (text: string): string => `<r><rPr><strike/></rPr><t>${text}</t></r>`;
    const rows =
      '<row><c t="s"><v>0</v></c><c s="1" t="str"><v>sold</v></c><c s="2"><v>7</v></c><c s="1"><v>95</v></c></row>' +
      '<row><c s="1" t="str"><v>x</v></c></row>' +
      `<row><c t="inlineStr"><is>${run('96 ')}<r><t>83 EUR</t></r></is></c>` +
      // The font of a cell does not apply to runs with a font of their own.
      '<c s="1" t="s"><v>0</v></c><c s="1" t="inlineStr"><is><r><t>97 </t></r><r><rPr><b/></rPr><t>84 EUR</t></r></is></c></row>';
    const parts = {
      'xl/sharedStrings.xml': `<sst><si>${run('95 ')}<r><rPr><strike val="0"/></rPr><t>82 EUR</t></r></si></sst>`,
    };
    const { text, leftOut } = await parse(buildXlsx([{ name: 'S', rows }], { styles, parts }), XLSX);
    expect([text, leftOut]).toEqual(['S\n\n82 EUR |  | 7\n\n83 EUR | 82 EUR | 84 EUR', { deleted: 13 }]);
  });

  it('reads headers and footers of printed sheets once, without numbers of pages and dates', async () => {
    const margins = (attributes: string, ...texts: string[]): string =>
      `<headerFooter ${attributes}>${texts.join('')}</headerFooter>`;
    const header =
      '<oddHeader>&amp;L&amp;"Arial,Bold"&amp;12&amp;KFF0000Lease 77-B &amp;&amp; annex&amp;CPage &amp;P of &amp;N&amp;R&amp;D</oddHeader>';
    const others = '<evenHeader>Even</evenHeader><firstFooter>First page</firstFooter>';
    const rows = '<row><c><v>1</v></c></row>';
    const file = buildXlsx([
      { name: 'A', rows, after: margins('', header, others) },
      { name: 'B', rows, after: margins('differentFirst="1"', header, others) },
    ]);
    const { text, leftOut } = await parse(file, XLSX);
    expect(text).toBe('A\n\n1\n\nB\n\n1\n\nLease 77-B & annex\n\nFirst page');
    expect(leftOut).toEqual({ running: 22 });
  });

  it('counts the text of sheets that only programs can show', async () => {
    const rows = (text: string): string => `<row><c t="str"><v>${text}</v></c></row>`;
    const sheets = [
      { name: 'Shown', rows: rows('a') },
      { name: 'Lists', rows: rows('b'), state: 'hidden' as const },
      { name: 'Data', rows: rows('secret'), state: 'veryHidden' as const },
    ];
    const document = await parse(buildXlsx(sheets), XLSX);
    expect(document.text).toBe('Shown\n\na\n\nLists\n\nb');
    expect(document.leftOut).toEqual({ hidden: 6 });
    expect(document.metadata['hiddenSheets']).toBe('Lists, Data');
  });
});
