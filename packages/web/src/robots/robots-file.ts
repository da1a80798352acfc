import { RobotsPattern, type RobotsRule, robotsTarget } from './robots-rule.js';

/** What a crawler has to read at the least (RFC 9309, section 2.5); what follows is not looked at. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Some files ask for a day between two pages, which is a way of saying no; `Disallow` is the way to say it. */
const MAX_CRAWL_DELAY_MS = 60_000;

type Field = 'agent' | 'allow' | 'disallow' | 'delay' | 'sitemap';

/** Spellings that are found in the wild and leave no doubt. */
const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['user-agent', 'agent'],
  ['user agent', 'agent'],
  ['useragent', 'agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['crawl-delay', 'delay'],
  ['crawldelay', 'delay'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
]);

interface Group {
  /** Product tokens in lower case, or `*`. */
  agents: Set<string>;
  rules: RobotsRule[];
  crawlDelaysMs: number[];
}

/**
 * A robots.txt (RFC 9309), read octet by octet, so that paths in any encoding are compared as they are sent. Nothing
 * in it is an error: a line that makes no sense is as if it were not there.
 *
 * Beyond the RFC: `Crawl-delay` and `Sitemap`, a missing colon, and a few misspelt fields.
 */
export class RobotsFile {
  /** Absolute http and https addresses of sitemaps, in the order of the file, each once. */
  readonly sitemaps: readonly string[];
  private readonly groups: readonly Group[];

  /**
   * @param content a text, or octets of which the first 500 KiB are read, without a line that goes on after them
   * @param url of the file itself: relative sitemaps are relative to it
   */
  constructor(content: Uint8Array | string, url?: string) {
    const { groups, sitemaps } = parse(octetsOf(content));
    this.groups = groups;
    this.sitemaps = absolute(sitemaps, url);
  }

  /**
   * The rules for one crawler: those of all groups that name it, or else those of the groups for everyone.
   *
   * @param productToken for example `Citewell`; of a whole User-Agent header, its first product counts
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

  /** @param crawlDelayMs time between two requests that the site asks for, at most 60,000; null for none */
  constructor(
    rules: readonly RobotsRule[],
    readonly crawlDelayMs: number | null,
  ) {
    // The most specific first, and of equals the one that allows: the first that fits decides.
    this.rules = rules.toSorted(
      (a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows),
    );
  }

  /** @param url absolute; without a rule that fits, and for robots.txt itself, the answer is yes */
  allows(url: string | URL): boolean {
    return this.decidingRule(url)?.allows ?? true;
  }

  /** The rule that decides about a URL, for people who wonder why; null where none fits. */
  decidingRule(url: string | URL): RobotsRule | null {
    const target = robotsTarget(new URL(url));
    if (target === '/robots.txt') return null;
    return this.rules.find(({ pattern }) => pattern.matches(target)) ?? null;
  }
}

/** The part of a name that groups are found by: the letters, `-` and `_` at its beginning, in lower case. */
export function productTokenOf(name: string): string {
  return /^[a-z_-]*/i.exec(name.trim())?.[0].toLowerCase() ?? '';
}

/** A string of the octets, each a character up to U+00FF. */
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
  for (const [index, line] of octets.split(/\r\n|\r|\n/).entries()) {
    const record = readLine(line);
    if (record === null) continue;
    const { field, value } = record;
    if (field === 'sitemap') {
      sitemaps.push(value);
    } else if (field === 'agent') {
      if (group === null || !isNamingAgents)
        groups.push((group = { agents: new Set(), rules: [], crawlDelaysMs: [] }));
      group.agents.add(/^\*(\s|$)/.test(value) ? '*' : productTokenOf(value));
      isNamingAgents = true;
    } else if (field === 'delay') {
      if (/^\d{1,9}(\.\d*)?$/.test(value)) group?.crawlDelaysMs.push(Number(value) * 1000);
    } else {
      // Other records do not end the naming of agents (RFC 9309, section 2.2.4); rules do, empty ones too.
      isNamingAgents = false;
      if (!/^[/*]/.test(value)) continue;
      group?.rules.push({ allows: field === 'allow', pattern: new RobotsPattern(value), line: index + 1 });
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
    .filter((sitemap) => sitemap !== '' && URL.canParse(sitemap, base))
    .map((sitemap) => new URL(sitemap, base).href)
    .filter((url) => /^https?:/.test(url));
  return [...new Set(urls)];
}
