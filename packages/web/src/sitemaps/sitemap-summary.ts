/** What a file turned out to be. */
export type SitemapKind =
  | 'urlset'
  /** A list of sitemaps. */
  | 'index'
  /** RSS 0.9x, 1.0 or 2.0, or Atom. */
  | 'feed'
  /** One address a line. */
  | 'text'
  /** A page, as servers send it in place of a missing file. */
  | 'html'
  | 'unknown';

/**
 * What was wrong with a file. The first five cut it short: entries may be missing.
 */
export type SitemapProblemCode =
  /** It ends in the middle. */
  | 'TRUNCATED'
  /** More bytes, uncompressed, than allowed; the rest is not read. */
  | 'TOO_LARGE'
  /** More entries than allowed; the rest is not read. */
  | 'TOO_MANY_ENTRIES'
  /** It inflates beyond every plausible ratio. */
  | 'DECOMPRESSION_BOMB'
  /** It declares entities, which no honest sitemap does; not read any further. */
  | 'ENTITIES_REFUSED'
  /** Not well-formed XML; what could be made out is kept. */
  | 'MALFORMED'
  /** Entries without an address. */
  | 'MISSING_URL'
  /** Entries whose address is none of a page: malformed, too long, not http or https. */
  | 'BAD_URL';

export interface SitemapProblem {
  code: SitemapProblemCode;
  /** How often. */
  count: number;
  /** For the log: the first one's message or text. */
  detail: string;
}

/** What is known of a file once it was read, or as far as it was read. */
export interface SitemapSummary {
  kind: SitemapKind;
  /** How many were handed out. */
  entries: number;
  problems: readonly SitemapProblem[];
  /** The problem that cut the file short; null for none. */
  cutBy: SitemapProblemCode | null;
  /** Whether the file was read to its end and nothing cut it short: what is not listed is then not in the sitemap. */
  isComplete: boolean;
}

const CUTTING: ReadonlySet<SitemapProblemCode> = new Set([
  'TRUNCATED',
  'TOO_LARGE',
  'TOO_MANY_ENTRIES',
  'DECOMPRESSION_BOMB',
  'ENTITIES_REFUSED',
]);
const MAX_DETAIL_LENGTH = 200;

/** Collects what a summary says, while a file is read. */
export class SitemapReport {
  kind: SitemapKind = 'unknown';
  entries = 0;
  /** Set by the reader, at the end of the file. */
  hasEnded = false;
  private readonly problems = new Map<SitemapProblemCode, SitemapProblem>();

  add(code: SitemapProblemCode, detail: string): void {
    const known = this.problems.get(code);
    if (known) known.count += 1;
    else this.problems.set(code, { code, count: 1, detail: detail.slice(0, MAX_DETAIL_LENGTH) });
  }

  /** The first problem that has cut the file short; null for none. */
  get cutBy(): SitemapProblemCode | null {
    return [...this.problems.keys()].find((code) => CUTTING.has(code)) ?? null;
  }

  toSummary(): SitemapSummary {
    return {
      kind: this.kind,
      entries: this.entries,
      problems: [...this.problems.values()],
      cutBy: this.cutBy,
      isComplete: this.hasEnded && this.cutBy === null && this.kind !== 'unknown' && this.kind !== 'html',
    };
  }
}
