import { parseLastmod } from './lastmod.js';
import type { SitemapReport } from './sitemap-summary.js';

export const MAX_ENTRY_URL_LENGTH = 8192;

export interface SitemapEntry {
  /** Absolute, http or https, without fragment; not normalised further. */
  url: string;
  /** A page, or another sitemap that an index lists. */
  kind: 'page' | 'sitemap';
  /** When the site says that it was changed; null if it does not say. A hint: many sites are careless. */
  lastmod: Date | null;
}

/** An entry as it stands in the file. */
export interface RawEntry {
  url: string;
  lastmod: string;
  base: string;
}

/** @returns null for an entry without a usable address, which the report then counts */
export function toEntry(
  { url, lastmod, base }: RawEntry,
  kind: SitemapEntry['kind'],
  report: SitemapReport,
): SitemapEntry | null {
  const address = url.trim();
  if (address === '') {
    report.add('MISSING_URL', '');
    return null;
  }
  const parsed = address.length > MAX_ENTRY_URL_LENGTH ? null : URL.parse(address, base);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    report.add('BAD_URL', address);
    return null;
  }
  parsed.hash = '';
  return { url: parsed.href, kind, lastmod: parseLastmod(lastmod) };
}
