import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { LostUrl } from '@citewell/database';
import { doubtedOf } from './lost-pages.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const MINUTE = 60_000;

/** Pages that have been lost for so many minutes; null for those that were found the last time. */
const lost = (count: number, minutes: number | null = null): LostUrl[] =>
  Array.from({ length: count }, (_, n) => ({
    url: `https://site.example/${minutes}/${n}`,
    kind: 'page',
    origin: 'link',
    depth: 1,
    lostSince: minutes === null ? null : new Date(NOW - minutes * MINUTE),
  }));

it('doubts that many pages are gone at once, which is ten at least, and a quarter of the site', () => {
  for (const [pages, kept, doubted] of [
    [9, 0, 0],
    [10, 0, 10],
    [10, 30, 10],
    [10, 31, 0],
    [25, 75, 25],
    [24, 76, 0],
  ] as const)
    assert.equal(doubtedOf(lost(pages), kept, NOW).length, doubted, `${pages} beside ${kept}`);
});

it('believes of each page for itself that nothing leads to it, when that has been so for an hour', () => {
  assert.equal(doubtedOf(lost(1, 59), 100, NOW).length, 1, 'few of them may be left');
  assert.equal(doubtedOf(lost(50, 60), 0, NOW).length, 0);
  const [old, fresh] = [lost(30, 24 * 60), lost(30)];
  assert.deepEqual(
    doubtedOf([...old, ...fresh], 40, NOW),
    fresh,
    'what was doubted before says nothing on others',
  );
});
