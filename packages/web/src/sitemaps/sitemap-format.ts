import type { SitemapEntry } from './sitemap-entry.js';
import type { SitemapKind } from './sitemap-summary.js';

/** How an XML format lists pages. Element names are in lower case and without prefix. */
export interface SitemapFormat {
  kind: SitemapKind;
  entryName: string;
  entryKind: SitemapEntry['kind'];
  /** By precedence, if an entry has several. */
  urlFields: readonly string[];
}

const URLSET: SitemapFormat = { kind: 'urlset', entryName: 'url', entryKind: 'page', urlFields: ['loc'] };
const INDEX: SitemapFormat = {
  kind: 'index',
  entryName: 'sitemap',
  entryKind: 'sitemap',
  urlFields: ['loc'],
};
const RSS: SitemapFormat = {
  kind: 'feed',
  entryName: 'item',
  entryKind: 'page',
  urlFields: ['link', 'guid'],
};
const ATOM: SitemapFormat = { kind: 'feed', entryName: 'entry', entryKind: 'page', urlFields: ['link'] };

/** By the name of the root element. `rdf` is RSS 1.0. */
export const FORMATS: ReadonlyMap<string, SitemapFormat> = new Map([
  ['urlset', URLSET],
  ['sitemapindex', INDEX],
  ['rss', RSS],
  ['rdf', RSS],
  ['feed', ATOM],
]);
