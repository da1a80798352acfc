import type { LeftOut, UnreadUrl } from '@citewell/database';
import type { LinkFilter } from './link-filter.js';
import type { SiteConfig } from './site-config.js';

/** What is wrong with a sitemap, by its reason. */
const WRONG_SITEMAPS: Readonly<Record<string, string>> = {
  PAGE_GONE: 'is not there',
  NOT_A_SITEMAP: 'is no sitemap',
  ROBOTS: 'may not be fetched, as robots.txt says',
};

/** Why URLs are no pages, by the reason, with one of them. */
const WHY_NONE: Readonly<Record<string, (url: string, site: SiteConfig) => string>> = {
  NOT_A_PAGE: (url) => `${url} is a sitemap or a feed, and no page. Give it as sitemap.`,
  EXCLUDED: (url) =>
    `What was found, such as ${url}, is left out by include and exclude. All that is below /docs is /docs/**.`,
  NOINDEX: (url) => `What was found, such as ${url}, asks not to be indexed.`,
  ROBOTS: (url) => `The robots.txt asks not to fetch what was found, such as ${url}.`,
  EMPTY: (url, { render }) =>
    `What was found, such as ${url}, has no text${render === 'never' ? ' without a browser, and render is never' : ''}.`,
  GONE: (url) => `What was found, such as ${url}, is not there.`,
  REDIRECT_AWAY: (url) =>
    `What was found, such as ${url}, leads to another host. Add the site under that address.`,
  UNSUPPORTED: (url) => `What was found, such as ${url}, is of no type that can be read.`,
};

/** Why a site has no page; null where there is nothing to say beside that. */
export function whyEmpty(leftOut: readonly LeftOut[], site: SiteConfig): string | null {
  if (leftOut.length === 0 && site.sitemap !== null)
    return 'The sitemap lists no address of the site, or none that include and exclude let in.';
  const [why] = leftOut.flatMap(({ reason, url }) => WHY_NONE[reason]?.(url, site) ?? []);
  return why ?? null;
}

/** Why the crawl has not got to everything, where something that leads to others could not be read. */
export function sentenceOn(unread: UnreadUrl): string {
  const { url, kind, origin, reason } = unread;
  if (kind === 'sitemap')
    return `The sitemap ${url} ${WRONG_SITEMAPS[reason] ?? `could not be read to its end (${reason})`}.`;
  if (origin === 'seed') return `The page that the site starts with, ${url}, could not be read.`;
  return `What only ${url} leads to may be missing: it could not be read.`;
}

export function tooManyUrls({ maxUrls }: SiteConfig): string {
  return `More than ${maxUrls} addresses were found; raise maxPages to look at more.`;
}

/** What the site leaves out, though the crawl be complete. */
export function noticeOf({ oneTooMany, oneReadInPart }: LinkFilter): string | null {
  if (oneTooMany !== null)
    return `There are more addresses like ${oneTooMany} than are followed. Give a sitemap, or exclude them.`;
  return oneReadInPart && `The page ${oneReadInPart} has more links than are followed. Give a sitemap.`;
}

export function tooManyPages({ maxPages }: SiteConfig): string {
  return `The limit of ${maxPages} pages (maxPages) was reached.`;
}

export const CONFIGURED_ANEW = 'It was configured anew while it was crawled.';

/** @param pages that are still there, though nothing leads to them any more */
export function manyAreLost(pages: number): string {
  return pages === 1
    ? 'Nothing leads to 1 page any more. It stays until a sync finds the same an hour later.'
    : `Nothing leads to ${pages} pages any more. They stay until a sync finds the same an hour later.`;
}
