import type { HtmlElement, HtmlTree } from './html-tree.js';
import type { PageHead } from './page-head.js';
import { onlyEmbedOf } from './embedded-documents.js';
import { renderingNeed, type RenderingReason, textOutsideMenus } from './rendering-reason.js';

/**
 * What a crawler needs to know about a page besides its text. All URLs are absolute http(s) URLs without
 * fragment.
 */
export interface PageFacts extends PageDates {
  /** The URL against which links are resolved: that of `<base>`, else the page's own. */
  readonly baseUrl: string;
  /** `rel=canonical` of the head, not validated; `null` when there is none or more than one. */
  readonly canonicalUrl: string | null;
  /** `<meta name="robots">`; directives for a single robot are ignored. */
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
  /** `<meta http-equiv="refresh">`, or the header `Refresh`, to another page. */
  readonly refresh: { readonly delaySeconds: number; readonly url: string } | null;
  /** Distinct URLs in document order. */
  readonly links: readonly PageLink[];
  /** Whether the page has more than {@link FactOptions.maxLinks} links to its own host. */
  readonly linksTruncated: boolean;
  /** The page of the same host that a page with hardly any text of its own embeds, and where; see `embedDocument`. */
  readonly embedded: { readonly url: string; readonly offset: number } | null;
  /** Why the page may need its scripts to show text; `null` when it does not. */
  readonly needsRendering: RenderingReason | null;
  /** Whether the page has no text of its own, such as a loading screen. */
  readonly isShell: boolean;
  /** Addresses of the scripts, without queries, in document order; '' for a script without one. */
  readonly scripts: readonly string[];
}

export interface PageLink {
  readonly url: string;
  /** Whether all links to this URL have `nofollow`, `ugc` or `sponsored` in `rel`. */
  readonly nofollow: boolean;
}

export interface FactOptions {
  /** The page's URL after redirects. */
  readonly url: string;
  /** The header `Refresh` of the response. */
  readonly refreshHeader?: string;
  /** Limit of links to the page's own host, and separately of links to other hosts. Default 10,000. */
  readonly maxLinks?: number;
}

