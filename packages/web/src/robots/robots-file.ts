import { normalizePercentEncoding } from '../urls/normalize-url.js';

/** The part of a file that a crawler must parse (RFC 9309, section 2.5). The rest is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Some files ask for a day between two pages instead of using `Disallow`. */
const MAX_CRAWL_DELAY_MS = 60_000;
/** Characters that the wildcards of all rules may read for one URL, which take about 25 ms. */
const MAX_WILDCARD_CHARACTERS = 5_000_000;

type Field = 'agent' | 'allow' | 'disallow' | 'delay' | 'sitemap';

/** Includes misspellings that are common and unambiguous. */
const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['user-agent', 'agent'],
  ['user agent', 'agent'],
  ['useragent', 'agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['disalow', 'disallow'],
  ['crawl-delay', 'delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
]);

/** An `Allow` or `Disallow` line. */
interface RobotsRule {
  readonly allows: boolean;
  readonly pattern: RobotsPattern;
}

interface Group {
  /** Product tokens in lower case, or `*`. */
  readonly agents: Set<string>;
  readonly rules: RobotsRule[];
  readonly crawlDelaysMs: number[];
}

/**
 * A robots.txt (RFC 9309). It is read octet by octet, so that paths in any encoding are compared as they are
 * sent. Nothing in it is an error: lines that make no sense are ignored.
 *
 * Beyond the RFC it understands `Crawl-delay` and `Sitemap`, a missing colon, and a few misspelled fields.
 */
export class RobotsFile {
  /** Absolute http and https URLs of sitemaps, in the order of the file, without duplicates. */
  readonly sitemaps: readonly string[];
  private readonly groups: readonly Group[];

  /**
   * @param content text, or octets of which the first 500 KiB are read, up to the last complete line
   * @param url the URL of the file: relative sitemap URLs are relative to it
   */
  constructor(content: Uint8Array | string, url?: string) {
    const { groups, sitemaps } = parse(octetsOf(content));
    this.groups = groups;
    this.sitemaps = absolute(sitemaps, url);
  }

  /**
   * The rules for one crawler: those of all groups that name it, else those of the `*` groups.
   *
   * @param productToken for example `Citewell`; of a User-Agent header, the first product
   */
  rulesFor(productToken: string): RobotsRules {
    const token = productTokenOf(productToken);
    const named = this.groups.filter(({ agents }) => token !== '' && agents.has(token));
    const groups = named.length > 0 ? named : this.groups.filter(({ agents }) => agents.has('*'));
    const delaysMs = groups.flatMap(({ crawlDelaysMs }) => crawlDelaysMs);
    return new RobotsRules(
      groups.flatMap(({ rules }) => rules),
      delaysMs.length > 0 ? Math.min(Math.max(...delaysMs), MAX_CRAWL_DELAY_MS) : null,
    );
  }
}

/** What one crawler may do on a host. */
export class RobotsRules {
  private readonly rules: readonly RobotsRule[];
  private readonly wildcardRules: number;

  /** @param crawlDelayMs time between two requests that the site asks for, at most 60,000; null for none */
  constructor(
    rules: readonly RobotsRule[],
    readonly crawlDelayMs: number | null,
  ) {
    this.wildcardRules = rules.filter(({ pattern }) => pattern.hasWildcard).length;
    // By precedence: the longest pattern first, `Allow` before `Disallow`. The first match decides.
    this.rules = rules.toSorted(
      (a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows),
    );
  }

  /**
   * Whether a URL may be fetched: if no rule matches, and robots.txt itself. A URL that is too long for the
   * number of rules with wildcards is refused, because matching would block the process.
   *
   * @param url absolute
   */
  allows(url: string | URL): boolean {
    const target = robotsTarget(new URL(url));
    if (target === '/robots.txt') return true;
    if (this.wildcardRules * target.length > MAX_WILDCARD_CHARACTERS) return false;
    return this.rules.find(({ pattern }) => pattern.matches(target))?.allows ?? true;
  }
}

/** The product token of a User-Agent, in lower case: its leading letters, `-` and `_`. */
export function productTokenOf(name: string): string {
  return /^[a-z_-]*/i.exec(name.trim())?.[0].toLowerCase() ?? '';
}

/** A string whose characters, up to U+00FF, are the octets. */
function octetsOf(content: Uint8Array | string): string {
  const bytes = Buffer.from(content);
  const octets = bytes.toString('latin1', 0, MAX_ROBOTS_BYTES).replace(/^\u00ef\u00bb\u00bf/, '');
  if (bytes.length <= MAX_ROBOTS_BYTES) return octets;
  return octets.slice(0, Math.max(octets.lastIndexOf('\n'), octets.lastIndexOf('\r')) + 1);
}

