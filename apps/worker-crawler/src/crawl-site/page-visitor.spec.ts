import { IngestionError } from '@citewell/contracts/errors';
import { type FrontierUrl, type PageContent, RunEntity, type UrlOutcome } from '@citewell/database';
import { PIPELINE_VERSION, pipelineFingerprint } from '@citewell/ingestion';
import { WebFetchError } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { HostBusyError } from '../fetching/host-pacer.js';
import type { LoadOptions, PageResponse } from '../page/page-loader.js';
import { frontierUrl, htmlPage, PAGE_URL, readPage, servingPage } from '../page/responses.fixtures.js';
import { PageVisitor } from './page-visitor.js';
import { siteConfigOf } from './site-visit.js';

const OTHER = 'https://site.example/other';
const linkTo = (url: string) => ({ links: [{ url, nofollow: false }] });
const current = { sha256: 'a', contentType: 'text/html' };
const SERVING = servingPage({
  ...current,
  validators: { etag: '"1"', lastModified: null },
  fingerprint: pipelineFingerprint(current),
  textHash: `${PIPELINE_VERSION}-text`,
});

/** Visits a URL that answers in a certain way. */
async function visit(
  response: PageResponse | Error,
  {
    url = {},
    textOwner = null,
    isReconfigured = false,
  }: { url?: Partial<FrontierUrl>; textOwner?: string | null; isReconfigured?: boolean } = {},
): Promise<{ outcome: UrlOutcome; options: LoadOptions | null; stored: string[] }> {
  let options: LoadOptions | null = null;
  const stored: string[] = [];
  const blob = { key: 'kept', bytes: 1, sha256: 'b' };
  const visitor = new PageVisitor(
    {
      load: async (_url, given) => {
        options = given;
        if (response instanceof Error) throw response;
        return response;
      },
    },
    { read: async () => readPage('stored', linkTo(OTHER)) },
    {
      storePage: async () => {
        stored.push('page');
        return { datasourceId: 'd' } as PageContent;
      },
      keep: async () => {
        stored.push('kept');
        return { body: blob, contentType: 'text/html' };
      },
      renew: async () => null,
    },
    { read: async () => Buffer.from('stored') },
    { CRAWL_USER_AGENT: 'Citewell/1.0' },
    { error: () => undefined },
  );
  const visited = await visitor.visit(
    frontierUrl(url),
    {
      run: new RunEntity(),
      site: siteConfigOf({ config: { source_url: 'https://site.example/' } }),
      isReconfigured,
      signal: new AbortController().signal,
    },
    async () => undefined,
  );
  return { outcome: await visited.conclude(textOwner), options, stored };
}

describe('PageVisitor', () => {
  it('stores a page, and finds its links', async () => {
    const { outcome, stored } = await visit(htmlPage('text', linkTo(OTHER)));
    expect([outcome.outcome, outcome.hasOutlinks, stored]).toEqual(['page', true, ['page']]);
    expect(outcome.found).toEqual([{ url: OTHER, kind: 'page', origin: 'link', depth: 2 }]);
  });

  it('does not follow the links of listed pages', async () => {
    const { outcome } = await visit(htmlPage('text', linkTo(OTHER)), { url: { origin: 'sitemap' } });
    expect([outcome.outcome, outcome.found, outcome.hasOutlinks]).toEqual(['page', [], false]);
  });

  it('keeps the body of canonical and duplicate pages', async () => {
    const canonical = await visit(htmlPage('text', { canonicalUrl: OTHER }));
    expect([canonical.outcome.outcome, canonical.stored]).toEqual(['canonical', ['kept']]);
    const duplicate = await visit(htmlPage('text'), { textOwner: OTHER });
    expect([duplicate.outcome.outcome, duplicate.stored]).toEqual(['duplicate', ['kept']]);
  });

  it('puts the target of a redirect or canonical link into the frontier', async () => {
    const redirect: PageResponse = { kind: 'redirect', location: OTHER, target: OTHER };
    for (const [origin, expected] of [
      ['seed', 'seed'],
      ['link', 'link'],
      ['sitemap', 'reference'],
      ['reference', 'reference'],
    ] as const) {
      const { outcome } = await visit(redirect, { url: { origin, depth: 1, hops: 2 } });
      expect(outcome.found).toEqual([{ url: OTHER, kind: 'page', origin: expected, depth: 1, hops: 3 }]);
    }
  });

  it('tries an address that was escaped twice without the escape, if there is no such page', async () => {
    const error = new WebFetchError('permanent', 'HTTP_STATUS', 'No page.', { status: 404 });
    const foundAt = async (path: string) =>
      (await visit({ kind: 'error', error }, { url: { url: `https://site.example/${path}` } })).outcome.found;
    expect((await foundAt('r&amp;amp;d')).map(({ url }) => url)).toEqual(['https://site.example/r&d']);
    expect(await foundAt('r&d')).toEqual([]);
  });

  it('reads the links of an unchanged page from its stored body', async () => {
    const { outcome } = await visit({ kind: 'unchanged', robotsTags: [] }, { url: { serving: SERVING } });
    expect([outcome.outcome, outcome.found.map(({ url }) => url)]).toEqual(['unchanged', [OTHER]]);
  });

  it('sends validators unless the page would be read in another way now', async () => {
    const unchanged: PageResponse = { kind: 'unchanged', robotsTags: [] };
    const sent = async (url: Partial<FrontierUrl>, isReconfigured = false) =>
      (await visit(unchanged, { url, isReconfigured })).options?.validators ?? null;
    expect(await sent({ serving: SERVING })).toEqual(SERVING.validators);
    // Another render mode.
    expect(await sent({ serving: SERVING }, true)).toBeNull();
    // Another parser.
    expect(await sent({ serving: { ...SERVING, fingerprint: 'older' } })).toBeNull();
    // A second attempt.
    expect(await sent({ serving: SERVING, attempts: 1 })).toBeNull();
  });

  it('fails alone if a page cannot be read, after some attempts if that is a defect of ours', async () => {
    const failed = await visit(new IngestionError('TOO_COMPLEX'), { url: { pageId: 'p' } });
    expect(failed.outcome).toMatchObject({ outcome: 'failed', error: { code: 'TOO_COMPLEX' }, pageId: 'p' });
    expect((await visit(new TypeError('x is not a function'))).outcome.outcome).toBe('retry');
    const last = await visit(new TypeError('x is not a function'), { url: { attempts: 3 } });
    expect(last.outcome).toMatchObject({ outcome: 'failed', error: { code: 'INTERNAL' } });
  });

  it('passes on what concerns every page', async () => {
    await expect(visit(new HostBusyError('site.example', 1))).rejects.toThrow(HostBusyError);
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    await expect(visit(away)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('shows no failed page for a start that the patterns exclude', async () => {
    const url = { origin: 'seed', url: PAGE_URL } as const;
    const { outcome } = await visit({ kind: 'forbidden' }, { url });
    expect(outcome.outcome === 'failed' && outcome.isPage).toBe(true);
  });
});
