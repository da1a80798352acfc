import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PdfOutline } from './pdf-outline.js';

const entry = (title: string, ...items: readonly object[]): object => ({ title, items });
/** An outline of a minimal fake of a PDF. */
const withOutline = (...nodes: readonly object[]): Promise<PdfOutline> =>
  PdfOutline.read({ getOutline: async () => await Promise.resolve(nodes) } as never);

describe('PdfOutline', () => {
  it('finds titles with and without numbers, each once, and the last one again', async () => {
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

  it('finds headings in an order that differs from the outline', async () => {
    const outline = await withOutline(entry('A'), entry('B'), entry('C'));
    assert.equal(outline.levelOf('B'), 1);
    assert.equal(outline.levelOf('A'), 1);
    assert.equal(outline.levelOf('C'), 1);
  });
});
