import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PPTX } from '../file-type/file-type.js';
import { buildPptx, slideShape } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

describe('pptxParser', () => {
  it('reads slides in the order of showing, with notes, and counts them as pages', async () => {
    const second =
      slideShape(['Point one', 'Point two'], 'body') +
      slideShape(['Second'], 'title') +
      slideShape(['7'], 'sldNum');
    const first = slideShape(['First'], 'ctrTitle');
    const document = await parse(
      buildPptx([second, first], { order: [2, 1], notes: { 1: 'Say hello' } }),
      PPTX,
    );
    assert.deepEqual(outline(document), [
      ['heading1', 'First'],
      ['heading1', 'Second'],
      ['list', 'Point one\nPoint two'],
      ['paragraph', 'Say hello'],
    ]);
    assert.deepEqual(
      document.blocks.map((block) => block.page),
      [1, 2, 2, 2],
    );
    assert.equal(document.pageCount, 2);
  });

  it('reads tables', async () => {
    const row = (...cells: string[]): string =>
      `<a:tr>${cells.map((text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`;
    const frame = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${row('A', 'B')}${row('1', '2')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    assert.deepEqual(outline(await parse(buildPptx([frame]), PPTX)), [['table', 'A | B\n1 | 2']]);
  });
});
