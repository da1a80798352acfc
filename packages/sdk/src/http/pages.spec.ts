import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CitewellError } from '../citewell-error.js';
import { collect } from '../collect.fixtures.js';
import { nextCursor, Pages } from './pages.js';

describe('nextCursor', () => {
  it('reads the link to the next page among others', () => {
    assert.equal(nextCursor('</api/agents?limit=2&cursor=a-b>; rel="next"'), 'a-b');
    assert.equal(nextCursor('<https://inner:81/api/agents?cursor=%C3%BC>; title="x"; rel=next'), 'ü');
    assert.equal(nextCursor('</a?cursor=p>; rel="prev", </a?cursor=n>; rel="last next"'), 'n');
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
      assert.equal(nextCursor(header), null);
  });
});

describe('Pages', () => {
  const list = new Pages<number>(
    async (cursor) =>
      cursor === undefined ? { items: [3, 2], nextCursor: '2' } : { items: [1], nextCursor: null },
    undefined,
  );

  it('iterates over the items, and again from the start', async () => {
    assert.deepEqual(await collect(list), [3, 2, 1]);
    assert.deepEqual(await collect(list), [3, 2, 1]);
  });

  it('iterates over the pages and returns the first page', async () => {
    assert.equal((await collect(list.pages())).length, 2);
    assert.deepEqual(await list.first(), { items: [3, 2], nextCursor: '2' });
  });

  it('throws for a page that links to itself', async () => {
    const cyclic = new Pages<number>(async () => ({ items: [1], nextCursor: '1' }), undefined);
    await assert.rejects(collect(cyclic), CitewellError);
  });
});
