import type { SkippedUrl, UnreadSource } from '@citewell/database';
import type { SiteConfig } from './site-config.js';

/** What is wrong with a sitemap, by reason. */
const SITEMAP_PROBLEMS: Readonly<Record<string, string>> = {
  PAGE_GONE: 'does not exist',
  NOT_A_SITEMAP: 'is not a sitemap',
  ROBOTS: 'is disallowed by robots.txt',
};

/** Why a site has no page, by the reason that most of its URLs were skipped for. */
const WHY_EMPTY: Readonly<Record<string, (url: string, site: Pick<SiteConfig, 'render'>) => string>> = {
  NOT_A_PAGE: (url) => `${url} is a sitemap or a feed, not a page. Give it as sitemap.`,
  EXCLUDED: (url) =>
    `All addresses, such as ${url}, are left out by include and exclude. The pattern /docs/** stands for everything below /docs.`,
  NOINDEX: (url) => `The pages, such as ${url}, ask not to be indexed (noindex).`,
  ROBOTS: (url) => `The robots.txt of the site disallows its pages, such as ${url}.`,
  EMPTY: (url, { render }) =>
    render === 'never'
      ? `The pages, such as ${url}, have no text without a browser. Set render to auto.`
      : `The pages, such as ${url}, have no text.`,
  GONE: (url) => `The pages, such as ${url}, do not exist.`,
  REDIRECT: (url) => `The pages, such as ${url}, redirect to another site. Add the site under that address.`,
  UNSUPPORTED: (url) => `The addresses, such as ${url}, are files of a type that is not supported.`,
};

/** What is said about addresses that were answered with a page and are none, by reason. */
const NO_PAGES: Readonly<Record<string, (url: string) => string>> = {
  NOT_FOUND_PAGE: (url) =>
    `The site answers addresses that do not exist, such as ${url}, with a page and status 200. They were left out, and their links were not followed.`,
  REPEATED: (url) =>
    `Many addresses in a row, such as ${url}, have the same text. They were left out, and their links were not followed.`,
};

/** Says which addresses bring nothing although they answer; null when there are none. */
export function noPageSentence(skipped: readonly SkippedUrl[]): string | null {
  return skipped.flatMap(({ reason, url }) => NO_PAGES[reason]?.(url) ?? []).join(' ') || null;
}

/** Why a site has no page; null when no reason is known. */
export function whyEmpty(
  skipped: readonly SkippedUrl[],
  site: Pick<SiteConfig, 'render' | 'sitemap'>,
): string | null {
  if (skipped.length === 0 && site.sitemap !== null)
    return 'The sitemap lists no address of the site, or none that include and exclude let in.';
  const [sentence] = skipped.flatMap(({ reason, url }) => WHY_EMPTY[reason]?.(url, site) ?? []);
  return sentence ?? null;
}

/** Why a crawl is not complete when something that leads to other pages could not be read. */
export function incompleteSentence({ url, kind, origin, reason }: UnreadSource): string {
  if (kind === 'sitemap')
    return `The sitemap ${url} ${SITEMAP_PROBLEMS[reason] ?? `could not be read completely (${reason})`}.`;
  if (origin === 'seed') return `The start page ${url} could not be read.`;
  return `The page ${url} could not be read, so pages that only it links to may be missing.`;
}

export function maxPagesSentence({ maxPages }: Pick<SiteConfig, 'maxPages'>): string {
  return `The limit of ${maxPages} pages (maxPages) was reached.`;
}

/** @param missing of `total` pages that answered before */
export function safetyCheckSentence(missing: number, total: number): string {
  const [verb, pronoun] = missing === 1 ? ['was', 'It keeps'] : ['were', 'They keep'];
  return `${missing} of ${total} pages ${verb} not found or ${missing === 1 ? 'is' : 'are'} gone. ${pronoun} answering. If the site has really shrunk, sync it with removeMissing.`;
}
