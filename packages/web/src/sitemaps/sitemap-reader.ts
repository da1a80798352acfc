export const MAX_ENTRY_URL_LENGTH = 8192;

/** Reads one format, piece by piece. Errors in the file go into the report; nothing throws. */
export interface SitemapReader {
  /** Whether the rest of the file is useless. */
  readonly isStopped: boolean;
  /** @returns the entries that end in this piece */
  write(text: string): SitemapEntry[];
  /** Ends the file. Not called for a truncated file. @returns the last entries */
  end(): SitemapEntry[];
}

export interface SitemapEntry {
  /** Absolute, http or https, without fragment. Not normalized further. */
  url: string;
  /** A page, or another sitemap in an index. */
  kind: 'page' | 'sitemap';
}

/** @returns null for a URL that is malformed, too long, or not http or https */
export function toEntry(url: string, base: string, kind: SitemapEntry['kind']): SitemapEntry | null {
  const trimmed = url.trim();
  if (trimmed === '' || trimmed.length > MAX_ENTRY_URL_LENGTH) return null;
  const parsed = URL.parse(trimmed, base);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  parsed.hash = '';
  return { url: parsed.href, kind };
}
