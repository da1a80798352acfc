export type SitemapKind =
  | 'urlset'
  /** A list of sitemaps. */
  | 'index'
  /** RSS 0.9x, 1.0 or 2.0, or Atom. */
  | 'feed'
  /** One URL per line. */
  | 'text'
  /** A web page, which servers send instead of a missing file. */
  | 'html'
  | 'unknown';

/** Why a file was not read to its end. */
export type SitemapProblemCode =
  /** The file ends early, is damaged, or has a structure that no sitemap has. */
  | 'TRUNCATED'
  /** More bytes than allowed, after decompression. */
  | 'TOO_LARGE'
  /** More entries than allowed. */
  | 'TOO_MANY_ENTRIES'
  /** The compression ratio is implausible. */
  | 'DECOMPRESSION_BOMB'
  /** It declares entities, which can expand to any size and are not needed in a sitemap. */
  | 'ENTITIES_REFUSED';

/** What is known about a file as far as it has been read. */
export interface SitemapSummary {
  kind: SitemapKind;
  /** Number of entries returned. */
  entries: number;
  /** Why the file was not read to its end; null if it was. */
  cutBy: SitemapProblemCode | null;
  /** Whether the whole file was read: a URL that is not listed is then not in the sitemap. */
  isComplete: boolean;
}

/** Collects the summary while a file is read. */
export class SitemapReport {
  kind: SitemapKind = 'unknown';
  entries = 0;
  /** Set at the end of the file. */
  hasEnded = false;
  cutBy: SitemapProblemCode | null = null;

  /** Records why the rest of the file is not read. The first reason counts. */
  cut(code: SitemapProblemCode): void {
    this.cutBy ??= code;
  }

  toSummary(): SitemapSummary {
    const { kind, entries, cutBy } = this;
    const isComplete = this.hasEnded && cutBy === null && kind !== 'unknown' && kind !== 'html';
    return { kind, entries, cutBy, isComplete };
  }
}
