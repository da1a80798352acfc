import { Glob } from './glob.js';
import { normalizePercentEncoding } from './normalize-url.js';

const MAX_PATH_LENGTH = 1024;
const MAX_PARAMETERS = 8;

/** Why a URL is not part of a site. */
export type ScopeRefusal =
  /** Not an absolute URL. */
  | 'BAD_URL'
  | 'OTHER_HOST'
  | 'EXCLUDED'
  /** `include` has patterns, and none of them matches. */
  | 'NOT_INCLUDED'
  /** More than `maxDepth` links from the start. */
  | 'TOO_DEEP'
  /** A path of more than 1,024 characters. */
  | 'PATH_TOO_LONG'
  /** More than 8 query parameters. */
  | 'TOO_MANY_PARAMETERS';

export interface UrlScopeOptions {
  /** Where the crawl starts. Its host and port are part of the site, with http and with https. */
  start: string;
  /**
   * Further hosts, with port unless it is the default port, for example the host that `start` redirects to.
   */
  hosts?: readonly string[];
  /** Globs, see `UrlPattern`. Default: everything is included. */
  include?: readonly string[];
  /** Globs. They take precedence over `include`. */
  exclude?: readonly string[];
  /** Links between start and page. Default: no limit. */
  maxDepth?: number;
}

/** Decides which URLs belong to a site. Every answer depends on the options and the arguments only. */
export class UrlScope {
  private readonly hosts: ReadonlySet<string>;
  private readonly include: readonly UrlPattern[];
  private readonly exclude: readonly UrlPattern[];
  private readonly maxDepth: number;

  /** @throws TypeError if `start` is not a URL, or an entry of `hosts` is not a host */
  constructor({ start, hosts = [], include = [], exclude = [], maxDepth = Infinity }: UrlScopeOptions) {
    this.hosts = new Set([new URL(start).host, ...hosts.map((host) => new URL(`https://${host}`).host)]);
    this.include = include.map((source) => new UrlPattern(source));
    this.exclude = exclude.map((source) => new UrlPattern(source));
    this.maxDepth = maxDepth;
  }

  /**
   * @param url normalized, see `normalizeUrl`
   * @param depth links between start and page; 0 for the start and for URLs from a sitemap
   * @returns null for a URL of this site
   */
  refusalOf(url: string, depth = 0): ScopeRefusal | null {
    const parsed = URL.parse(url);
    if (parsed === null) return 'BAD_URL';
    if (!this.hosts.has(parsed.host)) return 'OTHER_HOST';
    if (depth > this.maxDepth) return 'TOO_DEEP';
    // Pattern matching takes time proportional to the length of the path.
    if (parsed.pathname.length > MAX_PATH_LENGTH) return 'PATH_TOO_LONG';
    if (parsed.searchParams.size > MAX_PARAMETERS) return 'TOO_MANY_PARAMETERS';
    return this.patternRefusal(parsed);
  }

  /** Whether a URL is on a host of the site, whatever the patterns say. */
  isOnHost(url: string): boolean {
    const parsed = URL.parse(url);
    return parsed !== null && this.hosts.has(parsed.host);
  }

  /** Whether `include` and `exclude` leave out a URL. @param url normalized */
  isExcluded(url: string): boolean {
    return this.patternRefusal(new URL(url)) !== null;
  }

  private patternRefusal(url: URL): ScopeRefusal | null {
    if (this.exclude.some((pattern) => pattern.matches(url))) return 'EXCLUDED';
    if (this.include.length === 0) return null;
    return this.include.some((pattern) => pattern.matches(url)) ? null : 'NOT_INCLUDED';
  }
}

/**
 * A glob for URLs, as users write it into `include` and `exclude`. Wildcards are those of {@link Glob}; all other
 * characters, `?` too, stand for themselves.
 *
 * - `https://…` is compared with the whole URL and `/…` with the path. Anything else, such as `*.pdf` or
 *   `drafts/**`, is compared with the end of the path, starting after any `/`. A pattern with a `?` is
 *   compared with path and query.
 * - The whole text must match. Case matters, except in a host; `é` and `%C3%A9` are equal.
 */
export class UrlPattern {
  private readonly glob: Glob;
  private readonly isWholeUrl: boolean;
  private readonly hasQuery: boolean;

  constructor(source: string) {
    this.isWholeUrl = source.includes('://');
    this.hasQuery = source.includes('?');
    const pattern = this.isWholeUrl ? withLowerCaseHost(source) : anchored(source);
    this.glob = new Glob(pattern, normalizePercentEncoding);
  }

  /** @param url normalized, see `normalizeUrl` */
  matches(url: URL): boolean {
    const path = this.hasQuery ? url.pathname + url.search : url.pathname;
    return this.glob.matches(this.isWholeUrl ? `${url.protocol}//${url.host}${path}` : path);
  }
}

function anchored(source: string): string {
  return source.startsWith('/') || source.startsWith('**') ? source : `**/${source}`;
}

function withLowerCaseHost(source: string): string {
  const [, origin = '', path = ''] = /^([^/]*\/\/[^/]*)(.*)$/s.exec(source) ?? [];
  return origin.toLowerCase() + (path || '/');
}
