import { isDistantCalendarPage, repeatsItself } from './crawl-trap.js';
import { UrlPattern } from './url-pattern.js';
import { ShapeBudget, type ShapeBudgetOptions } from './url-shape.js';

const MAX_PATH_LENGTH = 1024;
const MAX_PARAMETERS = 8;

/** Why a crawl does not take up a URL. */
export type ScopeRefusal =
  /** Not a URL that `normalizeUrl` has made. */
  | 'BAD_URL'
  | 'OTHER_HOST'
  | 'EXCLUDED'
  /** Patterns to include are given, and none fits. */
  | 'NOT_INCLUDED'
  /** More links away from the start than allowed. */
  | 'TOO_DEEP'
  | 'PATH_TOO_LONG'
  | 'TOO_MANY_PARAMETERS'
  /** `/a/b/a/b/a/b` */
  | 'REPEATED_SEGMENTS'
  /** A calendar's page for a time long past or far ahead. */
  | 'DISTANT_CALENDAR'
  /** So many URLs of this shape were taken up already that they look generated. */
  | 'TOO_MANY_VARIANTS';

export interface UrlScopeOptions extends ShapeBudgetOptions {
  /** Where the crawl starts; its host, with port, is the one that is crawled. http and https are one. */
  start: string;
  /** Further hosts, with port unless it is the default one, for example where `start` redirected to. */
  hosts?: readonly string[];
  /** Globs as in `UrlPattern`. Without any, everything is included. */
  include?: readonly string[];
  /** Globs; they win over `include`. */
  exclude?: readonly string[];
  /** Links between start and page. Default: as many as there are, since what is older is often many pages further back. */
  maxDepth?: number;
  /** Characters. Default 1,024. */
  maxPathLength?: number;
  /** Default 8. */
  maxParameters?: number;
  /** The present, in milliseconds since the epoch. Default `Date.now`. */
  now?: () => number;
}

/**
 * Which URLs belong to a site and lead to pages. `refusalOf` depends on nothing but its arguments; `admit` also looks
 * for traps, and counts the URLs of each shape, so it is called once for each new URL.
 *
 * A sitemap vouches for its URLs: for those, the caller asks `refusalOf` with depth 0 and no `admit`.
 */
export class UrlScope {
  private readonly hosts: ReadonlySet<string>;
  private readonly include: readonly UrlPattern[];
  private readonly exclude: readonly UrlPattern[];
  private readonly budget: ShapeBudget;

  /** @throws TypeError if `start` is no URL, or one of `hosts` no host */
  constructor(private readonly options: UrlScopeOptions) {
    const { start, hosts = [], include = [], exclude = [] } = options;
    this.hosts = new Set([new URL(start).host, ...hosts.map((host) => new URL(`https://${host}`).host)]);
    this.include = include.map((source) => new UrlPattern(source));
    this.exclude = exclude.map((source) => new UrlPattern(source));
    this.budget = new ShapeBudget(options);
  }

  /**
   * @param url normalised, see `normalizeUrl`
   * @param depth links between start and page; 0 for the start, and for what a sitemap lists
   * @returns null for a URL of this site
   */
  refusalOf(url: string, depth = 0): ScopeRefusal | null {
    if (!URL.canParse(url)) return 'BAD_URL';
    const parsed = new URL(url);
    if (!this.hosts.has(parsed.host)) return 'OTHER_HOST';
    // Patterns take longer, and no longer path than allowed is compared with them.
    return this.limitRefusal(parsed, depth) ?? this.patternRefusal(parsed);
  }

  /** As `refusalOf`, for a URL that nobody vouches for. One that is not refused is counted. */
  admit(url: string, depth: number): ScopeRefusal | null {
    const refusal = this.refusalOf(url, depth) ?? this.trapRefusal(new URL(url));
    if (refusal !== null) return refusal;
    return this.budget.admits(new URL(url)) ? null : 'TOO_MANY_VARIANTS';
  }

  /** Whether somebody has said how far from its start the site ends. */
  get hasEdge(): boolean {
    return this.options.maxDepth !== undefined;
  }

  /** Whether a URL is on a host of the site, whatever the patterns say of it. */
  isHere(url: string): boolean {
    return URL.canParse(url) && this.hosts.has(new URL(url).host);
  }

  /** Whether the patterns leave out a URL, whatever else it is. @param url normalised */
  isExcluded(url: string): boolean {
    return this.patternRefusal(new URL(url)) !== null;
  }

  /** Counts a URL that was taken up before; it is not compared with anything again. */
  remember(url: string): void {
    this.budget.admits(new URL(url));
  }

  private limitRefusal(url: URL, depth: number): ScopeRefusal | null {
    const {
      maxDepth = Infinity,
      maxPathLength = MAX_PATH_LENGTH,
      maxParameters = MAX_PARAMETERS,
    } = this.options;
    if (depth > maxDepth) return 'TOO_DEEP';
    if (url.pathname.length > maxPathLength) return 'PATH_TOO_LONG';
    return url.searchParams.size > maxParameters ? 'TOO_MANY_PARAMETERS' : null;
  }

  private trapRefusal(url: URL): ScopeRefusal | null {
    if (repeatsItself(url.pathname)) return 'REPEATED_SEGMENTS';
    const nowMs = (this.options.now ?? Date.now)();
    return isDistantCalendarPage(url, nowMs) ? 'DISTANT_CALENDAR' : null;
  }

  private patternRefusal(url: URL): ScopeRefusal | null {
    if (this.exclude.some((pattern) => pattern.matches(url))) return 'EXCLUDED';
    if (this.include.length === 0) return null;
    return this.include.some((pattern) => pattern.matches(url)) ? null : 'NOT_INCLUDED';
  }
}
