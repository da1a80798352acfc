import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { readPage } from './read-page.js';

const FOLDER = new URL('../../test-pages/', import.meta.url);
const PAGES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .toSorted();

/** Words of a text with their frequency. */
function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

/** The share of the words of `a` that `b` contains. */
function shareIn(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let both = 0;
  let all = 0;
  for (const [word, count] of a) {
    both += Math.min(count, b.get(word) ?? 0);
    all += count;
  }
  return both / all;
}

describe('pages of site generators', () => {
  const precisions: number[] = [];
  for (const page of PAGES) {
    it(`reads ${page}`, async () => {
      const { document } = await readPage(readFileSync(new URL(page, FOLDER)), {
        url: `https://example.org/${page}`,
      });
      const words = wordsOf(document?.text ?? '');
      const expected = wordsOf(readFileSync(new URL(`${page}.expected.md`, FOLDER), 'utf8'));
      expect(shareIn(expected, words)).toBeGreaterThanOrEqual(0.97);
      precisions.push(shareIn(words, expected));
    });
  }

  it('adds little other text', () => {
    expect(precisions.length).toBe(PAGES.length);
    const mean = precisions.reduce((sum, precision) => sum + precision, 0) / PAGES.length;
    expect(mean).toBeGreaterThanOrEqual(0.93);
  });
});
