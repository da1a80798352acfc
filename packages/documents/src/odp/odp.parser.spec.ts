import { describe, expect, it } from '@jest/globals';
import { ODP } from '../file-type/file-type.js';
import { buildOdp } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const p = (text: string): string => `<text:p>${text}</text:p>`;
/** @param place left and top in centimetres */
const box = (place: readonly [number, number], content: string, kind = ''): string =>
  `<draw:frame svg:x="${place[0]}cm" svg:y="${place[1]}cm" svg:width="5cm" svg:height="2cm" ${kind === '' ? '' : `presentation:class="${kind}"`}>` +
  `<draw:text-box>${content}</draw:text-box></draw:frame>`;
const page = (content: string, attributes = ''): string =>
  `<draw:page draw:master-page-name="M" ${attributes}>${content}</draw:page>`;
const notes = (text: string): string =>
  `<presentation:notes><draw:page-thumbnail/><draw:frame presentation:class="notes"><draw:text-box>${p(text)}</draw:text-box></draw:frame>` +
  `<draw:frame presentation:class="page-number"><draw:text-box>${p('7')}</draw:text-box></draw:frame></presentation:notes>`;

const STYLES =
  '<style:style style:name="skipped" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>' +
  '<style:style style:name="bare" style:family="drawing-page"><style:drawing-page-properties presentation:display-footer="false" presentation:background-objects-visible="false"/></style:style>';
const MASTER =
  `<office:document-styles><style:master-page style:name="M">${box([0, 0], p('Click to edit'), 'title')}${box([0, 18], p('Fixed footer'), 'footer')}` +
  `<draw:custom-shape>${p('Acme')}</draw:custom-shape><presentation:notes>${p('Prompt')}</presentation:notes></style:master-page></office:document-styles>`;
const CELLS = `<table:table-row><table:table-cell>${p('Name')}</table:table-cell><table:table-cell>${p('Town')}</table:table-cell></table:table-row><table:table-row><table:table-cell table:number-columns-spanned="2">${p('Both')}</table:table-cell><table:covered-table-cell/></table:table-row>`;

const read = (body: string): ReturnType<typeof parse> =>
  parse(buildOdp(body, { styles: STYLES, parts: { 'styles.xml': MASTER } }), ODP);

describe('odpParser', () => {
  it('reads slides by the places of shapes, with notes, comments, and texts of the master once', async () => {
    const group = `<draw:g><draw:rect svg:x="20cm" svg:y="5cm" svg:width="2cm" svg:height="2cm">${p('Beside')}</draw:rect></draw:g>`;
    const turned = `<draw:custom-shape svg:width="2cm" svg:height="1cm" draw:transform="rotate (1.5) translate (2cm 12cm)">${p('Turned')}</draw:custom-shape>`;
    const document = await read(
      '<presentation:footer-decl presentation:name="f1">Confidential</presentation:footer-decl>' +
        page(
          turned +
            group +
            box(
              [2, 5],
              `<text:list><text:list-item>${p('one')}</text:list-item><text:list-item>${p('two')}</text:list-item></text:list>`,
              'outline',
            ) +
            box([2, 1], p('Plan'), 'title') +
            box([2, 14], '') +
            `<office:annotation><dc:creator>Ada</dc:creator>${p('Why?')}</office:annotation>` +
            notes('Say hello'),
          'presentation:use-footer-name="f1"',
        ) +
        page(box([0, 0], p('Left out')) + notes('and its note'), 'draw:style-name="skipped"') +
        page(
          `<draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="9cm"><table:table>${CELLS}</table:table></draw:frame>`,
          'presentation:use-footer-name="f1"',
        ) +
        page(box([0, 0], p('Last')), 'draw:style-name="bare"'),
    );
    expect(outline(document)).toEqual([
      ['heading1', 'Plan'],
      ['list', '- one\n- two'],
      ['paragraph', 'Turned'],
      ['paragraph', 'Beside'],
      ['paragraph', 'Acme'],
      ['paragraph', 'Fixed footer'],
      ['paragraph', 'Confidential'],
      ['paragraph', 'Say hello'],
      ['paragraph', '[Comment by Ada] Why?'],
      ['table', 'Name | Town\nBoth'],
      ['paragraph', 'Last'],
    ]);
    expect(document.blocks.map(({ page: number }) => number)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 4]);
    expect(document).toMatchObject({ title: 'Plan', pageCount: 4, warnings: [] });
    expect(document.leftOut).toEqual({ hidden: 'Left out'.length + 'and its note'.length + 1 });
  });

  it('reads all slides if the show skips all', async () => {
    const { text } = await read(page(box([0, 0], p('Only')), 'draw:style-name="skipped"'));
    expect(text).toContain('Only');
  });

  it('names objects that are not read', async () => {
    const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
    const { warnings } = await read(page(object + box([0, 0], p('x'))));
    expect(warnings[0]?.message).toContain('were not read: Object 1.');
  });
});
