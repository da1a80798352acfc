import { describe, expect, it } from '@jest/globals';
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
    expect(outline.levelOf('1 Setup')).toBe(1);
    expect(outline.levelOf('1 Setup')).toBe(1);
    expect(outline.levelOf('Setup')).toBeUndefined();
    expect(outline.levelOf('1.1 Options of make')).toBe(2);
    expect(outline.levelOf('Notes')).toBe(2);
    expect(outline.levelOf('Chapter 2: Use')).toBe(1);
    expect(outline.levelOf('2.1. Notes')).toBe(2);
    expect(outline.levelOf('2.2. Notes')).toBeUndefined();
  });

  it('finds headings in an order that differs from the outline', async () => {
    const outline = await withOutline(entry('A'), entry('B'), entry('C'));
    expect(outline.levelOf('B')).toBe(1);
    expect(outline.levelOf('A')).toBe(1);
    expect(outline.levelOf('C')).toBe(1);
  });
});
