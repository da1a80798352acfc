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

  it('reads a slide, its notes and its comments once, however often they are referenced', async () => {
    const comment = ['comments', '../comments/comment1.xml'] as const;
    const notes = ['notesSlide', '../notesSlides/notesSlide1.xml'] as const;
    const file = buildPptx([slideShape(['One']), slideShape(['Two'])], {
      order: [1, 2, 1, 2],
      notes: { 1: 'Say hello' },
      parts: {
        'ppt/slides/_rels/slide1.xml.rels': relationships({ r1: comment, r2: comment, r3: notes }),
        'ppt/slides/_rels/slide2.xml.rels': relationships({ r1: comment, r2: notes }),
        'ppt/comments/comment1.xml': '<p:cmLst><p:cm><p:text>Really?</p:text></p:cm></p:cmLst>',
      },
    });
    const { text, pageCount } = await parse(file, PPTX);
    expect([text, pageCount]).toEqual(['One\n\nSay hello\n\n[Comment] Really?\n\nTwo', 2]);
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

  describe('reading order', () => {
    const placed = (text: string, [x, y, cx, cy]: readonly number[], placeholder = ''): string =>
      `<p:sp><p:nvSpPr><p:cNvPr id="1" name="a"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${x === undefined ? '' : `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>`}</p:spPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    const texts = async (slide: string, parts: Readonly<Record<string, string>> = {}): Promise<string[]> =>
      outline(await parse(buildPptx([slide], { parts }), PPTX)).map(([, text]) => text);

    it('reads columns below a title, and a group as one', async () => {
      const group = `<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x="500" y="200"/><a:ext cx="300" cy="300"/><a:chOff x="0" y="0"/><a:chExt cx="30" cy="30"/></a:xfrm></p:grpSpPr>${placed('Right body', [0, 20, 30, 10])}${placed('Right heading', [0, 0, 30, 5])}</p:grpSp>`;
      const slide =
        group +
        placed('Left body', [100, 300, 300, 100]) +
        placed('Left heading', [100, 200, 300, 50]) +
        // A group without a place of its own.
        `<p:grpSp><p:grpSpPr/>${placed('Bottom', [100, 900, 700, 50])}${placed('Top', [100, 10, 300, 50])}</p:grpSp>`;
      expect(await texts(slide)).toEqual(
        'Top|Left heading|Left body|Right heading|Right body|Bottom'.split('|'),
      );
    });

    it('takes the places of placeholders from layout and master', async () => {
      const layoutPart = (shapes: string, root: string): string =>
        `<p:${root}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${root}>`;
      const body = '<p:ph type="body" idx="1"/>';
      const slide =
        placed('Free', [0, 300, 100, 50]) +
        placed('Second', [], '<p:ph idx="2"/>') +
        placed('First', [], '<p:ph idx="1"/>') +
        placed('Title', [], '<p:ph type="title"/>') +
        placed('Acme', [], '<p:ph type="ftr" idx="11"/>') +
        placed('1', [], '<p:ph type="sldNum" idx="12"/>');
      const parts = {
        'ppt/slides/_rels/slide1.xml.rels': relationships({ r1: ['slideLayout', '../slideLayouts/l.xml'] }),
        'ppt/slideLayouts/_rels/l.xml.rels': relationships({ r1: ['slideMaster', '../slideMasters/m.xml'] }),
        'ppt/slideLayouts/l.xml': layoutPart(
          placed('', [], body) +
            placed('', [0, 200, 100, 50], '<p:ph idx="2"/>') +
            placed('Confidential', [0, 400, 10, 10]),
          'sldLayout',
        ),
        'ppt/slideMasters/m.xml': layoutPart(
          placed('Click', [0, 100, 100, 50], '<p:ph type="body"/>'),
          'sldMaster',
        ),
      };
      expect(await texts(slide, parts)).toEqual(['Title', 'First', 'Second', 'Free', 'Acme', 'Confidential']);
    });

    it('leaves hidden slides and shapes out, and repeats no footer', async () => {
      const footer = placed('Acme 2024', [], '<p:ph type="ftr"/>');
      const hidden =
        '<p:sp><p:nvSpPr><p:cNvPr hidden="1"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>Old</a:t></a:r></a:p></p:txBody></p:sp>';
      const slides = [placed('One', []) + footer + hidden, placed('Two', []), placed('Three', []) + footer];
      const show = (number: number): string =>
        `<p:sld show="0"><p:cSld><p:spTree>${slides[number - 1]}</p:spTree></p:cSld></p:sld>`;
      const document = await parse(buildPptx(slides, { parts: { 'ppt/slides/slide2.xml': show(2) } }), PPTX);
      expect(outline(document).map(([, text]) => text)).toEqual(['One', 'Acme 2024', 'Three']);
      expect(document.leftOut).toEqual({ hidden: 6, running: 9 });
      expect(document.blocks.at(-1)?.page).toBe(3);
      const all = Object.fromEntries(
        [1, 2, 3].map((number) => [`ppt/slides/slide${number}.xml`, show(number)]),
      );
      expect((await parse(buildPptx(slides, { parts: all }), PPTX)).text).toContain('Two');
    });
  });

  it('numbers paragraphs by their schemes', async () => {
    const point = (text: string, scheme: string, level = 0, run = ''): string =>
      `<a:p><a:pPr lvl="${level}"><a:buAutoNum ${scheme}/></a:pPr><a:r>${run}<a:t>${text}</a:t></a:r></a:p>`;
    const body =
      point('a', 'type="romanUcPeriod" startAt="3"') +
      point('b', 'type="alphaLcParenBoth"', 1) +
      point('c', 'type="alphaLcParenBoth"', 1) +
      point('gone', 'type="romanUcPeriod" startAt="3"', 0, '<a:rPr strike="sngStrike"/>') +
      point('d', 'type="romanUcPeriod" startAt="3"') +
      point('e', 'type="ea1ChsPeriod"') +
      point('f', 'type="circleNumDbPlain"') +
      point('g', 'type="arabicParenR"');
    const shape = slideShape([], 'body').replace('<p:txBody>', `<p:txBody>${body}`);
    expect((await parse(buildPptx([shape]), PPTX)).text.split(/\s*\n\s*/)).toEqual([
      'III. a',
      '(a) b',
      '(b) c',
      'V. d',
      '一. e',
      '① f',
      '1) g',
    ]);
  });

  it('counts text that is struck out', async () => {
    const run = (text: string, strike: string): string =>
      `<a:r><a:rPr strike="${strike}"/><a:t>${text}</a:t></a:r>`;
    const struck = `<a:p>${run('95', 'sngStrike')}${run('82', 'noStrike')}${run('x', 'dblStrike')}</a:p>`;
    const slide = (placeholder: string): string =>
      slideShape([], placeholder).replace('<p:txBody>', `<p:txBody>${struck}`);
    const file = buildPptx([slide('title') + slide('body')]);
    const { text, leftOut } = await parse(file, PPTX);
    expect([text, leftOut]).toEqual(['82\n\n82', { deleted: 9 }]);
  });

  it('reads symbols, exponents and equations', async () => {
    const run = (text: string, properties = ''): string =>
      `<a:r><a:rPr>${properties}</a:rPr><a:t>${text}</a:t></a:r>`;
    const paragraph =
      run('\uf0e0', '<a:latin typeface="Arial"/><a:sym typeface="Wingdings"/>') +
      run(' 10') +
      '<a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r>' +
      run(' of the 1') +
      '<a:r><a:rPr baseline="30000"/><a:t>st</a:t></a:r>' +
      '<a14:m><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></a14:m>';
    const shape = `<p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p>${paragraph}</a:p></p:txBody></p:sp>`;
    expect((await parse(buildPptx([shape]), PPTX)).text).toBe('→ 10^6 of the 1sta/b');
  });
});
