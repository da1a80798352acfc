import { describe, expect, it } from '@jest/globals';
import { ODS } from '../file-type/file-type.js';
import { buildOds } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const p = (text: string): string => `<text:p>${text}</text:p>`;
const cell = (text: string, attributes = '', more = ''): string =>
  `<table:table-cell ${attributes}>${p(text)}${more}</table:table-cell>`;
const number = (value: string, text: string, type = 'float'): string =>
  cell(text, `office:value-type="${type}" office:value="${value}"`);
const empty = (count: number): string => `<table:table-cell table:number-columns-repeated="${count}"/>`;
const COVERED = '<table:covered-table-cell/>';
const row = (cells: string, attributes = ''): string =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`;
const sheet = (name: string, content: string, style = ''): string =>
  `<table:table table:name="${name}" table:style-name="${style}"><table:table-column/>${content}</table:table>`;

const STYLES =
  '<style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style>' +
  '<style:style style:name="shown" style:family="table" style:master-page-name="Default"/>' +
  '<style:style style:name="struck" style:family="table-cell"><style:text-properties style:text-line-through-type="single"/></style:style>' +
  '<style:style style:name="secret" style:family="table-cell" style:data-style-name="N1"/>';

/** The rows of one sheet, its text without the name of the sheet, and what its cells hold. */
const SHEETS: readonly (readonly [what: string, rows: string, text: string, contents?: unknown])[] = [
  [
    'values as they are printed, with what they are',
    row(cell('Datum') + cell('Betrag') + cell('Anteil') + cell('Dauer')) +
      row(
        cell('31.12.2025', 'office:value-type="date" office:date-value="2025-12-31"') +
          number('1234.5', '1.234,50 €', 'currency') +
          number('0.125', '12,5 %', 'percentage') +
          cell('01:30', 'office:value-type="time" office:time-value="PT01H30M00S"'),
      ),
    'Datum | Betrag | Anteil | Dauer\n31.12.2025 | 1.234,50 € | 12,5 % | 01:30',
    ['2025-12-31', 1234.5, 0.125, '01:30:00'],
  ],
  [
    'values whose text a program has not written',
    row(
      [
        'float" office:value="1.5"',
        'percentage" office:value="0.07"',
        'currency" office:value="3" office:currency="EUR"',
        'date" office:date-value="2026-01-02T10:20:30"',
        'date" office:date-value="2026-01-02T00:00:00"',
        'time" office:time-value="PT37H05M"',
        'boolean" office:boolean-value="true"',
        'string" office:string-value="text"',
      ]
        .map((attributes) => `<table:table-cell office:value-type="${attributes}/>`)
        .join('') +
        '<table:table-cell table:formula="of:=SUM([.A1:.A2])"/>' +
        number('9', ''),
    ),
    '1.5 | 7% | 3 EUR | 2026-01-02 10:20:30 | 2026-01-02 | 37:05:00 | TRUE | text | =SUM([.A1:.A2]) | 9',
    [1.5, 0.07, 3, '2026-01-02 10:20:30', '2026-01-02', undefined, undefined, undefined, undefined, 9],
  ],
  [
    'repeated cells and rows, and places between them',
    row(cell('a') + empty(2) + cell('b', 'table:number-columns-repeated="2"')) +
      row(empty(1), 'table:number-rows-repeated="1"') +
      row(cell('c') + cell('d') + empty(16_000), 'table:number-rows-repeated="2"') +
      row(empty(16_384), 'table:number-rows-repeated="1048570"'),
    'a |  |  | b | b\nc | d\nc | d',
  ],
  [
    'merged cells, counted once',
    row(cell('Year') + cell('Sum')) +
      row(cell('2025', 'table:number-rows-spanned="2"') + number('1', '1')) +
      row(COVERED + number('2', '2')) +
      row(cell('both', 'table:number-columns-spanned="2"') + COVERED) +
      row(cell('2026') + number('3', '3')),
    'Year | Sum\n2025 | 1\n2025 | 2\nboth\n2026 | 3',
  ],
  [
    'rows in groups, spans and lines of cells',
    `<table:table-header-rows>${row(cell('Name') + cell('Note'))}</table:table-header-rows>` +
      `<table:table-row-group><table:table-row-group>${row(cell('A<text:span>d</text:span>a') + `<table:table-cell>${p('one')}${p('two')}</table:table-cell>`)}</table:table-row-group></table:table-row-group>`,
    'Name | Note\nAda | one two',
  ],
];

