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
  constructor(@Inject(UrlFetcher) private readonly fetcher: UrlFetcher) {}

  async settle(url: FrontierUrl, visit: SiteVisit): Promise<Settlement> {
    const { row } = url;
    if (visit.links.hasOverflown) return read(url, 'TOO_MANY_URLS');
    const fetched = await this.fetcher.fetch(row.url, { maxBytes: MAX_SITEMAP_BYTES, signal: visit.signal });
    switch (fetched.kind) {
      case 'redirect': {
        const { target } = fetched;
        if (target === null || target === row.url || row.depth >= MAX_NESTING)
          return read(url, reasonOf(url, 'REDIRECT'));
        return read(url, null, sitemapsAt(url, target, row.origin, visit));
      }
      case 'forbidden':
        return read(url, reasonOf(url, 'ROBOTS'));
      case 'unchanged':
        throw new Error('no condition was sent');
      case 'error': {
        const notBefore = retryAt(fetched.error, row.attempts);
        if (notBefore !== null) return { url: row.url, pageId: null, found: [], kind: 'again', notBefore };
        const code = codeOf(fetched.error);
        // A server in trouble has not said that it has no sitemap.
        return read(url, fetched.error.kind === 'permanent' ? reasonOf(url, code) : code);
      }
      case 'content': {
        const { found, summary } = await this.entriesOf(url, fetched.bytes, fetched.answer.charset, visit);
        return read(url, problemOf(url, summary), found);
      }
    }
  }

  private async entriesOf(
    url: FrontierUrl,
    bytes: Uint8Array,
    charset: string | null,
    visit: SiteVisit,
  ): Promise<{ found: FoundUrl[]; summary: SitemapSummary }> {
    const { links, signal } = visit;
    const reading = readSitemap(only(bytes), { baseUrl: url.row.url, charset, signal });
    const found: FoundUrl[] = [];
    for await (const entry of reading) {
      const address = normalizeUrl(entry.url);
      if (address === null) continue;
      if (entry.kind === 'sitemap') {
        if (url.row.depth < MAX_NESTING) found.push(...sitemapsAt(url, address, 'sitemap', visit));
        continue;
      }
      for (const page of links.newListed(address))
        found.push({ url: page, kind: 'page', origin: 'sitemap', depth: 0, lastmod: entry.lastmod });
    }
    return { found, summary: reading.summary };
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

function read(url: FrontierUrl, reason: string | null, found: readonly FoundUrl[] = []): Settlement {
  return { url: url.row.url, pageId: null, found, kind: 'read', reason };
}

/** A sitemap that nobody named was only looked for: that it is not there is no problem. */
function reasonOf({ row }: FrontierUrl, reason: string): string | null {
  return row.origin === 'link' ? null : reason;
}

function problemOf(url: FrontierUrl, { kind, isComplete, problems }: SitemapSummary): string | null {
  if (kind === 'html' || kind === 'unknown') return reasonOf(url, 'NOT_A_SITEMAP');
  return isComplete ? null : (problems[0]?.code ?? 'TRUNCATED');
}
