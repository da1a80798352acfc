import { MAX_URL_LENGTH } from '@citewell/contracts/http';
import type { CrawlKind } from '@citewell/database';
import { normalizeUrl, type UrlScope, withBreaks } from '@citewell/web';

/** Which URLs are new to the crawl of a site, and belong to it. What is a sitemap may be a page, too. */
export class LinkFilter {
  /** With how many links are between the start and each. */
  private readonly known: Readonly<Record<CrawlKind, Map<string, number>>> = {
    page: new Map(),
    sitemap: new Map(),
  };
  private isFull = false;
  private crowded: string | null = null;
  private partlyRead: string | null = null;

  /**
   * @param maxUrls how many there may be in all
   * @param pages URLs that were pages before and have not been found yet: they are no traps
   */
  constructor(
    private readonly scope: UrlScope,
    private readonly maxUrls: number,
    private readonly pages: ReadonlySet<string> = new Set(),
  ) {}

  /**
   * With the URLs that the crawl has found before; there may be a million of them.
   *
   * @throws the signal's reason
   */
  static async after(
    found: readonly { readonly url: string; readonly kind: CrawlKind; readonly depth: number }[],
    {
      scope,
      maxUrls,
      pages,
    }: { readonly scope: UrlScope; readonly maxUrls: number; readonly pages?: ReadonlySet<string> },
    signal?: AbortSignal,
  ): Promise<LinkFilter> {
    const links = new LinkFilter(scope, maxUrls, pages);
    for await (const url of withBreaks(pages ?? [], signal)) scope.remember(url);
    for await (const { url, kind, depth } of withBreaks(found, signal)) {
      links.known[kind].set(url, depth);
      // The bounds against traps count what was admitted before, too.
      if (kind === 'page') scope.remember(url);
    }
    return links;
  }

  /** Whether URLs were turned away because there are too many. */
  get hasOverflown(): boolean {
    return this.isFull;
  }

  /** One of the URLs that were turned away because there were too many of their kind; null where none was. */
  get oneTooMany(): string | null {
    return this.crowded;
  }

  /** A page that has more links than were read; null where none has. */
  get oneReadInPart(): string | null {
    return this.partlyRead;
  }

  /** Notes that a page has more links than were read. */
  readInPart(url: string): void {
    this.partlyRead ??= url;
  }

  /** Whether a URL is one of the crawl. @param url normalised */
  has(url: string, kind: CrawlKind = 'page'): boolean {
    return this.known[kind].has(url);
  }

  /** How many links are between the start and a page; undefined for what is none of the crawl. @param url normalised */
  depthOf(url: string): number | undefined {
    return this.known.page.get(url);
  }

  /** Whether one of these leads to a page of the crawl. @param from where they stand, normalised */
  leadOn(urls: readonly string[], from: string): boolean {
    return urls.some((raw) => {
      const url = normalizeUrl(raw);
      return url !== null && url !== from && this.has(url);
    });
  }

  /**
   * Those that nobody has offered before, normalised; and, where a site ends so many links from its start, those that
   * were further away until now.
   *
   * @param depth links between the start and these
   */
  newOf(urls: readonly string[], depth: number): string[] {
    return urls.flatMap((raw) => {
      const url = normalizeUrl(raw);
      if (url === null || url.length > MAX_URL_LENGTH) return [];
      if (this.has(url)) return this.comesNearer(url, depth) ? [url] : [];
      const refusal = this.pages.has(url) ? this.scope.refusalOf(url, depth) : this.scope.admit(url, depth);
      if (refusal !== null && refusal !== 'TOO_MANY_VARIANTS') return [];
      // One too many of its shape belongs to the site all the same.
      if (refusal !== null) this.crowded ??= url;
      return this.take(url, 'page', { depth, isAdmitted: refusal === null });
    });
  }

  /** As {@link newOf}, for a page that a sitemap lists: that is no trap. @param url normalised */
  newListed(url: string): string[] {
    if (url.length > MAX_URL_LENGTH || this.has(url) || this.scope.refusalOf(url, 0) !== null) return [];
    return this.take(url, 'page');
  }

  /** As {@link newOf}, for what was a page before: it has its place, however many others there are. @param url normalised */
  newKnown(url: string, depth: number): string[] {
    if (this.has(url) || this.scope.refusalOf(url, depth) !== null) return [];
    this.known.page.set(url, depth);
    return [url];
  }

  /** As {@link newOf}, for where the start leads to: it leads on as the start does. @param url normalised */
  newStart(url: string): string[] {
    if (url.length > MAX_URL_LENGTH || this.has(url) || !this.scope.isHere(url)) return [];
    return this.take(url, 'page');
  }

  /** As {@link newOf}, for a sitemap, which may lie on another host. @param url normalised */
  newSitemap(url: string): string[] {
    if (url.length > MAX_URL_LENGTH || this.has(url, 'sitemap')) return [];
    return this.take(url, 'sitemap');
  }

  private comesNearer(url: string, depth: number): boolean {
    if (!this.scope.hasEdge || depth >= (this.depthOf(url) ?? 0)) return false;
    this.known.page.set(url, depth);
    return true;
  }

  private take(url: string, kind: CrawlKind, { depth = 0, isAdmitted = true } = {}): string[] {
    if (this.known.page.size + this.known.sitemap.size >= this.maxUrls) this.isFull = true;
    if (this.isFull || !isAdmitted) return [];
    this.known[kind].set(url, depth);
    return [url];
  }
}