describe('odsParser', () => {
  for (const [what, rows, text, contents] of SHEETS) {
    it(`reads ${what}`, async () => {
      const document = await parse(buildOds(sheet('S', rows)), ODS);
      expect(document.text).toBe(`S\n\n${text}`);
      const [cells] = document.tables.values();
      if (contents !== undefined)
        expect(Array.from(cells?.contents.at(text.split('\n').length - 1) ?? [])).toEqual(contents);
    });
  }

  it('reads several sheets with shapes, charts and comments, and counts what is hidden', async () => {
    const comment = `<office:annotation><dc:creator>Ada</dc:creator><dc:date>2026-01-02</dc:date>${p('Check')}</office:annotation>`;
    const chart =
      '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./Replaced"/></draw:frame>';
    const box = `<draw:custom-shape>${p('In a shape')}</draw:custom-shape>`;
    const footer =
      `<office:document-styles><style:master-page style:name="Default"><style:header>${p('<text:sheet-name>???</text:sheet-name>')}</style:header>` +
      `<style:footer>${p('Acme, page <text:page-number>1</text:page-number>')}</style:footer></style:master-page>` +
      `<style:master-page style:name="Report"><style:header>${p('Unused')}</style:header></style:master-page></office:document-styles>`;
    const body =
      `<table:tracked-changes>${p('old')}</table:tracked-changes>` +
      sheet(
        'Prices',
        `<table:shapes>${box}${chart}</table:shapes>` +
          row(cell('Item') + cell('Price')) +
          row(cell('Tea', '', comment) + number('3', '3,00')) +
          row(
            cell('Milk', 'table:style-name="struck"') +
              cell('', 'office:value-type="float" office:value="77" table:style-name="secret"'),
          ),
        'shown',
      ) +
      sheet('Empty', row(empty(10), 'table:number-rows-repeated="1048576"')) +
      sheet('Notes', row(cell('hidden sheet')), 'hidden');
    const document = await parse(
      buildOds(body, {
        styles: STYLES,
        parts: {
          'styles.xml': footer,
          'Object 1/content.xml':
            `<office:document-content><office:body><office:chart><chart:chart chart:class="chart:circle"><chart:title>${p('Shares')}</chart:title>` +
            `<chart:plot-area><chart:axis><chart:title>${p('Year')}</chart:title></chart:axis></chart:plot-area>` +
            `<table:table>${row(cell('') + cell('2025'))}${row(cell('Tea') + number('NaN', 'NaN'))}${row(cell('Milk') + number('4', '4'))}</table:table></chart:chart></office:chart></office:body></office:document-content>`,
        },
      }),
      ODS,
    );
    expect(outline(document)).toEqual([
      ['heading2', 'Prices'],
      ['table', 'Item | Price\nTea | 3,00'],
      ['paragraph', 'In a shape'],
      ['caption', 'Pie chart: Shares (Year)'],
      ['table', '| 2025\nTea\nMilk | 4'],
      ['paragraph', 'A2 [Comment by Ada, 2026-01-02] Check'],
      ['heading2', 'Notes'],
      ['table', 'hidden sheet'],
      ['paragraph', 'Acme, page 1'],
    ]);
    expect(document.leftOut).toEqual({ deleted: 7, hidden: 2 });
    expect(document.metadata).toMatchObject({ sheets: 3, hiddenSheets: 'Notes' });
    expect(document.warnings).toEqual([]);
  });

  it('reports why a file cannot be read', async () => {
    const manifest = (content: string): string =>
      `<manifest:manifest><manifest:file-entry manifest:full-path="encrypted-package">${content}</manifest:file-entry></manifest:manifest>`;
    const many = row(cell('x'.repeat(100)), 'table:number-rows-repeated="1048576"');
    for (const [body, parts, code] of [
      ['', { 'META-INF/manifest.xml': manifest('<manifest:encryption-data/>') }, 'PASSWORD_REQUIRED'],
      [sheet('S', row(empty(5))), {}, 'EMPTY_DOCUMENT'],
      ['<table:table>', {}, 'CORRUPT_FILE'],
      [sheet('S', many.repeat(5)), {}, 'TOO_COMPLEX'],
    ] as const)
      await expect(parse(buildOds(body, { parts }), ODS)).rejects.toMatchObject({ code });
  });
});
