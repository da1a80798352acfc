import type { CrawlEnd, UnconfirmedPage } from '@citewell/database';
import type { PageBehind } from './resolve-pointers.js';
import type { SiteConfig } from './site-config.js';
import { maxPagesSentence, safetyCheckSentence } from './site-sentences.js';

/** What a crawl has found, when nothing is left to fetch. */
export interface FinishedCrawl {
  /** Pages of the site that the crawl has not found to be pages, by order of discovery. */
  readonly unconfirmed: readonly UnconfirmedPage[];
  /** The page behind each URL that names another one. */
  readonly pageBehind: ReadonlyMap<string, PageBehind>;
  /** URLs of the pages that this crawl has added. */
  readonly newPages: ReadonlySet<string>;
  /** Pages that answered before this crawl. */
  readonly answering: number;
  readonly site: Pick<SiteConfig, 'scope' | 'start' | 'maxPages'>;
  /** Whether URLs were left because the site has `maxPages` pages. */
  readonly isLimitReached: boolean;
  /** Why the crawl has not found everything; null when it has. */
  readonly problem: string | null;
  /** Whether the user asked to skip the safety check. */
  readonly removeMissing: boolean;
}

type Fate =
  /** It stays as it is. */
  | 'kept'
  /** It is removed in any case. */
  | 'removed'
  /** It is removed unless so many are that the safety check keeps them. */
  | 'missing';

/**
 * Decides which pages of a site are removed at the end of a crawl, and what the user reads about it. Makes no request
 * and reads no state but its argument.
 */
export function finishCrawl(crawl: FinishedCrawl): CrawlEnd {
  const takenTargets = new Set<string>();
  const fates = crawl.unconfirmed.map((page) => ({ page, fate: fateOf(page, crawl, takenTargets) }));
  const of = (fate: Fate): UnconfirmedPage[] =>
    fates.filter((one) => one.fate === fate).map(({ page }) => page);
  const missing = of('missing').filter(({ answers }) => answers);
  const outOfScope = fates.filter(({ page }) => page.answers && isOutOfScope(page.url, crawl.site)).length;
  const total = crawl.answering - outOfScope;
  const isTripped = !crawl.removeMissing && isUnlikely(missing.length, total);
  const gone = isTripped ? of('missing').filter(({ answers }) => !answers) : of('missing');
  const isListed = ({ isProcessed, outcome }: UnconfirmedPage): boolean =>
    isProcessed && outcome === 'failed';
  return {
    remove: [...of('removed'), ...gone.filter((page) => !isListed(page))].map(({ pageId }) => pageId),
    withdraw: gone.filter(isListed).map(({ pageId }) => pageId),
    warning:
      (isTripped ? safetyCheckSentence(missing.length, total) : null) ??
      (crawl.isLimitReached ? maxPagesSentence(crawl.site) : crawl.problem),
  };
}

/**
 * Whether so many pages are missing that an outage of the server is more likely: at least 10 and a quarter of the site,
 * at least 3 and more than half of it, or all of them.
 */
function isUnlikely(missing: number, total: number): boolean {
  if (missing === 0) return false;
  return (missing >= 10 && missing * 4 >= total) || (missing >= 3 && missing * 2 > total) || missing >= total;
}

function fateOf(page: UnconfirmedPage, crawl: FinishedCrawl, takenTargets: Set<string>): Fate {
  if (isOutOfScope(page.url, crawl.site)) return 'removed';
  const isGone = page.outcome !== 'failed' || page.reason === 'PAGE_GONE';
  if (page.isRetried || (page.isProcessed && !isGone)) return 'kept';
  if (!page.isProcessed && page.isFound && crawl.isLimitReached) return 'removed';
  if (!page.isProcessed && crawl.problem !== null) return 'kept';
  const behind = crawl.pageBehind.get(page.url);
  if (page.isProcessed && behind === 'failed') return 'kept';
  // Its text is a page, but its last content is not: one maintenance page for every URL looks like this.
  if (page.isProcessed && page.outcome === 'duplicate') return 'missing';
  // It has moved to a new page. Others that lead to the same page, or to one that was there before, are gone: a login
  // page takes the place of one page, however many syncs find it.
  const target =
    page.isProcessed && behind !== undefined && behind !== 'failed' ? behind.url : page.sameTextUrl;
  if (target === null || !crawl.newPages.has(target) || takenTargets.has(target)) return 'missing';
  takenTargets.add(target);
  return 'removed';
}

/** Whether the configuration leaves a page out. */
export function isOutOfScope(url: string, { scope, start }: Pick<SiteConfig, 'scope' | 'start'>): boolean {
  return url === start ? scope.isExcluded(url) : scope.refusalOf(url) !== null;
}
