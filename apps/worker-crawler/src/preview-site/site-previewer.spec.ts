import { IngestionError } from '@citewell/contracts/errors';
import type { SitePreview } from '@citewell/contracts/schemas';
import type { FoundUrl } from '@citewell/database';
import { WebFetchError } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { HostBusyError } from '../fetching/host-pacer.js';
import type { PageResponse } from '../page/page-loader.js';
import { htmlPage } from '../page/responses.fixtures.js';
import { SitePreviewer } from './site-previewer.js';

const HOME = 'https://site.example/';
const urlOf = (path: string): string => new URL(path, HOME).href;
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `/${index}`);

/** A page with links to these paths. */
function pageWith(...paths: string[]): PageResponse {
  const links = paths.map((path) => ({ url: urlOf(path), nofollow: false }));
  return htmlPage('text', { links });
}

interface Site {
  /** By path; others have no links. */
  pages?: Record<string, PageResponse | Error>;
  /** Pages that the sitemap lists. */
  listed?: string[];
  robots?: Error;
}

/** Previews a site whose robots.txt disallows `/private`. */
async function preview(
  { pages = {}, listed = [], robots }: Site,
  config: Record<string, unknown> = {},
): Promise<SitePreview & { requests: string[] }> {
  const requests: string[] = [];
  const previewer = new SitePreviewer(
    {
      seedsOf: async (): Promise<FoundUrl[]> => {
        if (robots) throw robots;
        return [{ url: urlOf('/sitemap.xml'), kind: 'sitemap', origin: 'reference', depth: 0 }];
      },
    },
    {
      visit: async (url) => {
        const found = listed.map(
          (path) => ({ url: urlOf(path), kind: 'page', origin: 'sitemap', depth: 0 }) as const,
        );
        const outcome = {
          url: url.url,
          pageId: null,
          found,
          hasOutlinks: true,
          outcome: 'sitemap',
          reason: null,
        } as const;
        return { url, textHash: null, conclude: async () => outcome };
      },
    },
    {
      load: async (url) => {
        const { pathname } = new URL(url);
        requests.push(pathname);
        const response = pages[pathname] ?? pageWith();
        if (response instanceof Error) throw response;
        return response;
      },
    },
    {
      // Only this method of the rules is called.
      rulesFor: async () =>
        ({ rules: { allows: (url: string) => !url.includes('/private') }, problem: null }) as never,
    },
    { during: async (_signal, work) => work(async () => undefined) },
    { CRAWL_USER_AGENT: 'Citewell/1.0' },
  );
  const result = await previewer.preview({ source_url: HOME, ...config }, new AbortController().signal);
  return { ...result, requests };
}

/** The path of each page, with the reason if it is left out. */
function outline({ pages }: SitePreview): string[] {
  return pages.map(({ url, leftOut }) => [new URL(url).pathname, leftOut ?? ''].join(' ').trim());
}

describe('SitePreviewer', () => {
  it('lists the pages of a sitemap without fetching them, up to ten', async () => {
    const found = await preview({ listed: numbered(30) });
    expect(outline(found)).toEqual(numbered(10));
    expect([found.isComplete, found.error, found.requests]).toEqual([true, null, []]);
  });

  it('follows links from the start, and says what leaves a page out', async () => {
    const site: Site = {
      pages: { '/': pageWith('/docs/a', '/blog/b', '/docs/old', '/private', 'https://other.example/') },
    };
    const patterns = { include: ['/docs/**', '/private'], exclude: ['/docs/old'] };
    const found = await preview(site, patterns);
    expect(outline(found)).toEqual([
      '/ NOT_INCLUDED',
      '/docs/a',
      '/blog/b NOT_INCLUDED',
      '/docs/old EXCLUDED',
      '/private ROBOTS',
    ]);
    expect(found.requests).toEqual(['/', '/docs/a']);
  });

  it('replaces a start that redirects', async () => {
    const target = urlOf('/en/');
    const found = await preview({
      pages: { '/': { kind: 'redirect', location: target, target }, '/en/': pageWith('/a') },
    });
    expect(outline(found)).toEqual(['/en/', '/a']);
  });

  it('sends at most 15 requests', async () => {
    // Each page redirects to the next one, so that no page is found.
    const chain = Object.fromEntries(
      ['/', ...numbered(40)].map((path, index) => {
        const target = urlOf(`/${index}`);
        return [path, { kind: 'redirect', location: target, target } as const];
      }),
    );
    expect((await preview({ pages: chain })).requests).toHaveLength(14);
  });

  it.each<[string, Site, Partial<SitePreview>]>([
    [
      'robots.txt cannot be read',
      { robots: new IngestionError('FETCH_FAILED', { detail: 'The host does not answer.' }) },
      { pages: [], isComplete: false, error: 'The host does not answer.' },
    ],
    [
      'the start fails',
      { pages: { '/': { kind: 'error', error: new WebFetchError('permanent', 'HTTP_STATUS', 'No page.') } } },
      { pages: [], isComplete: true, error: 'No page.' },
    ],
    [
      'the host asks for a pause',
      { pages: { '/': new HostBusyError('site.example', 60_000) } },
      { pages: [{ url: HOME, leftOut: null }], isComplete: false, error: null },
    ],
  ])('when %s', async (_, site, expected) => {
    expect(await preview(site)).toMatchObject(expected);
  });
});
