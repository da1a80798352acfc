import type { HtmlElement, HtmlTree } from './html-tree.js';
import { pageDates, type PageDates } from './page-dates.js';
import type { PageHead } from './page-head.js';
import { renderingReason, type RenderingReason } from './rendering-reason.js';

/** What a crawler needs to know of a page besides its text. Every URL is absolute, http or https, without fragment. */
export interface PageFacts extends PageDates {
  /** Against which the page's links are resolved: its `<base>`, else its own URL. */
  readonly baseUrl: string;
  /** `rel=canonical` of the head; `null` also when the page names two. Whether it is believed is not decided here. */
  readonly canonicalUrl: string | null;
  /** `<meta name="robots">`; what is meant for one robot only does not count. */
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
  /** `<meta http-equiv="refresh">` that leads to another page. */
  readonly refresh: { readonly delaySeconds: number; readonly url: string } | null;
  /** Each URL once, in document order. */
  readonly links: readonly PageLink[];
  /** Whether there were more links to the page's own host than {@link FactOptions.maxLinks}. */
  readonly linksTruncated: boolean;
  readonly feeds: readonly string[];
  readonly sitemaps: readonly string[];
  /** Why the page as it was served has no text yet; `null` when there is nothing to gain from running its scripts. */
  readonly needsRendering: RenderingReason | null;
}

export interface PageLink {
  readonly url: string;
  /** `rel` of all links to this URL has `nofollow`, `ugc` or `sponsored`. */
  readonly nofollow: boolean;
}

export interface FactOptions {
  /** Where the page came from, after redirects. */
  readonly url: string;
  /** Default 10,000. */
  readonly maxLinks?: number;
}

const MAX_LINKS = 10_000;
const MAX_URL_LENGTH = 4_096;
const FEED_TYPES = /^application\/(?:rss\+xml|atom\+xml|feed\+json)\b/i;
/** HTML standard, 4.2.5.3, "shared declarative refresh steps". */
const REFRESH = /^\s*(\d*)(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is;

/** @param tree after it was measured */
export function pageFacts(tree: HtmlTree, head: PageHead, options: FactOptions): PageFacts {
  const baseUrl = resolve(head.base, options.url) ?? options.url;
  const { links, linksTruncated } = linksOf(head.references, {
    baseUrl,
    pageUrl: options.url,
    maxLinks: options.maxLinks ?? MAX_LINKS,
  });
  return {
    baseUrl,
    canonicalUrl: canonicalOf(head.links, baseUrl),
    robots: robotsOf(head.allMeta('robots')),
    refresh: refreshOf(head.allMeta('refresh'), baseUrl, options.url),
    links,
    linksTruncated,
    feeds: addresses(
      head.links,
      baseUrl,
      (link) => hasRel(link, 'alternate') && FEED_TYPES.test(link.attribute('type') ?? ''),
    ),
    sitemaps: addresses(head.links, baseUrl, (link) => hasRel(link, 'sitemap')),
    needsRendering: renderingReason(tree, head),
    ...pageDates(head),
  };
}

/** The canonical URL that the head declares. */
export function canonicalOf(links: readonly HtmlElement[], baseUrl: string | undefined): string | null {
  const declared = addresses(links, baseUrl, (link) => hasRel(link, 'canonical'));
  return declared.length === 1 ? (declared[0] ?? null) : null;
}

function linksOf(
  references: readonly HtmlElement[],
  { baseUrl, pageUrl, maxLinks }: { baseUrl: string; pageUrl: string; maxLinks: number },
): Pick<PageFacts, 'links' | 'linksTruncated'> {
  const byUrl = new Map<string, boolean>();
  const byReference = new Map<string, string | null>();
  const own = twinOrigins(pageUrl);
  const [here, elsewhere] = [{ links: 0 }, { links: 0 }];
  let isTruncated = false;
  for (const element of references) {
    const reference = element.attribute('href') ?? element.attribute('src');
    if (reference === undefined) continue;
    let url = byReference.get(reference);
    if (url === undefined) {
      // Resolving is the costly part of this, and menus repeat themselves.
      url = resolve(reference, baseUrl);
      byReference.set(reference, url);
    }
    if (url === null) continue;
    const nofollow = /\b(?:nofollow|ugc|sponsored)\b/i.test(element.attribute('rel') ?? '');
    const known = byUrl.get(url);
    if (known === undefined) {
      // Links to elsewhere do not take the places of those that may be followed.
      const side = own.some((origin) => url?.startsWith(origin)) ? here : elsewhere;
      isTruncated ||= side === here && here.links >= maxLinks;
      if (side.links >= maxLinks) continue;
      side.links += 1;
    }
    byUrl.set(url, (known ?? true) && nofollow);
  }
  return { links: asLinks(byUrl), linksTruncated: isTruncated };
}

/** Beginnings of the URLs of a page's host, which answers with and without `www.`, and by both schemes. */
function twinOrigins(pageUrl: string): string[] {
  const { host } = new URL(pageUrl);
  const name = host.replace(/^www\./, '');
  return [name, `www.${name}`].flatMap((twin) => [`https://${twin}/`, `http://${twin}/`]);
}

function asLinks(byUrl: ReadonlyMap<string, boolean>): PageLink[] {
  return [...byUrl].map(([url, nofollow]) => ({ url, nofollow }));
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

function addresses(
  links: readonly HtmlElement[],
  baseUrl: string | undefined,
  isWanted: (link: HtmlElement) => boolean,
): string[] {
  const urls = links.filter(isWanted).map((link) => resolve(link.attribute('href'), baseUrl));
  return [...new Set(urls.filter((url) => url !== null))];
}

function hasRel(link: HtmlElement, type: string): boolean {
  return (link.attribute('rel') ?? '').toLowerCase().split(/\s+/).includes(type);
}

function resolve(reference: string | undefined, baseUrl: string | undefined): string | null {
  if (reference === undefined || reference.length > MAX_URL_LENGTH) return null;
  const url = URL.parse(reference, baseUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  url.hash = '';
  return url.href;
}
