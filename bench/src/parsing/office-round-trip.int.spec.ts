import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '@citewell/documents';
import { OFFICE_WRITERS } from './office-writers.js';
import { randomDocument } from './random-document.js';
import { scoreRoundTrip } from './round-trip-score.js';

describe('a round trip of random documents', () => {
  it.each(OFFICE_WRITERS)('reads every word of a $name file in order', async ({ fileType, write }) => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const document = randomDocument(seed);
      const { text } = await parseDocument(await write(document, seed), { fileType });
      const { missing, tau, cells, cellsBeside } = scoreRoundTrip(document, text);
      expect({ seed, missing }).toEqual({ seed, missing: [] });
      expect(tau).toBeGreaterThanOrEqual(0.98);
      expect(cellsBeside).toBe(cells);
    }
  });
});
