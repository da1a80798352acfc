import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { HtmlPage, PageResponse } from './page-loader.js';
import { htmlPage } from './responses.fixtures.js';
import { PageGroup, SiteRendering } from './site-rendering.js';

const { signal } = new AbortController();
const NOTICE = 'We use cookies to measure how this site is used, and ask you to accept them.';
/** A short text that differs from page to page. */
const stub = (n: number): string => `Member ${'abcdefghij'.charAt(n)}${n}`.repeat(3);
/** A text that an application shows. */
const shown = (n: number): string => `Berth ${n} has room for ${n + 1} boats of ${n * 3} metres`;

type Row = readonly [fetched: string, rendered: string | PageResponse];

const withLink = (text: string, path: string): PageResponse =>
  htmlPage(text, { links: [{ url: `https://site.example/${path}`, nofollow: false }] });
const login = 'Sign in with your name and your password to see the berths of your club.';

/** A group of pages, and which of them were rendered (`r`), and of these, used (`R`); `-` are as they were fetched. */
const GROUPS: readonly (readonly [title: string, outcome: string, pages: readonly Row[]])[] = [
  ['pages to which nothing is added', 'rrr--', [0, 1, 2, 3, 4].map((n) => [stub(n), stub(n)])],
  ['pages of an application', 'RRRRR', [0, 1, 2, 3, 4].map((n) => [stub(n), `${stub(n)}\n${shown(n)}`])],
  ['pages with the same notice', 'Rrr--', [0, 1, 2, 3, 4].map((n) => [stub(n), `${stub(n)}\n${NOTICE}`])],
  [
    'pages with another date each, in a line that they had before',
    'RRR--',
    [0, 1, 2, 3, 4].map((n) => [
      `${stub(n)} is part of the harbour, and was changed lately`,
      `${stub(n)} is part of the harbour, and was changed ${n} days ago`,
    ]),
  ],
  [
    'pages of which one has a text of its own',
    'rRr--',
    [0, 1, 2, 3, 4].map((n) => [stub(n), n === 1 ? `${stub(n)}\n${shown(n)}` : stub(n)]),
  ],
  [
    'pages behind a login, of which some can be seen',
    'RRRRRRRR',
    [0, 1, 2, 3, 4, 5, 6, 7].map((n) => ['Club', n < 4 ? login : shown(n)]),
  ],
  [
    'pages whose text is replaced by the same error',
    'Rrr--',
    [0, 1, 2, 3, 4].map((n) => [stub(n), 'Something went wrong.']),
  ],
  [
    'pages that are redirects',
    'RRRR',
    [0, 1, 2, 3].map((n) => [stub(n), { kind: 'redirect', location: `/${n}`, target: null }]),
  ],
  [
    'pages that get the same menu: it is followed once',
    'Rrr--',
    [0, 1, 2, 3, 4].map((n) => [stub(n), withLink(stub(n), 'menu')]),
  ],
];

describe('PageGroup', () => {
  for (const [title, outcome, pages] of GROUPS)
    it(`decides for ${title}`, async () => {
      const group = new PageGroup();
      let found = '';
      for (const [text, rendered] of pages) {
        const fetched = htmlPage(text);
        const response = typeof rendered === 'string' ? htmlPage(rendered) : rendered;
        let isRendered = false;
        const opened = await group.open(fetched, { hasFollowedLinks: true, signal }, async () => {
          isRendered = true;
          return response;
        });
        found += isRendered ? (opened === response ? 'R' : 'r') : '-';
      }
      expect(found).toBe(outcome);
    });

  it('does not use a page for its links alone, if they are not followed', async () => {
    const fetched = htmlPage(stub(0));
    const render = async (): Promise<PageResponse> => withLink(stub(0), 'menu');
    expect(await new PageGroup().open(fetched, { hasFollowedLinks: false, signal }, render)).toBe(fetched);
  });

  it('counts failures as trials, and says when they decided', async () => {
    const group = new PageGroup();
    let renders = 0;
    const fetched = htmlPage(stub(0));
    const fail = async (): Promise<PageResponse> => {
      renders += 1;
      group.countFailure();
      return { ...fetched };
    };
    const found: boolean[] = [];
    for (let page = 0; page < 5; page += 1) {
      await group.open(fetched, { hasFollowedLinks: true, signal }, fail);
      found.push(group.hasFailed);
    }
    expect([renders, found]).toEqual([3, [false, false, true, true, true]]);
  });

  it('lets other pages wait until it is decided', async () => {
    const group = new PageGroup();
    let renders = 0;
    const open = (_: unknown, n: number): Promise<PageResponse> =>
      group.open(htmlPage(stub(n)), { hasFollowedLinks: true, signal }, async () => {
        renders += 1;
        await tick();
        return htmlPage(stub(n));
      });
    await Promise.all(Array.from({ length: 9 }, open));
    expect(renders).toBe(3);
  });
});

describe('SiteRendering', () => {
  const app = { needsRendering: 'empty-app-root', scripts: ['/app.js', ''] } as const;
  const groupOf = (site: SiteRendering, page: HtmlPage): PageGroup => {
    const reason = site.reasonFor(page, 'https://site.example/a');
    if (reason === null) throw new Error('The page needs no browser');
    return site.groupOf(reason, page);
  };

  it('decides for pages with the same reason and the same scripts', () => {
    const site = new SiteRendering();
    const group = groupOf(site, htmlPage('a', app));
    expect(groupOf(site, htmlPage('b', { ...app, scripts: ['', '/app.js', ''] }))).toBe(group);
    expect(groupOf(site, htmlPage('c', { ...app, scripts: ['/docs.js'] }))).not.toBe(group);
    expect(groupOf(site, htmlPage('d', { ...app, needsRendering: 'short-text' }))).not.toBe(group);
  });

  it.each([
    ['renders pages with other scripts each, if that adds text', true, 60],
    ['tries no further groups of a reason after many trials without text', false, 30],
  ])('%s', async (_, addsText, expected) => {
    const site = new SiteRendering();
    let renders = 0;
    for (let page = 0; page < 60; page += 1) {
      const fetched = htmlPage(stub(page), { ...app, scripts: [`/${page}.js`] });
      await groupOf(site, fetched).open(fetched, { hasFollowedLinks: true, signal }, async () => {
        renders += 1;
        return htmlPage(addsText ? `${stub(page)}\n${shown(page)}` : stub(page));
      });
    }
    expect(renders).toBe(expected);
  });

  it('takes the text of another address for that of a shell, if the page has scripts', () => {
    const site = new SiteRendering();
    const reasons = [
      ['a', 'Menu', ['/app.js']],
      ['a', 'Menu', ['/app.js']],
      ['b', 'Menu', ['/app.js']],
      ['c', 'Menu', []],
      ['d', 'Another menu', ['/app.js']],
    ] as const;
    const found = reasons.map(([path, text, scripts]) =>
      site.reasonFor(htmlPage(text, { scripts }), `https://site.example/${path}`),
    );
    expect(found).toEqual([null, null, 'repeated-text', null, null]);
  });

  it('refuses to render when the time of the crawl is over', () => {
    const site = new SiteRendering(5_000);
    site.spend(4_000);
    expect([site.refuses(), site.limit]).toEqual([false, null]);
    site.spend(1_000);
    expect([site.limit, site.refuses(), site.limit]).toEqual([
      null,
      true,
      'Some pages were not opened in a browser: the pages of one crawl may be open in it for 5 s (RENDER_MS_PER_CRAWL).',
    ]);
  });
});
