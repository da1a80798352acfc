import type { FoundUrl, FrontierUrl, Settlement } from '@citewell/database';
import { normalizeUrl, readSitemap, type SitemapSummary } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { codeOf, retryAt } from './failure.js';
import type { SiteVisit } from './page-settler.js';
import { UrlFetcher } from './url-fetcher.js';

const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
/** Indexes of indexes are not allowed by the protocol, and found all the same. */
const MAX_NESTING = 3;

/** Fetches a sitemap; the pages and sitemaps that it lists join the frontier. */
@Injectable()
export class SitemapSettler {
  constructor(@Inject(UrlFetcher) private readonly fetcher: Pick<UrlFetcher, 'fetch'>) {}

  async settle(url: FrontierUrl, visit: SiteVisit): Promise<Settlement> {
    const { row } = url;
    if (visit.links.hasOverflown) return unread(url, 'TOO_MANY_URLS');
    const fetched = await this.fetcher.fetch(row.url, { maxBytes: MAX_SITEMAP_BYTES, signal: visit.signal });
    switch (fetched.kind) {
      case 'redirect': {
        const { target } = fetched;
        if (target === null || target === row.url || row.depth >= MAX_NESTING) return unread(url, 'REDIRECT');
        return read(url, null, sitemapsAt(url, target, row.origin, visit));
      }
      case 'forbidden':
        return absent(url, 'ROBOTS');
      case 'unchanged':
        throw new Error('no condition was sent');
      case 'error': {
        const notBefore = retryAt(fetched.error, row.attempts);
        if (notBefore !== null) return { url: row.url, pageId: null, found: [], kind: 'again', notBefore };
        const code = codeOf(fetched.error);
        if (code === 'PAGE_GONE') return absent(url, code);
        return unread(url, code, fetched.error.kind === 'permanent');
      }
      case 'content': {
        const { found, summary, problem } = await this.entriesOf(
          url,
          fetched.bytes,
          fetched.answer.charset,
          visit,
        );
        if (summary.kind === 'html' || summary.kind === 'unknown') return absent(url, 'NOT_A_SITEMAP');
        return read(url, problem, found);
      }
    }
  }

  private async entriesOf(
    url: FrontierUrl,
    bytes: Uint8Array,
    charset: string | null,
    visit: SiteVisit,
  ): Promise<{ found: FoundUrl[]; summary: SitemapSummary; problem: string | null }> {
    const { links, signal } = visit;
    const reading = readSitemap(only(bytes), { baseUrl: url.row.url, charset, signal });
    const found: FoundUrl[] = [];
    let isTooDeep = false;
    for await (const entry of reading) {
      const address = normalizeUrl(entry.url);
      if (address === null) continue;
      if (entry.kind === 'sitemap') {
        if (url.row.depth < MAX_NESTING) found.push(...sitemapsAt(url, address, 'sitemap', visit));
        else isTooDeep ||= !links.has(address);
        continue;
      }
      for (const page of links.newListed(address))
        found.push({ url: page, kind: 'page', origin: 'sitemap', depth: 0, lastmod: entry.lastmod });
    }
    const { summary } = reading;
    return { found, summary, problem: isTooDeep ? 'NESTED_TOO_DEEP' : problemOf(summary) };
  }
}

function sitemapsAt(
  { row }: FrontierUrl,
  target: string,
  origin: FoundUrl['origin'],
  { links }: SiteVisit,
): FoundUrl[] {
  return links
    .newSitemap(target)
    .map((url) => ({ url, kind: 'sitemap' as const, origin, depth: row.depth + 1 }));
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function read(
  { row: { url } }: FrontierUrl,
  reason: string | null,
  found: readonly FoundUrl[],
  leadsOn = true,
): Settlement {
  return { url, pageId: null, found, kind: 'read', reason, leadsOn };
}

/** There is no sitemap: no problem where nobody named one. Where there was one, this is believed the second time. */
function absent(url: FrontierUrl, reason: string): Settlement {
  return read(url, isExpected(url) ? reason : null, [], false);
}

/**
 * Whether there is a sitemap is not known: no problem where none is expected, unless the server is in trouble and has not
 * said anything about it.
 */
function unread(url: FrontierUrl, reason: string, hasAnswered = true): Settlement {
  return read(url, isExpected(url) || !hasAnswered ? reason : null, [], url.row.leadsOn);
}

/** Something names it, or it was there before; otherwise it is only looked for at a usual place. */
function isExpected({ row: { origin, leadsOn } }: FrontierUrl): boolean {
  return origin !== 'link' || leadsOn;
}

function problemOf({ isComplete, problems }: SitemapSummary): string | null {
  return isComplete ? null : (problems[0]?.code ?? 'TRUNCATED');
}
