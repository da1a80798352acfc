import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { copiesAmong, originalOf, type SaidPage } from './copies.js';

describe('copies', () => {
  it('stand for what has said so for longest, then for the shortest address, then for the first', () => {
    const pages = [page('/', { since: 'new' }), page('/a', { since: 'changed' }), page('/long')];
    assert.deepEqual(told(pages), { '/': '/long', '/a': '/long' });
    assert.deepEqual(told(pages.slice(0, 2)), { '/': '/a' });
    assert.deepEqual(told([page('/a/b'), page('/c'), page('/b')]), { '/a/b': '/b', '/c': '/b' });
  });

  it('say the same bytes', () => {
    assert.deepEqual(told([page('/a', { hash: 'one' }), page('/b', { hash: 'other' })]), {});
  });

  it('are no pages that others point to', () => {
    const pages = [page('/a', { target: '/b' }), page('/b'), page('/c')];
    assert.deepEqual(told(pages), { '/c': '/a' });
    assert.equal(originalOf(page('/b'), pages.slice(0, 1)), undefined);
  });

  it('are no pages that were some before, for one that cannot be fetched', () => {
    const failing = page('/a', { isFailing: true });
    assert.deepEqual(told([failing, page('/b')]), {});
    assert.deepEqual(told([failing, page('/b', { since: 'new' })]), { '/b': '/a' });
  });

  it('are the same ones in whatever order they come, and stand for none of themselves', () => {
    const some = fc.uniqueArray(
      fc.record({
        url: fc.constantFrom('/a', '/b', '/c', '/d', '/e'),
        hash: fc.constantFrom('one', 'other'),
        target: fc.constantFrom(null, '/a', '/b', '/c'),
        since: fc.constantFrom('kept' as const, 'changed' as const, 'new' as const),
        isFailing: fc.boolean(),
      }),
      { selector: ({ url }) => url },
    );
    fc.assert(
      fc.property(some, fc.func(fc.integer()), (pages, place) => {
        const shuffled = pages.toSorted((a, b) => place(a.url) - place(b.url));
        const expected = told(pages);
        assert.deepEqual(told(shuffled), expected);
        for (const of of Object.values(expected)) assert.ok(!(of in expected));
      }),
    );
  });
});

function page(url: string, fields: Partial<SaidPage> = {}): SaidPage {
  return { url, hash: 'same', target: null, since: 'kept', isFailing: false, ...fields };
}

function told(pages: readonly SaidPage[]): Record<string, string> {
  const copies = copiesAmong(pages).map(({ copy, of }) => [copy.url, of.url] as const);
  return Object.fromEntries(copies.toSorted());
}
