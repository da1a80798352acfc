import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '@citewell/documents';
import { randomDocument } from './random-document.js';
import { kendallsTau, scoreRoundTrip } from './round-trip-score.js';
import { writeWithPdfkit } from './write-with-pdfkit.js';

describe('PDF files of another program', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are read completely and in order: document %d', async (seed) => {
    const document = randomDocument(seed);
    const file = await writeWithPdfkit(document, seed);
    const { text, leftOut } = await parseDocument(file, { fileType: 'application/pdf' });
    const score = scoreRoundTrip(document, text);
    expect(score.missing).toEqual([]);
    expect(score.tau).toBeGreaterThanOrEqual(0.98);
    expect(score.cellsBeside).toBe(score.cells);
    expect(Object.keys(leftOut).filter((reason) => reason !== 'running')).toEqual([]);
  });
});

describe('kendallsTau', () => {
  it.each<[number[], number]>([
    [[], 1],
    [[1, 2, 3], 1],
    [[3, 2, 1], -1],
    [[1, 3, 2], 1 / 3],
  ])('%j: %d', (values, tau) => {
    expect(kendallsTau(values)).toBeCloseTo(tau);
  });
});
