import type { SitemapEntry } from './sitemap-entry.js';

/** Reads one format, piece by piece. Whatever is wrong goes into the report, never into an exception. */
export interface SitemapReader {
  /** Whether something was found after which reading on is of no use. */
  readonly isStopped: boolean;
  write(text: string): void;
  /** The file has ended; not called where reading was cut short. */
  end(): void;
  /** What was found since the last time. */
  take(): SitemapEntry[];
}
