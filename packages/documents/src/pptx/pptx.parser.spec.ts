import { describe, expect, it } from '@jest/globals';
import { PPTX } from '../file-type/file-type.js';
import {
  buildPptx,
  chartPoints,
  chartSpace,
  diagramModel,
  graphic,
  relationships,
  slideShape,
} from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

describe('pptxParser', () => {
  it('reads slides in presentation order with notes and counts them as pages', async () => {
    const second =
      slideShape(['Point one', 'Point two'], 'body') +
      slideShape(['Second'], 'title') +
      slideShape(['7'], 'sldNum');
    const first = slideShape(['First'], 'ctrTitle');
    const document = await parse(
      buildPptx([second, first], { order: [2, 1], notes: { 1: 'Say hello' } }),
      PPTX,
    );
    expect(outline(document)).toEqual([
      ['heading1', 'First'],
      ['heading1', 'Second'],
      ['list', 'Point one\nPoint two'],
      ['paragraph', 'Say hello'],
    ]);
    expect(document.blocks.map((block) => block.page)).toEqual([1, 2, 2, 2]);
    expect(document.pageCount).toBe(2);
  });

  it('reads tables', async () => {
    const row = (...cells: string[]): string =>
      `<a:tr>${cells.map((text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`;
    const frame = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${row('A', 'B')}${row('1', '2')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    expect(outline(await parse(buildPptx([frame]), PPTX))).toEqual([['table', 'A | B\n1 | 2']]);
  });

  it('reads charts and diagrams in slide order and ignores broken ones', async () => {
    const frame = (kind: 'chart' | 'diagram', id: string): string =>
      `<p:graphicFrame>${graphic(kind, id)}</p:graphicFrame>`;
    const slide =
      slideShape(['Before']) +
      frame('diagram', 'r1') +
      `<mc:AlternateContent><mc:Choice>${frame('chart', 'r2')}</mc:Choice><mc:Fallback>${frame('chart', 'r3')}</mc:Fallback></mc:AlternateContent>` +
      frame('chart', 'r4') +
      frame('diagram', 'r5') +
      slideShape(['After']);
    const series = `<c:ser><c:tx>${chartPoints(['Trees'])}</c:tx><c:cat>${chartPoints(['2024'])}</c:cat><c:val>${chartPoints(['7'])}</c:val></c:ser>`;
    const file = buildPptx([slide], {
      parts: {
        'ppt/slides/_rels/slide1.xml.rels': relationships({
          r1: ['diagramData', '../diagrams/data1.xml'],
          r2: ['chart', '../charts/chart1.xml'],
          r3: ['chart', '../charts/chart2.xml'],
          r4: ['chart', '../charts/broken.xml'],
          r5: ['diagramData', '../diagrams/none.xml'],
        }),
        'ppt/diagrams/data1.xml': diagramModel({ b: 'Build', a: 'Plan' }, [['a', 'b', 0]]),
        'ppt/charts/chart1.xml': chartSpace(`<c:lineChart>${series}</c:lineChart>`),
        'ppt/charts/chart2.xml': chartSpace(`<c:pieChart>${series}</c:pieChart>`),
        'ppt/charts/broken.xml': '<c:chartSpace><c:chart>',
      },
    });
    expect(outline(await parse(file, PPTX))).toEqual([
      ['paragraph', 'Before'],
      ['list', '- Plan\n  - Build'],
      ['caption', 'Line chart'],
      ['table', '| Trees\n2024 | 7'],
      ['paragraph', 'After'],
    ]);
  });

  it('reads a diagram once that several slides show', async () => {
    const frame = `<p:graphicFrame>${graphic('diagram', 'r1')}</p:graphicFrame>`;
    const slideRelationships = relationships({ r1: ['diagramData', '../diagrams/data1.xml'] });
    const file = buildPptx([frame + slideShape(['One']), frame + slideShape(['Two'])], {
      parts: {
        'ppt/slides/_rels/slide1.xml.rels': slideRelationships,
        'ppt/slides/_rels/slide2.xml.rels': slideRelationships,
        'ppt/diagrams/data1.xml': diagramModel({ a: 'Plan' }, []),
      },
    });
    expect(outline(await parse(file, PPTX))).toEqual([
      ['list', '- Plan'],
      ['paragraph', 'One'],
      ['paragraph', 'Two'],
    ]);
  });

  it('repeats merged cells, numbers list items and names comment authors', async () => {
    const cell = (text: string, attributes = ''): string =>
      `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const frame = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell('Name')}${cell('Both', 'gridSpan="2"')}${cell('', 'hMerge="1"')}</a:tr><a:tr>${cell('', 'vMerge="1"')}${cell('1')}${cell('2')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const point = (text: string): string =>
      `<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const list = `<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody>${point('First')}${point('Then')}</p:txBody></p:sp>`;
    const file = buildPptx([frame + list], {
      parts: {
        'ppt/slides/_rels/slide1.xml.rels': relationships({ r1: ['comments', '../comments/comment1.xml'] }),
        'ppt/comments/comment1.xml':
          '<p:cmLst><p:cm authorId="3" dt="2026-01-01"><p:text>Is that so?</p:text></p:cm></p:cmLst>',
        'ppt/_rels/presentation.xml.rels': relationships({
          rId1: ['slide', 'slides/slide1.xml'],
          rId2: ['commentAuthors', 'commentAuthors.xml'],
        }),
        'ppt/commentAuthors.xml':
          '<p:cmAuthorLst><p:cmAuthor id="3" name="Ada Lovelace" initials="AL"/></p:cmAuthorLst>',
      },
    });
    expect(outline(await parse(file, PPTX))).toEqual([
      ['table', 'Name | Both | Both\nName | 1 | 2'],
      ['list', '1. First\n2. Then'],
      ['paragraph', '[Comment by Ada Lovelace (AL), 2026-01-01] Is that so?'],
    ]);
  });
});
