import type { FoundUrl, FrontierUrl, UrlOutcome } from '@citewell/database';
import { MAX_URL_LENGTH } from '@citewell/contracts/schemas';
import { normalizeUrl, readSitemap, type SitemapSummary, yieldBetween } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { codeOf, type Fetched, type ReserveLargeBody, retryAt, UrlFetcher } from '../fetching/url-fetcher.js';
import type { SiteVisit, UrlVisitor, VisitedUrl } from './site-visit.js';

const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_REDIRECTS = 5;
/** The protocol allows one level of indexes; some sites have more. */
const MAX_NESTING = 3;

/** What sitemaps are visited with. */
type SitemapVisit = Pick<SiteVisit, 'site' | 'session' | 'signal'>;

/** Fetches a sitemap. The pages and sitemaps that it lists join the frontier. */
@Injectable()
export class SitemapVisitor implements UrlVisitor {
  constructor(@Inject(UrlFetcher) private readonly fetcher: Pick<UrlFetcher, 'fetch'>) {}

  async visit(url: FrontierUrl, visit: SitemapVisit, reserve: ReserveLargeBody): Promise<VisitedUrl> {
    const outcome = await this.outcomeOf(url, visit, reserve);
    return { url, textHash: null, conclude: async () => outcome };
  }

  private async outcomeOf(
    url: FrontierUrl,
    visit: SitemapVisit,
    reserve: ReserveLargeBody,
  ): Promise<UrlOutcome> {
    const { address, fetched } = await this.fetch(url.url, visit, reserve);
    switch (fetched.kind) {
      case 'redirect':
        return unread(url, 'REDIRECT');
      case 'forbidden':
        return unread(url, 'ROBOTS');
      case 'unchanged':
        throw new Error('An unconditional request was answered with 304');
      case 'error': {
        const notBefore = retryAt(fetched.error, url.attempts);
        if (notBefore !== null)
          return { ...NOT_FOUND, ...keyOf(url), kind: 'sitemap', outcome: 'retry', notBefore };
        return unread(url, codeOf(fetched.error), fetched.error.kind === 'transient');
      }
      case 'content':
        return this.read(url, { ...fetched.answer, address, bytes: fetched.bytes }, visit);
    }
  }

  /** Follows redirects: a sitemap may lie anywhere. */
  private async fetch(
    url: string,
    { session, signal }: SitemapVisit,
    reserveLargeBody: ReserveLargeBody,
  ): Promise<{ address: string; fetched: Fetched }> {
    let address = url;
    for (let redirects = 0; ; redirects += 1) {
      const fetched = await this.fetcher.fetch(address, {
        maxBytes: MAX_SITEMAP_BYTES,
        reserveLargeBody,
        ...(session ? { session } : {}),
        signal,
      });
      if (fetched.kind !== 'redirect' || fetched.target === null || redirects === MAX_REDIRECTS)
        return { address, fetched };
      address = fetched.target;
    }
  }

  private async read(
    url: FrontierUrl,
    { address, bytes, charset }: { address: string; bytes: Uint8Array; charset: string | null },
    { site: { scope }, signal }: SitemapVisit,
  ): Promise<UrlOutcome> {
    const reading = readSitemap(once(bytes), { baseUrl: address, charset, signal });
    const found = new Map<string, FoundUrl>();
    let isTooDeep = false;
    for await (const entry of yieldBetween(reading, signal)) {
      const listed = normalizeUrl(entry.url);
      if (listed === null || listed.length > MAX_URL_LENGTH) continue;
      if (entry.kind === 'page') {
        if (scope.refusalOf(listed) === null)
          found.set(`page ${listed}`, { url: listed, kind: 'page', origin: 'sitemap', depth: 0 });
      } else if (url.depth < MAX_NESTING)
        found.set(`sitemap ${listed}`, {
          url: listed,
          kind: 'sitemap',
          origin: 'sitemap',
          depth: url.depth + 1,
        });
      else isTooDeep = true;
    }
    const { summary } = reading;
    if (summary.kind === 'html' || summary.kind === 'unknown') return unread(url, 'NOT_A_SITEMAP');
    return {
      ...keyOf(url),
      found: [...found.values()],
      hasOutlinks: true,
      outcome: summary.kind === 'feed' ? 'feed' : 'sitemap',
      reason: isTooDeep ? 'NESTED_TOO_DEEP' : problemOf(summary),
    };
  }
}

const NOT_FOUND = { found: [], hasOutlinks: null } as const;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function keyOf({ url }: FrontierUrl): { url: string; pageId: null } {
  return { url, pageId: null };
}

/**
 * There is no sitemap. That is a problem if it is configured, if it was there the last time, or if the server is in
 * trouble. Any other missing sitemap is ignored.
 */
function unread(url: FrontierUrl, reason: string, isInTrouble = false): UrlOutcome {
  const isExpected = url.origin === 'seed' || url.hasOutlinks || isInTrouble;
  return {
    ...keyOf(url),
    found: [],
    hasOutlinks: isInTrouble ? null : false,
    outcome: 'no-sitemap',
    reason: isExpected ? reason : null,
  };
}

function problemOf({ isComplete, cutBy }: SitemapSummary): string | null {
  return isComplete ? null : (cutBy ?? 'TRUNCATED');
}
