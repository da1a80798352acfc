import { describe, expect, it } from '@jest/globals';
import { ODT } from '../file-type/file-type.js';
import { buildOdt } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const p = (text: string, style = 'Standard'): string => `<text:p text:style-name="${style}">${text}</text:p>`;
const h = (level: number, text: string): string => `<text:h text:outline-level="${level}">${text}</text:h>`;
const items = (...contents: string[]): string =>
  contents.map((content) => `<text:list-item>${content}</text:list-item>`).join('');
const list = (style: string, content: string, attributes = ''): string =>
  `<text:list text:style-name="${style}" ${attributes}>${content}</text:list>`;
const cell = (content: string, attributes = ''): string =>
  `<table:table-cell ${attributes}>${content}</table:table-cell>`;
const row = (...cells: string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`;
const COVERED = '<table:covered-table-cell/>';

const TEXT_STYLES =
  '<style:style style:name="T1" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>' +
  '<style:style style:name="T2" style:family="text"><style:text-properties style:font-name="Symbol"/></style:style>' +
  '<style:style style:name="T3" style:family="text"><style:text-properties text:display="none"/></style:style>' +
  '<style:style style:name="T4" style:family="text" style:parent-style-name="T3"/>' +
  '<style:style style:name="T5" style:family="text"><style:text-properties style:text-line-through-style="solid" style:text-line-through-type="single"/></style:style>' +
  '<style:style style:name="T6" style:family="text"><style:text-properties style:text-line-through-style="none"/></style:style>';
const STYLES =
  '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Mine"/>' +
  '<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>' +
  '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>' +
  '<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/>' +
  '<text:list-level-style-bullet text:level="3"/></text:list-style>' +
  TEXT_STYLES;
const COMMON =
  '<office:document-styles><style:style style:name="Mine" style:family="paragraph" style:parent-style-name="Quotations"/></office:document-styles>';

const TEXTS: readonly (readonly [what: string, paragraph: string, text: string])[] = [
  ['white space', 'a\n  b<text:s text:c="3"/>c<text:tab/>d<text:line-break/>e<text:s/>f', 'a b   c\td\ne f'],
  ['many spaces', 'a<text:s text:c="1000000000"/>b', `a${' '.repeat(80)}b`],
  [
    'spans, links and fields',
    '<text:span>a<text:a>b</text:a></text:span><text:date>today</text:date>',
    'abtoday',
  ],
  [
    'ruby',
    '<text:ruby><text:ruby-base>字</text:ruby-base><text:ruby-text>じ</text:ruby-text></text:ruby><text:ruby><text:ruby-base>引</text:ruby-base><text:ruby-text>びき</text:ruby-text></text:ruby>',
    '字引(じびき)',
  ],
  [
    'exponents and symbols',
    '10<text:span text:style-name="T1">6</text:span>, the 1<text:span text:style-name="T1">st</text:span> <text:span text:style-name="T2">\uf0b3</text:span>',
    '10^6, the 1st ≥',
  ],
  [
    'text that is not struck out',
    '<text:span text:style-name="T5">95 <text:span text:style-name="T6">82</text:span></text:span> EUR',
    '82 EUR',
  ],
  [
    'pictures',
    'a<draw:frame><draw:image><office:binary-data>AAAA</office:binary-data></draw:image><svg:title>T</svg:title><svg:desc>D</svg:desc></draw:frame>',
    'a',
  ],
];

describe('odtParser', () => {
  for (const [what, paragraph, text] of TEXTS) {
    it(`reads ${what}`, async () =>
      expect((await parse(buildOdt(p(paragraph), { styles: STYLES }), ODT)).text).toBe(text));
  }

  it('reads headings, paragraphs by style, and lists', async () => {
    const body =
      `<text:tracked-changes>${p('Deleted')}</text:tracked-changes>` +
      p('The manual', 'Title') +
      `<text:table-of-content><text:index-body>${p('First 1')}</text:index-body></text:table-of-content>` +
      `<text:section>${h(1, 'First')}${p('Text')}</text:section>` +
      list(
        'L1',
        items(p('one') + `<text:list>${items(p('inner'), p('next') + p('more'))}</text:list>`, p('two')),
      ) +
      p('Between') +
      list('L1', items(p('three')), 'text:continue-numbering="true"') +
      list('Unknown', `<text:list-header>${p('Shopping:')}</text:list-header>${items(p('bread'))}`) +
      p('let x', 'P2') +
      p('<text:s text:c="2"/>= 1', 'P2') +
      p('Quoted', 'P1') +
      list('L1', items(h(2, 'Numbered')));
    const document = await parse(buildOdt(body, { styles: STYLES, parts: { 'styles.xml': COMMON } }), ODT);
    expect(outline(document)).toEqual([
      ['heading1', 'The manual'],
      ['heading1', 'First'],
      ['paragraph', 'Text'],
      ['list', '1. one\n  a) inner\n  b) next\n    more\n2. two'],
      ['paragraph', 'Between'],
      ['list', '3. three\nShopping:\n- bread'],
      ['code', 'let x\n  = 1'],
      ['quote', 'Quoted'],
      ['heading2', '1. Numbered'],
    ]);
    expect(document.title).toBe('The manual');
    expect(document.blocks[2]?.headingPath).toEqual(['First']);
  });

  it('numbers headings and lists as they are printed', async () => {
    const outlineLevel = (level: number, attributes: string): string =>
      `<text:outline-level-style text:level="${level}" ${attributes}/>`;
    const common =
      `<office:document-styles><text:outline-style>${outlineLevel(1, 'style:num-format="I" style:num-suffix="."')}` +
      `${outlineLevel(2, 'style:num-format="1" text:display-levels="2"')}${outlineLevel(3, 'style:num-format=""')}</text:outline-style>` +
      '<style:style style:name="Plain" style:family="paragraph" style:list-style-name=""/>' +
      '<text:list-style style:name="C"><text:list-level-style-number text:level="1" style:num-format="一, 二, 三, ..." style:num-prefix="第" style:num-suffix="条" text:start-value="2"/>' +
      '<text:list-level-style-number text:level="2" style:num-format="1" loext:num-list-format="%1%-%2%)"/></text:list-style></office:document-styles>';
    const unnumbered = h(1, 'Preface').replace('<text:h', '<text:h text:style-name="Plain"');
    const restarted = h(1, 'E').replace(
      '<text:h',
      '<text:h text:restart-numbering="true" text:start-value="9"',
    );
    const body =
      unnumbered +
      h(1, 'A') +
      h(2, 'B') +
      h(2, 'C') +
      h(3, 'D') +
      restarted +
      h(2, 'F') +
      list('C', items(p('x'), p('y') + `<text:list>${items(p('z'))}</text:list>`)) +
      list(
        'C',
        items(`<text:list>${items(p('wrapped'))}</text:list>`, p('last')),
        'text:continue-numbering="true"',
      );
    const { text } = await parse(buildOdt(body, { parts: { 'styles.xml': common } }), ODT);
    expect(text.split(/\s*\n\s*/)).toEqual([
      'Preface',
      'I. A',
      'I.1 B',
      'I.2 C',
      'D',
      'IX. E',
      'IX.1 F',
      '第二条 x',
      '第三条 y',
      '三-1) z',
      '三-1) wrapped',
      '第四条 last',
    ]);
  });

  it('reads tables, notes, comments and text boxes', async () => {
    const note = `<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('A note.')}</text:note-body></text:note>`;
    const comment = `<office:annotation><dc:creator>Ada</dc:creator><dc:date>2026-01-02</dc:date>${p('Check')}</office:annotation>`;
    const box = `<draw:frame><draw:text-box>${p('In a box')}</draw:text-box></draw:frame>`;
    const body =
      `<table:table><table:table-column/><table:table-header-rows>${row(cell(p('Name')), cell(p('Town')), cell(p('Year')))}</table:table-header-rows>` +
      row(
        cell(p('Ada'), 'table:number-rows-spanned="2"'),
        cell(p(`London${note}`) + list('L1', items(p('first'), p('last')))),
        cell(p('1840'), 'table:number-columns-repeated="2"'),
      ) +
      `${row(COVERED, cell(p('Both'), 'table:number-columns-spanned="2"'), COVERED)}</table:table>` +
      p(`Around${comment}${box}`) +
      `<table:table>${row(cell(p('Framed')))}</table:table>` +
      p('End');
    const document = await parse(buildOdt(body, { styles: STYLES }), ODT);
    expect(outline(document)).toEqual([
      ['table', 'Name | Town | Year\nAda | London[1] 1. first 2. last | 1840 | 1840\nAda | Both | Both'],
      ['paragraph', 'Around'],
      ['paragraph', '[Comment by Ada, 2026-01-02] Check'],
      ['paragraph', 'In a box'],
      ['paragraph', 'Framed'],
      ['paragraph', 'End'],
      ['paragraph', '[1] A note.'],
    ]);
    expect(document.blocks[0]?.headerEnd).toBe('Name | Town | Year'.length);
  });

  it('joins the rows of a header', async () => {
    const head =
      row(cell(p('Region')), cell(p('2024'), 'table:number-columns-spanned="2"'), COVERED) +
      row(cell(''), cell(p('Q1')), cell(p('Q2')));
    const body = `<table:table><table:table-header-rows>${head}</table:table-header-rows>${row(cell(p('North')), cell(p('1')), cell(p('2')))}</table:table>`;
    expect((await parse(buildOdt(body), ODT)).text).toBe('Region | 2024 / Q1 | 2024 / Q2\nNorth | 1 | 2');
  });

  it('counts hidden and deleted text and tables of contents, and reads headers and footers once', async () => {
    const body =
      `<text:tracked-changes><text:changed-region><text:deletion>${p('gone')}</text:deletion></text:changed-region></text:tracked-changes>` +
      `<text:table-of-content><text:index-body>${p('First 1')}</text:index-body></text:table-of-content>` +
      p('<text:span text:style-name="T5">old</text:span>') +
      `<text:section text:display="none">${p('secret')}</text:section>` +
      p('<text:hidden-text text:is-hidden="true">x</text:hidden-text>') +
      p('a<text:span text:style-name="T3">bc</text:span><text:span text:style-name="T4">d</text:span>');
    const footer = p('Acme<text:tab/>Seite <text:page-number>1</text:page-number>');
    const master = `<office:document-styles><office:master-styles><style:master-page><style:header>${p('Contract 7')}</style:header><style:footer>${footer}</style:footer><style:footer-left>${footer}</style:footer-left></style:master-page></office:master-styles></office:document-styles>`;
    const file = buildOdt(body, { styles: STYLES, parts: { 'styles.xml': master } });
    const document = await parse(file, ODT);
    expect(document.text).toBe('a\n\nContract 7\n\nAcme');
    expect(document.leftOut).toEqual({ deleted: 7, navigation: 7, hidden: 10, running: 14 });
  });

  it('names objects, and does not miss what no reader sees', async () => {
    const frame = (content: string): string => `<draw:frame>${content}</draw:frame>`;
    const object = (name: string, element = 'object'): string =>
      frame(`<draw:${element} xlink:href="./${name}"/>`);
    const picture =
      '<draw:image><office:binary-data>iVBORw0KGgoAAAANSUhEUgAA</office:binary-data></draw:image>';
    const change =
      '<office:change-info><dc:creator>Augusta Ada King</dc:creator><dc:date>2026-01-02T10:00:00</dc:date></office:change-info>';
    const body =
      `<text:tracked-changes><text:changed-region><text:insertion>${change}</text:insertion></text:changed-region></text:tracked-changes>` +
      p(`Text${object('Object 1')}${frame(picture)}`) +
      object('Object 2', 'object-ole');
    const { text, warnings } = await parse(buildOdt(body), ODT);
    expect(text).toBe('Text');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('were not read: Object 1, Object 2.'),
    ]);
  });

  it('reads the metadata', async () => {
    const meta =
      '<office:document-meta><office:meta><dc:title>Hay</dc:title><dc:language>de-AT</dc:language><meta:initial-creator>A. Farmer</meta:initial-creator></office:meta></office:document-meta>';
    const document = await parse(buildOdt(h(1, 'Stack'), { parts: { 'meta.xml': meta } }), ODT);
    expect([document.title, document.language, document.metadata['author']]).toEqual([
      'Hay',
      'de-AT',
      'A. Farmer',
    ]);
  });

  it('reports why a file cannot be read', async () => {
    const entry = (content: string): string =>
      `<manifest:manifest><manifest:file-entry manifest:full-path="content.xml">${content}</manifest:file-entry></manifest:manifest>`;
    const withManifest = (content: string): Uint8Array =>
      buildOdt(p('x'), { parts: { 'META-INF/manifest.xml': entry(content) } });
    expect((await parse(withManifest(''), ODT)).text).toBe('x');
    for (const [file, code] of [
      [withManifest('<manifest:encryption-data/>'), 'PASSWORD_REQUIRED'],
      [buildOdt(''), 'EMPTY_DOCUMENT'],
      [buildOdt('<text:p>'), 'CORRUPT_FILE'],
    ] as const)
      await expect(parse(file, ODT)).rejects.toMatchObject({ code });
  });
});