function parse(octets: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | null = null;
  let isNamingAgents = false;
  for (const line of octets.split(/\r\n|\r|\n/)) {
    const record = readLine(line);
    if (record === null) continue;
    const { field, value } = record;
    switch (field) {
      case 'sitemap':
        sitemaps.push(value);
        break;
      case 'agent':
        if (group === null || !isNamingAgents)
          groups.push((group = { agents: new Set(), rules: [], crawlDelaysMs: [] }));
        group.agents.add(/^\*(\s|$)/.test(value) ? '*' : productTokenOf(value));
        isNamingAgents = true;
        break;
      case 'delay':
        if (/^\d{1,9}(\.\d*)?$/.test(value)) group?.crawlDelaysMs.push(Number(value) * 1000);
        break;
      case 'allow':
      case 'disallow':
        // Only rules end the list of agents, empty ones included (RFC 9309, section 2.2.4).
        isNamingAgents = false;
        if (/^[/*]/.test(value))
          group?.rules.push({ allows: field === 'allow', pattern: new RobotsPattern(value) });
    }
  }
  return { groups, sitemaps };
}

function readLine(line: string): { field: Field; value: string } | null {
  const comment = line.indexOf('#');
  const text = (comment < 0 ? line : line.slice(0, comment)).trim();
  const colon = text.indexOf(':');
  const [, name = '', value = ''] =
    colon < 0
      ? (/^(\S+)\s+(\S+)$/.exec(text) ?? [])
      : [text, text.slice(0, colon).trimEnd(), text.slice(colon + 1).trimStart()];
  const field = FIELDS.get(name.toLowerCase());
  return field === undefined ? null : { field, value };
}

function absolute(sitemaps: readonly string[], base: string | undefined): string[] {
  const urls = sitemaps
    .map((octets) => Buffer.from(octets, 'latin1').toString())
    .filter((sitemap) => sitemap !== '')
    .flatMap((sitemap) => URL.parse(sitemap, base)?.href ?? [])
    .filter((url) => /^https?:/.test(url));
  return [...new Set(urls)];
}

/**
 * The path pattern of a rule (RFC 9309, section 2.2.3). `*` matches any characters, and a `$` at the end
 * matches the end of path and query. Everything else stands for itself. A pattern matches a prefix of the
 * target.
 */
class RobotsPattern {
  /**
   * Octets of the pattern, with unescaped characters where possible. The longest pattern that matches
   * decides.
   */
  readonly length: number;
  private readonly pieces: readonly string[];
  private readonly isAnchored: boolean;

  /** @param source characters up to U+00FF, each of which stands for an octet */
  constructor(source: string) {
    this.isAnchored = source.endsWith('$');
    const body = this.isAnchored ? source.slice(0, -1) : source;
    this.pieces = body.split(/\*+/).map(literal);
    this.length = this.pieces.join('*').length + (this.isAnchored ? 1 : 0);
  }

  get hasWildcard(): boolean {
    return this.pieces.length > 1;
  }

  /** @param target path and query from `robotsTarget` */
  matches(target: string): boolean {
    const [first = '', ...others] = this.pieces;
    if (!target.startsWith(first)) return false;
    const last = this.isAnchored ? others.pop() : undefined;
    if (this.isAnchored && last === undefined) return target === first;
    let at = first.length;
    for (const piece of others) {
      // The earliest match leaves the most for the pieces that follow.
      const found = target.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return last === undefined || (target.length - last.length >= at && target.endsWith(last));
  }
}

/**
 * The part of a URL that patterns are compared with: path and query, in the same spelling as the patterns.
 */
function robotsTarget(url: URL): string {
  return literal(url.pathname + url.search);
}

/** A text in which `*` and `$` are escaped, so that they are not wildcards. */
function literal(text: string): string {
  const escaped = text.replace(/[\u0080-\u00ff]/g, (octet) => `%${octet.charCodeAt(0).toString(16)}`);
  return normalizePercentEncoding(escaped).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** What a page asks of those who index it. */
interface RobotsDirectives {
  /** Do not show this page. */
  readonly noindex: boolean;
  /** Do not follow its links. */
  readonly nofollow: boolean;
}

/** Directives that have a value. Any other word before a colon is the name of a crawler. */
const WITH_VALUE = /^(unavailable_after|max-(snippet|image-preview|video-preview))$/;

/**
 * Reads `X-Robots-Tag` headers, or the contents of `<meta name="robots">`: comma-separated directives. In a
 * header they may follow the name of a crawler (`otherbot: noindex, nofollow`), and directives for other
 * crawlers are ignored. `none` means both directives. The strictest directive applies. Dates
 * (`unavailable_after`) are ignored.
 *
 * @param productToken our name, as for `RobotsFile.rulesFor`
 */
export function readRobotsDirectives(values: readonly string[], productToken: string): RobotsDirectives {
  const own = productTokenOf(productToken);
  const directives = values.flatMap((value) => directivesFor(own, value));
  const has = (name: string): boolean => directives.includes(name) || directives.includes('none');
  return { noindex: has('noindex'), nofollow: has('nofollow') };
}

function directivesFor(own: string, value: string): string[] {
  const directives: string[] = [];
  let isForUs = true;
  for (const part of value.toLowerCase().split(',')) {
    const [, name = '', directive = ''] = /^\s*(?:([a-z_-]+)\s*:)?(.*)$/s.exec(part) ?? [];
    if (WITH_VALUE.test(name)) continue;
    if (name !== '') isForUs = name === own || name === 'robots';
    if (isForUs) directives.push(directive.trim());
  }
  return directives;
}
