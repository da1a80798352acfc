import { normalizeUrl, type UrlScope } from '@citewell/web';

/** URLs are keys of an index, which takes no longer ones. */
const MAX_URL_LENGTH = 2_048;

/** What a page is looked at with. */
export type Links = Pick<LinkFilter, 'has' | 'newOf' | 'newListed'>;

/** Links that are taken for one page, which may come to nothing. */
export class TentativeLinks implements Links {
  private readonly taken: string[] = [];

  constructor(private readonly links: LinkFilter) {}

  has(url: string): boolean {
    return this.links.has(url);
  }

  newOf(urls: readonly string[], depth: number): string[] {
    return this.note(this.links.newOf(urls, depth));
  }

  newListed(url: string): string[] {
    return this.note(this.links.newListed(url));
  }

  /** Others may find them, and the page when it is looked at again. */
  giveBack(): void {
    this.links.giveBack(this.taken);
  }

  private note(urls: string[]): string[] {
    this.taken.push(...urls);
    return urls;
  }
}

/** Which URLs are new to the crawl of a site, and belong to it. */
export class LinkFilter {
  private readonly known: Set<string>;
  /** Given back, and counted already. */
  private readonly returned = new Set<string>();
  private isFull = false;

  /**
   * @param known URLs that the crawl has found before
   * @param maxUrls how many there may be in all
   */
  constructor(
    private readonly scope: UrlScope,
    known: readonly string[],
    private readonly maxUrls: number,
  ) {
    this.known = new Set(known);
    // The bounds against traps count what was admitted before, too.
    for (const url of known) scope.admit(url, 0);
  }

  /** Whether URLs were turned away because there are too many. */
  get hasOverflown(): boolean {
    return this.isFull;
  }

  /** Whether a URL is one of the crawl. @param url normalised */
  has(url: string): boolean {
    return this.known.has(url);
  }

  /** Those that nobody has offered before, normalised. @param depth links between the start and these */
  newOf(urls: readonly string[], depth: number): string[] {
    return urls.flatMap((raw) => {
      const url = normalizeUrl(raw);
      if (url === null || url.length > MAX_URL_LENGTH || this.known.has(url)) return [];
      const refusal = this.returned.has(url)
        ? this.scope.refusalOf(url, depth)
        : this.scope.admit(url, depth);
      // One too many of its shape belongs to the site all the same: where there is room for none, it counts as such.
      if (refusal !== null && refusal !== 'TOO_MANY_VARIANTS') return [];
      return this.take(url, refusal === null);
    });
  }

  /** As {@link newOf}, for a page that a sitemap lists: it vouches that this is no trap. @param url normalised */
  newListed(url: string): string[] {
    if (url.length > MAX_URL_LENGTH || this.known.has(url) || this.scope.refusalOf(url) !== null) return [];
    return this.take(url);
  }

  /** As {@link newOf}, for a sitemap, which may lie on another host. @param url normalised */
  newSitemap(url: string): string[] {
    if (url.length > MAX_URL_LENGTH || this.known.has(url)) return [];
    return this.take(url);
  }

  /** They are new again: what they were found on could not be dealt with. */
  giveBack(urls: readonly string[]): void {
    for (const url of urls) {
      this.known.delete(url);
      this.returned.add(url);
    }
  }

  private take(url: string, isAdmitted = true): string[] {
    if (this.known.size >= this.maxUrls) this.isFull = true;
    if (this.isFull || !isAdmitted) return [];
    this.known.add(url);
    return [url];
  }
}
