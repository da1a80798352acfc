import type { Pointer, UnconfirmedPage } from '@citewell/database';
import { UrlScope } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { finishCrawl, type FinishedCrawl, resolvePointers } from './crawl-finisher.js';

const START = 'https://site.example/';
const site = { scope: new UrlScope({ start: START, exclude: ['/private/**'] }), start: START, maxPages: 100 };

/** A known page that answers and that the crawl has not found. Its id is its path. */
function page(path: string, fields: Partial<UnconfirmedPage> = {}): UnconfirmedPage {
  return {
    url: `https://site.example/${path}`,
    pageId: path,
    answers: true,
    isFound: false,
    isProcessed: false,
    isRetried: false,
    outcome: 'page',
    reason: null,
    sameTextUrl: null,
    ...fields,
  };
}

/** A known page that the crawl has classified as something else. */
function classified(path: string, fields: Partial<UnconfirmedPage>): UnconfirmedPage {
  return page(path, { isFound: true, isProcessed: true, ...fields });
}

function finish(unconfirmed: readonly UnconfirmedPage[], crawl: Partial<FinishedCrawl> = {}) {
  return finishCrawl({
    unconfirmed,
    pageBehind: new Map(),
    newPages: new Set(['https://site.example/new']),
    answering: 100,
    site,
    isLimitReached: false,
    problem: null,
    removeMissing: false,
    ...crawl,
  });
}

const behind = (...urls: string[]) =>
  new Map(urls.map((url) => [`https://site.example/${url}`, { url: 'https://site.example/new' }]));
const pages = (count: number, fields: Partial<UnconfirmedPage> = {}) =>
  Array.from({ length: count }, (_, n) => page(`p${n}`, fields));

describe('what finishing a crawl removes', () => {
  const cases: [
    name: string,
    page: UnconfirmedPage,
    fate: 'removed' | 'withdrawn' | 'kept',
    /** Whether it counts for the safety check: then ten such pages of forty are kept. */
    counts: boolean,
    crawl?: Partial<FinishedCrawl>,
  ][] = [
    ['excluded by the present configuration', page('private/a'), 'removed', false],
    ['excluded, after an incomplete crawl', page('private/a'), 'removed', false, { problem: 'x' }],
    ['beyond maxPages', page('a', { isFound: true }), 'removed', false, { isLimitReached: true }],
    ['not found by a crawl that reached maxPages', page('a'), 'removed', true, { isLimitReached: true }],
    [
      'not found by an incomplete crawl that reached maxPages',
      page('a'),
      'kept',
      false,
      { isLimitReached: true, problem: 'A sitemap could not be read.' },
    ],
    [
      'moved: its redirect leads to a page',
      classified('a', { outcome: 'redirect' }),
      'removed',
      false,
      { pageBehind: behind('a') },
    ],
    [
      'moved: its canonical target is a page',
      classified('a', { outcome: 'canonical' }),
      'removed',
      false,
      { pageBehind: behind('a') },
    ],
    [
      'moved: another page has its text',
      page('a', { sameTextUrl: 'https://site.example/new' }),
      'removed',
      false,
    ],
    [
      'redirected to a page that was there before',
      classified('a', { outcome: 'redirect' }),
      'removed',
      true,
      { pageBehind: behind('a'), newPages: new Set() },
    ],
    ['404 or 410, linked', classified('a', { outcome: 'skipped', reason: 'GONE' }), 'removed', true],
    [
      '404 or 410, listed by a sitemap',
      classified('a', { outcome: 'failed', reason: 'PAGE_GONE' }),
      'withdrawn',
      true,
    ],
    ['noindex', classified('a', { outcome: 'skipped', reason: 'NOINDEX' }), 'removed', true],
    ['disallowed by robots.txt', classified('a', { outcome: 'skipped', reason: 'ROBOTS' }), 'removed', true],
    ['redirected away from the site', classified('a', { outcome: 'redirect' }), 'removed', true],
    [
      'a duplicate of another page',
      classified('a', { outcome: 'duplicate', sameTextUrl: 'https://site.example/new' }),
      'removed',
      true,
      { pageBehind: behind('a') },
    ],
    ['not found by a complete crawl', page('a'), 'removed', true],
    [
      'not found by an incomplete crawl',
      page('a'),
      'kept',
      false,
      { problem: 'The start page could not be read.' },
    ],
    [
      'beyond maxPages, with another attempt to come',
      page('a', { isFound: true, isRetried: true }),
      'kept',
      false,
      { isLimitReached: true },
    ],
    [
      'failed for a reason that may pass',
      classified('a', { outcome: 'failed', reason: 'FETCH_FAILED' }),
      'kept',
      false,
    ],
    [
      'redirected to a page that failed',
      classified('a', { outcome: 'redirect' }),
      'kept',
      false,
      { pageBehind: new Map([['https://site.example/a', 'failed']]) },
    ],
    [
      'failed before, and not found any more',
      page('a', { answers: false, outcome: 'failed', reason: 'FETCH_FAILED' }),
      'removed',
      false,
    ],
  ];
  for (const [name, one, fate, counts, crawl] of cases) {
    it(`${name}: ${fate}, ${counts ? 'counts' : 'does not count'}`, () => {
      const fateIn = ({ remove, withdraw }: ReturnType<typeof finish>): string =>
        remove.includes(one.pageId) ? 'removed' : withdraw.includes(one.pageId) ? 'withdrawn' : 'kept';
      expect(fateIn(finish([one], crawl))).toBe(fate);
      // Nine other missing pages: the tenth of forty trips the safety check.
      const others = Array.from({ length: 9 }, (_, n) =>
        classified(`other-${n}`, { outcome: 'skipped', reason: 'GONE' }),
      );
      const { warning } = finish([one, ...others], { ...crawl, answering: 40 });
      expect((warning ?? '').startsWith('10 of 40 pages were not found or are gone')).toBe(counts);
    });
  }

  it('lets one page move to each target', () => {
    const logins = ['a', 'b', 'c'].map((path) => classified(path, { outcome: 'redirect' }));
    const { remove, warning } = finish(logins, { pageBehind: behind('a', 'b', 'c'), answering: 4 });
    // Two of four are missing.
    expect([remove, warning]).toEqual([['a', 'b', 'c'], null]);
    const three = finish([...logins, classified('d', { outcome: 'redirect' })], {
      pageBehind: behind('a', 'b', 'c', 'd'),
      answering: 4,
    });
    expect(three.remove).toEqual(['a']);
    expect(three.warning ?? '').toMatch(/^3 of 4 pages/);
  });
});