const MAX_LINKS = 10_000;
const MAX_URL_LENGTH = 4_096;
/** HTML standard, 4.2.5.3, "shared declarative refresh steps". */
const REFRESH = /^\s*(\d*)(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is;

/** @param tree a measured tree, see {@link measurePage} */
export function pageFacts(tree: HtmlTree, head: PageHead, options: FactOptions): PageFacts {
  const baseUrl = resolve(head.base, options.url) ?? options.url;
  const { links, linksTruncated } = linksOf(head.references, {
    baseUrl,
    pageUrl: options.url,
    maxLinks: options.maxLinks ?? MAX_LINKS,
  });
  const { reason, isShell } = renderingNeed(tree, head);
  return {
    baseUrl,
    canonicalUrl: canonicalOf(head.links, baseUrl),
    robots: robotsOf(head.allMeta('robots')),
    refresh: refreshOf(
      [options.refreshHeader ?? [], ...head.allMeta('refresh')].flat(),
      baseUrl,
      options.url,
    ),
    links,
    linksTruncated,
    embedded: embeddedIn(tree, baseUrl, options.url),
    needsRendering: reason,
    isShell,
    scripts: head.scripts.map((source) => (source && resolve(source, baseUrl)?.split('?', 1)[0]) ?? ''),
    ...pageDates(head),
  };
}

/** The canonical URL declared in the head; `null` when there is none or more than one. */
export function canonicalOf(links: readonly HtmlElement[], baseUrl: string | undefined): string | null {
  const urls = links
    .filter((link) => /(?:^|\s)canonical(?:\s|$)/i.test(link.attribute('rel') ?? ''))
    .flatMap((link) => resolve(link.attribute('href'), baseUrl) ?? []);
  const [declared] = urls;
  return declared === undefined || urls.some((url) => url !== declared) ? null : declared;
}

function linksOf(
  references: readonly HtmlElement[],
  { baseUrl, pageUrl, maxLinks }: { baseUrl: string; pageUrl: string; maxLinks: number },
): Pick<PageFacts, 'links' | 'linksTruncated'> {
  const byUrl = new Map<string, boolean>();
  const byReference = new Map<string, string | null>();
  const own = siteOrigins(pageUrl);
  const [internal, external] = [{ links: 0 }, { links: 0 }];
  let isTruncated = false;
  for (const element of references) {
    const reference = element.attribute('href') ?? element.attribute('src') ?? element.attribute('data');
    if (reference === undefined) continue;
    let url = byReference.get(reference);
    if (url === undefined) {
      // Cached, because resolving is expensive and menus repeat links.
      url = resolve(reference, baseUrl);
      byReference.set(reference, url);
    }
    if (url === null) continue;
    const nofollow = /\b(?:nofollow|ugc|sponsored)\b/i.test(element.attribute('rel') ?? '');
    const known = byUrl.get(url);
    if (known === undefined) {
      // Counted separately, so that external links do not displace links to pages of the site.
      const side = own.some((origin) => url?.startsWith(origin)) ? internal : external;
      isTruncated ||= side === internal && internal.links >= maxLinks;
      if (side.links >= maxLinks) continue;
      side.links += 1;
    }
    byUrl.set(url, (known ?? true) && nofollow);
  }
  const links = [...byUrl].map(([url, nofollow]) => ({ url, nofollow }));
  return { links, linksTruncated: isTruncated };
}

function embeddedIn(tree: HtmlTree, baseUrl: string, pageUrl: string): PageFacts['embedded'] {
  if (tree.embeds.length === 0 || textOutsideMenus(tree.body) === null) return null;
  const own = siteOrigins(pageUrl);
  const page = resolve(pageUrl, pageUrl);
  const found = onlyEmbedOf(tree, (reference) => {
    const url = resolve(reference, baseUrl);
    return url !== null && url !== page && own.some((origin) => url.startsWith(origin)) ? url : null;
  });
  return found ?? null;
}

/** URL prefixes of the page's site: its host with and without `www.`, with http and https. */
function siteOrigins(pageUrl: string): string[] {
  const { host } = new URL(pageUrl);
  const name = host.replace(/^www\./, '');
  return [name, `www.${name}`].flatMap((alias) => [`https://${alias}/`, `http://${alias}/`]);
}

function robotsOf(contents: readonly string[]): PageFacts['robots'] {
  const directives = new Set(contents.flatMap((content) => content.toLowerCase().split(/[\s,]+/)));
  const none = directives.has('none');
  return { noindex: none || directives.has('noindex'), nofollow: none || directives.has('nofollow') };
}

function refreshOf(contents: readonly string[], baseUrl: string, pageUrl: string): PageFacts['refresh'] {
  const match = REFRESH.exec(contents[0] ?? '');
  const target = match?.[2] ?? match?.[3] ?? match?.[4];
  const url = target === undefined || target.trim() === '' ? null : resolve(target, baseUrl);
  if (match === null || url === null || url === resolve(pageUrl, pageUrl)) return null;
  return { delaySeconds: Number(match[1] ?? 0), url };
}

function resolve(reference: string | undefined, baseUrl: string | undefined): string | null {
  if (reference === undefined || reference.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(reference, baseUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  url.hash = '';
  return url.href;
}

/** The dates that a page declares, as ISO 8601 in UTC; `null` when there is no valid one. */
interface PageDates {
  readonly publishedAt: string | null;
  readonly modifiedAt: string | null;
}

export function pageDates(head: PageHead): PageDates {
  const published =
    'article:published_time datepublished og:published_time dcterms.created dc.date.issued date pubdate parsely-pub-date';
  const modified =
    'article:modified_time datemodified og:updated_time dcterms.modified last-modified lastmod revised';
  return {
    publishedAt: dateOf(head, published, 'datePublished'),
    modifiedAt: dateOf(head, modified, 'dateModified'),
  };
}

const STRUCTURED_DATE = {
  datePublished: /"datePublished"\s*:\s*"([^"]{4,40})"/,
  dateModified: /"dateModified"\s*:\s*"([^"]{4,40})"/,
};

/** A date of the metas of these names, else of JSON-LD or of an element with the property. */
function dateOf(head: PageHead, metas: string, property: keyof typeof STRUCTURED_DATE): string | null {
  return firstDate([
    ...metas.split(' ').flatMap((name) => head.meta(name) ?? []),
    // Without parsing JSON-LD.
    ...head.structuredData.flatMap((text) => STRUCTURED_DATE[property].exec(text)?.[1] ?? []),
    ...head.times
      .filter((time) => time.attribute('itemprop')?.split(/\s+/).includes(property))
      .flatMap((time) => time.attribute('datetime') ?? []),
  ]);
}

function firstDate(candidates: readonly string[]): string | null {
  for (const candidate of candidates) {
    // `Date` parses ISO 8601 and RFC 2822, but also accepts `5`: require a year.
    if (!/\d{4}/.test(candidate)) continue;
    const date = new Date(candidate.trim());
    if (!Number.isNaN(date.getTime())) return date.toISOString();
  }
  return null;
}
