import type { SitemapEntry } from './sitemap-entry.js';

/** Reads one format, piece by piece. Errors in the file go into the report; nothing throws. */
export interface SitemapReader {
  /** Whether the rest of the file is useless. */
  readonly isStopped: boolean;
  /** @returns the entries that end in this piece */
  write(text: string): SitemapEntry[];
  /** Ends the file. Not called for a file that was cut short. @returns the last entries */
  end(): SitemapEntry[];
}
