import type { SitemapEntry } from './sitemap-entry.js';
import type { SitemapKind } from './sitemap-summary.js';

/** How a format of XML lists pages. Names of elements are in lower case and without prefix. */
export interface SitemapFormat {
  kind: SitemapKind;
  entryName: string;
  entryKind: SitemapEntry['kind'];
  /** By precedence, where an entry has several. */
  urlFields: readonly string[];
  dateFields: readonly string[];
}

const FEED = {
  kind: 'feed',
  entryName: 'item',
  entryKind: 'page',
  urlFields: ['link', 'guid'],
  dateFields: ['pubdate', 'date'],
} as const;

/** By the name of the root element. */
export const FORMATS: ReadonlyMap<string, SitemapFormat> = new Map<string, SitemapFormat>([
  [
    'urlset',
    { kind: 'urlset', entryName: 'url', entryKind: 'page', urlFields: ['loc'], dateFields: ['lastmod'] },
  ],
  [
    'sitemapindex',
    {
      kind: 'index',
      entryName: 'sitemap',
      entryKind: 'sitemap',
      urlFields: ['loc'],
      dateFields: ['lastmod'],
    },
  ],
  ['rss', FEED],
  ['rdf', FEED],
  [
    'feed',
    {
      kind: 'feed',
      entryName: 'entry',
      entryKind: 'page',
      urlFields: ['link'],
      dateFields: ['updated', 'modified', 'published'],
    },
  ],
]);
