import { Readable } from 'node:stream';
import type { FeedSourceConfig } from '@citewell/contracts/schemas';
import { type FetchResult, GuardedHttpClient, readBody, WebFetchError } from '@citewell/web';
import { z } from 'zod';
import type { SourceContext } from '../open-source.js';
import { escapeHtml, htmlPage } from '../html-page.js';
import { PAGE_DOCUMENTS } from '../inventory-pages.js';
import { networkError } from '../network-error.js';
import {
  type FetchedDocument,
  type InventoryPage,
  type Source,
  type SourceDocument,
  SourceError,
} from '../source.js';
import { decodeText } from './decode-text.js';
import { type FeedEntry, type FeedPage, hashOf, readFeed } from './feed-entries.js';
import { textLengthOf } from './text-length.js';

const USER_AGENT = 'Citewell/0.1 (self-hosted document search)';
const DEFAULT_MAX_PAGES = 10;
const MAX_FEED_BYTES = 20 * 1024 * 1024;
const MAX_PAGE_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const MAX_PATH_CHARACTERS = 1_000;
const HASH_CHARACTERS = 8;

/** Where an inventory goes on. */
const cursorSchema = z.object({
  url: z.string(),
  /** Pages of the feed before that of `url`. */
  page: z.number(),
  /** Entries of the page that were listed. New entries of a feed come first, so that none is left out. */
  listed: z.number(),
});
type Cursor = z.infer<typeof cursorSchema>;

/**
 * The entries of an RSS, Atom or JSON feed, as HTML. An entry that says less than the page that it links to is replaced by
 * that page.
 *
 * The entries of the page of the feed that was read last are kept in memory.
 */
export class FeedSource implements Source {
  readonly listsRecentOnly = true;
  private readonly client: GuardedHttpClient;
  private readonly maxPages: number;
  private kept: ReadonlyMap<string, FeedEntry> = new Map();

  constructor(
    private readonly config: FeedSourceConfig,
    { allowPrivateNetworks = [], proxy, userAgent = USER_AGENT }: SourceContext,
  ) {
    this.maxPages = config.maxPages ?? DEFAULT_MAX_PAGES;
    this.client = new GuardedHttpClient({
      userAgent,
      allowPrivateNetworks,
      ...(proxy === undefined ? {} : { proxy }),
    });
  }

  async check(signal: AbortSignal): Promise<string> {
    const { entries } = await this.pageAt(this.config.url, signal);
    const [newest] = entries;
    const title = newest === undefined ? '' : `, beginning with “${plain(newest.title) || newest.id}”`;
    return `The feed has ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}${title}.`;
  }

  async *inventory(cursor: string | null, signal: AbortSignal): AsyncGenerator<InventoryPage> {
    const seen = new Set<string>();
    const visited = new Set<string>();
    let at: Cursor | null =
      cursor === null ? { url: this.config.url, page: 0, listed: 0 } : readCursor(cursor);
    while (at !== null) {
      const begin: Cursor = at;
      visited.add(begin.url);
      const { entries, next } = await this.pageAt(begin.url, signal);
      const hasNext = next !== null && begin.page + 1 < this.maxPages && !visited.has(next);
      at = hasNext ? { url: next, page: begin.page + 1, listed: 0 } : null;
      let { listed } = begin;
      do {
        const documents = entries
          .slice(listed, listed + PAGE_DOCUMENTS)
          .filter(({ id }) => !seen.has(id) && seen.add(id))
          .map((entry) => this.documentOf(entry));
        listed += PAGE_DOCUMENTS;
        const after = listed < entries.length ? { ...begin, listed } : at;
        yield { documents, skipped: [], cursor: after === null ? null : JSON.stringify(after) };
      } while (listed < entries.length);
    }
  }

