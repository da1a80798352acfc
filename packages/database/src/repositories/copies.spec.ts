import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { copiesAmong, originalOf, type SaidPage } from './copies.js';

describe('copies', () => {
  it('stand for what was a page before, then for the nearest to the start, then for the first by its address', () => {
    const pages = [
      page('/new', { depth: 0, isNew: true }),
      page('/z', { depth: 1 }),
      page('/a', { depth: 2 }),
    ];
    assert.deepEqual(told(pages), { '/new': '/z', '/a': '/z' });
    assert.deepEqual(told([page('/b', { isNew: true }), page('/a', { isNew: true })]), { '/b': '/a' });
  });

  it('say the same bytes', () => {
    assert.deepEqual(told([page('/a', { hash: 'one' }), page('/b', { hash: 'other' })]), {});
  });

  it('are no pages that others point to', () => {
    const pages = [page('/a', { target: '/b' }), page('/b'), page('/c')];
    assert.deepEqual(told(pages), { '/c': '/a' });
    assert.equal(originalOf(page('/b'), pages.slice(0, 1)), undefined);
  });

  it('are the same ones in whatever order they come, and stand for none of themselves', () => {
    const some = fc.uniqueArray(
      fc.record({
        url: fc.constantFrom('/a', '/b', '/c', '/d', '/e'),
        hash: fc.constantFrom('one', 'other'),
        target: fc.constantFrom(null, '/a', '/b', '/c'),
        depth: fc.nat(2),
        isNew: fc.boolean(),
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
  return { url, hash: 'same', target: null, depth: 0, isNew: false, ...fields };
}

function told(pages: readonly SaidPage[]): Record<string, string> {
  const copies = copiesAmong(pages).map(({ copy, of }) => [copy.url, of.url] as const);
  return Object.fromEntries(copies.toSorted());
}