describe('the safety check', () => {
  for (const [missing, answering, isKept] of [
    [9, 20, false],
    [10, 41, false],
    [10, 40, true],
    [34, 120, true],
    [2, 3, false],
    [3, 6, false],
    [3, 5, true],
    [1, 1, true],
    [1, 2, false],
    [2, 2, true],
  ] as const) {
    it(`${isKept ? 'keeps' : 'removes'} ${missing} of ${answering} pages`, () => {
      const { remove, warning } = finish(pages(missing), { answering });
      expect(remove).toHaveLength(isKept ? 0 : missing);
      expect(warning !== null).toBe(isKept);
      expect(finish(pages(missing), { answering, removeMissing: true }).remove).toHaveLength(missing);
    });
  }

  it('tells how many pages are kept, and how to remove them', () => {
    expect(finish(pages(34), { answering: 120 }).warning).toBe(
      '34 of 120 pages were not found or are gone. They keep answering. If the site has really shrunk, sync it with removeMissing.',
    );
  });

  it('removes what does not count all the same', () => {
    const excluded = page('private/a');
    const failed = page('failed', { answers: false });
    const { remove } = finish([excluded, failed, ...pages(10)], { answering: 20 });
    expect(remove).toEqual(['private/a', 'failed']);
  });
});

describe('the warning of a crawl', () => {
  it('is why it is not complete, or that the limit was reached', () => {
    expect(finish([], { problem: 'The start page could not be read.' }).warning).toBe(
      'The start page could not be read.',
    );
    expect(finish([], { problem: 'x', isLimitReached: true }).warning).toBe(
      'The limit of 100 pages (maxPages) was reached.',
    );
    expect(finish([]).warning).toBeNull();
  });
});

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
