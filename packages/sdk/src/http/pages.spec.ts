import { describe, expect, it } from '@jest/globals';
import { CitewellError } from '../citewell-error.js';
import { collect } from '../collect.fixtures.js';
import { nextCursor, Pages } from './pages.js';

describe('nextCursor', () => {
  it('reads the link to the next page among others', () => {
    expect(nextCursor('</api/agents?limit=2&cursor=a-b>; rel="next"')).toBe('a-b');
    expect(nextCursor('<https://inner:81/api/agents?cursor=%C3%BC>; title="x"; rel=next')).toBe('ü');
    expect(nextCursor('</a?cursor=p>; rel="prev", </a?cursor=n>; rel="last next"')).toBe('n');
  });

  it('returns null if there is no link to a next page', () => {
    for (const header of [
      null,
      '',
      '</a?cursor=p>; rel="prev"',
      '</a>; rel="next"',
      '</a?cursor=p>; rel="nextish"',
      'x',
    ])
      expect(nextCursor(header)).toBeNull();
  });
});

describe('Pages', () => {
  const list = new Pages<number>(
    async (cursor) =>
      cursor === undefined ? { items: [3, 2], nextCursor: '2' } : { items: [1], nextCursor: null },
    undefined,
  );

  it('iterates over the items, and again from the start', async () => {
    expect(await collect(list)).toEqual([3, 2, 1]);
    expect(await collect(list)).toEqual([3, 2, 1]);
  });

  it('iterates over the pages and returns the first page', async () => {
    expect(await collect(list.pages())).toHaveLength(2);
    expect(await list.first()).toEqual({ items: [3, 2], nextCursor: '2' });
  });

  it('throws for a page that links to itself', async () => {
    const cyclic = new Pages<number>(async () => ({ items: [1], nextCursor: '1' }), undefined);
    await expect(collect(cyclic)).rejects.toThrow(CitewellError);
  });
});