  async fetch({ id }: Pick<SourceDocument, 'id'>, signal: AbortSignal): Promise<FetchedDocument> {
    const entry = this.kept.get(id) ?? (await this.find(id, signal));
    const html = (await this.linkedPage(entry, signal)) ?? documentHtml(entry);
    return {
      version: versionOf(entry),
      mediaType: 'text/html',
      content: Readable.from([Buffer.from(html)], { objectMode: false }),
    };
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private documentOf(entry: FeedEntry): SourceDocument {
    return {
      id: entry.id,
      path: pathOf(entry, this.config.url),
      version: versionOf(entry),
      bytes: null,
      modifiedAt: entry.updated ?? entry.published,
      ...(entry.link === null ? {} : { url: entry.link }),
      access: 'library',
    };
  }

  private async find(id: string, signal: AbortSignal): Promise<FeedEntry> {
    let url: string | null = this.config.url;
    for (let page = 0; url !== null && page < this.maxPages; page += 1) {
      const { next }: FeedPage = await this.pageAt(url, signal);
      const entry = this.kept.get(id);
      if (entry !== undefined) return entry;
      url = next;
    }
    throw new SourceError('gone', 'The feed does not have this entry any more.');
  }

  /** Reads a page of the feed, and keeps its entries. Of entries with the same id, the first is the newest. */
  private async pageAt(url: string, signal: AbortSignal): Promise<FeedPage> {
    const response = await this.load(url, MAX_FEED_BYTES, signal);
    let page: FeedPage;
    try {
      page = readFeed(decodeText(response.bytes, response.charset), response.url);
    } catch (error) {
      if (error instanceof SourceError) throw error;
      throw new SourceError('denied', 'The address has no RSS, Atom or JSON feed that can be read.', {
        cause: error,
      });
    }
    const entries = new Map<string, FeedEntry>();
    for (const entry of page.entries) if (!entries.has(entry.id)) entries.set(entry.id, entry);
    this.kept = entries;
    return { ...page, entries: [...entries.values()] };
  }

  /** @returns the page that an entry links to, if it says more; null if it does not, or cannot be read */
  private async linkedPage(entry: FeedEntry, signal: AbortSignal): Promise<string | null> {
    if (entry.link === null || this.config.linkedPages === false) return null;
    try {
      const { bytes, charset, contentType, url } = await this.load(entry.link, MAX_PAGE_BYTES, signal);
      if (contentType !== 'text/html' && contentType !== 'application/xhtml+xml') return null;
      const html = decodeText(bytes, charset);
      if (textLengthOf(html) <= textLengthOf(entry.html)) return null;
      // The mark says that the text is UTF-8, whatever the page declares.
      return `\u{FEFF}${/<base\s/i.test(html) ? '' : `<base href="${escapeHtml(url)}">`}${html}`;
    } catch (error) {
      // A page that is not there now may be there later: the entry alone would stay for good.
      if (error instanceof SourceError && (error.kind === 'denied' || error.kind === 'gone')) return null;
      throw error;
    }
  }

  private async load(
    url: string,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Pick<FetchResult, 'url' | 'charset' | 'contentType'> & { bytes: Buffer }> {
    try {
      const response = await this.client.fetch(url, { maxBytes, timeoutMs: TIMEOUT_MS, signal });
      return { ...response, bytes: await readBody(response) };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof WebFetchError ? networkError(error) : error;
    }
  }
}

function readCursor(cursor: string): Cursor {
  return cursorSchema.parse(JSON.parse(cursor));
}

function documentHtml({ title, html, base, link, published }: FeedEntry): string {
  return htmlPage({ title: plain(title), base: link ?? base, date: published, html });
}

function versionOf({ title, html, link, updated }: FeedEntry): string {
  return hashOf(title, html, link ?? '', updated?.toISOString() ?? '');
}

/**
 * The path of the link, with the host if it is not that of the feed. It does not depend on the title, which may be
 * corrected. Entries that share a link differ by their ids.
 */
function pathOf({ id, link }: FeedEntry, feedUrl: string): string {
  const suffix = hashOf(id).slice(0, HASH_CHARACTERS);
  if (link === null) return suffix;
  const { host, pathname, search, hash } = new URL(link);
  const names = `${pathname}${search}${hash}`.split('/').filter((name) => name !== '');
  const path = [...(host === new URL(feedUrl).host ? [] : [host]), ...names.map(decoded)].join('/');
  const isWhole = path !== '' && path.length <= MAX_PATH_CHARACTERS && id === link;
  return isWhole ? path : `${path.slice(0, MAX_PATH_CHARACTERS)}#${suffix}`;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A title without markup. Titles of RSS are HTML in some feeds, and text in others. */
function plain(title: string): string {
  return title
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
