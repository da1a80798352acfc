import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PdfOutline } from './pdf-outline.js';

const entry = (title: string, ...items: readonly object[]): object => ({ title, items });
/** As much of a PDF as is asked. */
const withOutline = (...nodes: readonly object[]): Promise<PdfOutline> =>
  PdfOutline.read({ getOutline: async () => await Promise.resolve(nodes) } as never);

describe('PdfOutline', () => {
  it('knows titles with and without numbers, by words, each once, and the last again', async () => {
    const outline = await withOutline(
      entry('Setup', entry('Options of “make”'), entry('Notes')),
      entry('Use', entry('Notes')),
    );
    assert.equal(outline.levelOf('1 Setup'), 1);
    assert.equal(outline.levelOf('1 Setup'), 1);
    assert.equal(outline.levelOf('Setup'), undefined);
    assert.equal(outline.levelOf('1.1 Options of make'), 2);
    assert.equal(outline.levelOf('Notes'), 2);
    assert.equal(outline.levelOf('Chapter 2: Use'), 1);
    assert.equal(outline.levelOf('2.1. Notes'), 2);
    assert.equal(outline.levelOf('2.2. Notes'), undefined);
  });

  it('loses no heading to one that is not on its page', async () => {
    const outline = await withOutline(entry('A'), entry('B'), entry('C'));
    assert.equal(outline.levelOf('B'), 1);
    assert.equal(outline.levelOf('A'), 1);
    assert.equal(outline.levelOf('C'), 1);
  });
});
