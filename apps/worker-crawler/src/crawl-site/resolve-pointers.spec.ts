import type { Pointer } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { resolvePointers } from './resolve-pointers.js';

type Short = [
  url: string,
  outcome: Pointer['outcome'],
  target: string,
  state: Pointer['targetState'],
  textHash?: string,
  textOwner?: string,
];

describe('resolvePointers', () => {
  const cases: [
    name: string,
    pointers: Short[],
    promoted: string[],
    behind: Record<string, string>,
    kept?: string,
  ][] = [
    ['a target that is a page', [['a', 'canonical', 'p', 'page']], [], { a: 'p' }],
    ['a target that is not a page', [['a', 'canonical', 'x', 'none']], ['a'], {}],
    ['a target that failed', [['a', 'canonical', 'x', 'failed']], ['a'], {}],
    ['a target that was not fetched', [['a', 'canonical', 'x', 'unfetched']], ['a'], {}],
    ['a redirect to a page', [['a', 'redirect', 'p', 'page']], [], { a: 'p' }],
    ['a redirect to nothing', [['a', 'redirect', 'x', 'none']], [], {}],
    ['a redirect to a page that failed', [['a', 'redirect', 'x', 'failed']], [], { a: 'failed' }],
    [
      'a chain that ends at a page',
      [
        ['a', 'canonical', 'b', 'pointer'],
        ['b', 'redirect', 'p', 'page'],
      ],
      [],
      { a: 'p', b: 'p' },
    ],
    [
      'a chain that ends at nothing',
      [
        ['a', 'canonical', 'b', 'pointer'],
        ['b', 'canonical', 'x', 'none'],
      ],
      ['b'],
      { a: 'b' },
    ],
    [
      'a chain that ends with a redirect',
      [
        ['a', 'canonical', 'b', 'pointer'],
        ['b', 'redirect', 'x', 'none'],
      ],
      ['a'],
      {},
    ],
    [
      'pages that name each other',
      [
        ['a', 'canonical', 'b', 'pointer'],
        ['b', 'canonical', 'a', 'pointer'],
      ],
      ['a'],
      { b: 'a' },
    ],
    [
      'redirects in a circle',
      [
        ['a', 'redirect', 'b', 'pointer'],
        ['b', 'redirect', 'a', 'pointer'],
      ],
      [],
      { a: 'failed', b: 'failed' },
    ],
    [
      'a page that leads into a circle of redirects',
      [
        ['a', 'canonical', 'b', 'pointer'],
        ['b', 'redirect', 'b', 'pointer'],
      ],
      ['a'],
      { b: 'failed' },
    ],
    [
      'canonical pages with the same text that lead nowhere',
      [
        ['a', 'canonical', 'x', 'none', 'T'],
        ['b', 'canonical', 'y', 'none', 'T'],
        ['c', 'duplicate', 'z', 'none', 'T'],
        ['d', 'redirect', 'b', 'pointer'],
      ],
      ['a'],
      { b: 'a', c: 'a', d: 'a' },
    ],
    [
      'duplicates of pages with another text by now, one of which is a page elsewhere',
      [
        ['a', 'duplicate', 'b', 'none', 'T'],
        ['b', 'duplicate', 'a', 'none', 'U'],
        ['c', 'duplicate', 'a', 'none', 'V', 'p'],
      ],
      ['a', 'b'],
      { c: 'p' },
    ],
    [
      'duplicates of a page that is gone',
      [
        ['a', 'duplicate', 'x', 'none', 'T'],
        ['b', 'duplicate', 'x', 'none', 'T'],
      ],
      ['a'],
      { b: 'a' },
    ],
    ['duplicates of a page that was not found', [['a', 'duplicate', 'x', 'unfetched']], ['a'], {}],
    ['the same if the page stays', [['a', 'duplicate', 'x', 'unfetched']], [], { a: 'x' }, 'x'],
  ];
  for (const [name, short, promoted, behind, kept] of cases) {
    it(name, () => {
      const pointers = short.map(([url, outcome, target, targetState, textHash = url, textOwner = null]) => ({
        url,
        outcome,
        target,
        targetState,
        answers: false,
        textHash,
        textOwner,
      }));
      const resolved = resolvePointers(pointers, { isKept: (url) => url === kept, limit: 10 });
      expect(resolved.promoted).toEqual(promoted);
      const found = [...resolved.pageBehind].map(([url, page]) => [url, page === 'failed' ? page : page.url]);
      expect(Object.fromEntries(found)).toEqual(behind);
    });
  }

  it('promotes no more pages than the site may have', () => {
    const pointers = ['a', 'b'].map(
      (url) =>
        ({
          url,
          outcome: 'canonical',
          target: 'x',
          targetState: 'none',
          answers: true,
          textHash: url,
          textOwner: null,
        }) as const,
    );
    const { promoted, pageBehind } = resolvePointers(pointers, { isKept: () => false, limit: 1 });
    expect([promoted, [...pageBehind]]).toEqual([['a'], [['b', 'failed']]]);
  });
});
