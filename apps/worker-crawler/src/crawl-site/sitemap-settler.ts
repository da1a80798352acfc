import type { FoundUrl, FrontierUrl, Settlement } from '@citewell/database';
import { normalizeUrl, readSitemap, type SitemapSummary, withBreaks } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { codeOf, retryAt } from './failure.js';
import type { SiteVisit } from './site-visit.js';
import { type Fetched, UrlFetcher } from './url-fetcher.js';

const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_REDIRECTS = 5;
/** Indexes of indexes are not allowed by the protocol, and found all the same. */
const MAX_NESTING = 3;

/** Fetches a sitemap; the pages and sitemaps that it lists join the frontier. */
@Injectable()
export class SitemapSettler {
  constructor(@Inject(UrlFetcher) private readonly fetcher: Pick<UrlFetcher, 'fetch'>) {}

  async settle(url: FrontierUrl, visit: SiteVisit): Promise<Settlement> {
    const { row } = url;
    if (visit.links.hasOverflown) return unread(url, 'TOO_MANY_URLS');
    const { address, fetched } = await this.fetch(row.url, visit);
    switch (fetched.kind) {
      case 'redirect':
        return unread(url, 'REDIRECT');
      case 'forbidden':
        return absent(url, 'ROBOTS');
      case 'unchanged':
        throw new Error('no condition was sent');
      case 'error': {
        const notBefore = retryAt(fetched.error, row.attempts);
        if (notBefore !== null) return { ...NOTHING, url: row.url, kind: 'again', of: 'sitemap', notBefore };
        const code = codeOf(fetched.error);
        if (code === 'PAGE_GONE') return absent(url, code);
        return unread(url, code, fetched.error.kind === 'permanent');
      }
      case 'content': {
        const { answer, bytes } = fetched;
        const { found, summary, problem } = await this.entriesOf(row, { ...answer, address, bytes }, visit);
        if (summary.kind === 'html' || summary.kind === 'unknown') return absent(url, 'NOT_A_SITEMAP');
        return { ...read(url, problem, found), isFeed: summary.kind === 'feed' };
      }
    }
  }

  /** Follows redirects: wherever it lies, it is the sitemap of this address. */
  private async fetch(
    url: string,
    { seat, room, signal }: SiteVisit,
  ): Promise<{ address: string; fetched: Fetched }> {
    let address = url;
    for (let redirects = 0; ; redirects += 1) {
      const fetched = await this.fetcher.fetch(address, { maxBytes: MAX_SITEMAP_BYTES, room, seat, signal });
      if (fetched.kind !== 'redirect' || fetched.target === null || redirects === MAX_REDIRECTS)
        return { address, fetched };
      address = fetched.target;
    }
  }

  private async entriesOf(
    { depth }: FrontierUrl['row'],
    { address, bytes, charset }: { address: string; bytes: Uint8Array; charset: string | null },
    visit: SiteVisit,
  ): Promise<{ found: FoundUrl[]; summary: SitemapSummary; problem: string | null }> {
    const { links, signal } = visit;
    const reading = readSitemap(only(bytes), { baseUrl: address, charset, signal });
    const found: FoundUrl[] = [];
    let isTooDeep = false;
    for await (const entry of withBreaks(reading, signal)) {
      const listed = normalizeUrl(entry.url);
      if (listed === null) continue;
      if (entry.kind === 'page') {
        for (const page of links.newListed(listed))
          found.push({ url: page, kind: 'page', origin: 'sitemap', depth: 0, lastmod: entry.lastmod });
      } else if (depth < MAX_NESTING) {
        for (const sitemap of links.newSitemap(listed))
          found.push({ url: sitemap, kind: 'sitemap', origin: 'sitemap', depth: depth + 1 });
      } else isTooDeep ||= !links.has(listed, 'sitemap');
    }
    const { summary } = reading;
    return { found, summary, problem: isTooDeep ? 'NESTED_TOO_DEEP' : problemOf(summary) };
  }
}

/** Of a settlement that is on no page. */
const NOTHING = { pageId: null, found: [], leadsOn: null } as const;

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function read(
  { row: { url } }: FrontierUrl,
  reason: string | null,
  found: readonly FoundUrl[],
  leadsOn = true,
): Extract<Settlement, { kind: 'read' }> {
  return { ...NOTHING, url, found, kind: 'read', reason, leadsOn };
}

/**
 * There is no sitemap: no problem where nobody has named one. Where there was one, or the site has just begun to name it,
 * this is believed the second time.
 */
function absent(url: FrontierUrl, reason: string): Settlement {
  const { origin, leadsOn, settledIn } = url.row;
  const isExpected = origin === 'seed' || leadsOn || (origin === 'sitemap' && settledIn === null);
  return read(url, isExpected ? reason : null, [], false);
}

/**
 * Whether there is a sitemap is not known: no problem where it was only looked for at a usual place and never was there,
 * unless the server is in trouble and has not said anything about it.
 */
function unread(url: FrontierUrl, reason: string, hasAnswered = true): Settlement {
  const { origin, leadsOn } = url.row;
  return read(url, origin !== 'link' || leadsOn || !hasAnswered ? reason : null, [], leadsOn);
}

function problemOf({ isComplete, cutBy }: SitemapSummary): string | null {
  return isComplete ? null : (cutBy ?? 'TRUNCATED');
}
