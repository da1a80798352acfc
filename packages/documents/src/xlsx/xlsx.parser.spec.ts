import { describe, expect, it } from '@jest/globals';
import { XLSX } from '../file-type/file-type.js';
import { buildXlsx, diagramModel, relationships } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

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
      ['table', 'What |  | When\n0.3 |  | 2024-01-01 12:00\n7.00% |  | 1900-02-28'],
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
  });

  it('reads charts, diagrams and comments of a sheet', async () => {
    const point = (value: string): string => `<c:pt idx="0"><c:v>${value}</c:v></c:pt>`;
    const file = buildXlsx([{ name: 'S', rows: '<row><c><v>1</v></c></row>' }], {
      parts: {
        'xl/worksheets/_rels/sheet1.xml.rels': relationships({
          r1: ['drawing', '../drawings/drawing1.xml'],
          r2: ['comments', '../comments1.xml'],
        }),
        'xl/drawings/drawing1.xml': '<xdr:wsDr/>',
        'xl/drawings/_rels/drawing1.xml.rels': relationships({
          r1: ['chart', '../charts/chart1.xml'],
          r2: ['chart', '../charts/broken.xml'],
          r3: ['diagramData', '../diagrams/data1.xml'],
          r4: ['diagramData', '../diagrams/none.xml'],
        }),
        'xl/charts/broken.xml': '<c:chartSpace>',
        'xl/diagrams/data1.xml': diagramModel({ a: 'Plan', b: 'Build' }, [['a', 'b', 0]]),
        'xl/charts/chart1.xml': `<c:chartSpace><c:chart><c:title><a:t>Growth</a:t></c:title><c:plotArea><c:layout/><c:lineChart><c:ser><c:tx>${point('Trees')}</c:tx><c:cat>${point('2020')}</c:cat><c:val>${point('7')}</c:val></c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>`,
        'xl/comments1.xml':
          '<comments><authors><author>Bob</author></authors><commentList><comment ref="A1" authorId="0"><text><t>Really?</t></text></comment></commentList></comments>',
      },
    });
    expect(outline(await parse(file, XLSX)).slice(2)).toEqual([
      ['caption', 'Line chart: Growth'],
      ['table', '| Trees\n2020 | 7'],
      ['list', '- Plan\n  - Build'],
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
      ['A', 'B', 'C'].map((name) => ({ name, rows })),
      {
        parts: {
          'xl/worksheets/_rels/sheet1.xml.rels': many('drawing', '../drawings/drawing1.xml'),
          'xl/worksheets/_rels/sheet2.xml.rels': many('drawing', '../drawings/drawing2.xml'),
          'xl/worksheets/_rels/sheet3.xml.rels': many('comments', '../comments1.xml'),
          'xl/drawings/drawing1.xml': '<xdr:wsDr/>',
          'xl/drawings/drawing2.xml': '<xdr:wsDr/>',
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
});
