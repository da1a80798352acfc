import type { BlobStore } from '@citewell/blob-store';
import {
  BlobRepository,
  type CrawlEnd,
  type CrawlEntity,
  FinishCrawlRepository,
  type Pointer,
  type SkippedUrl,
  type StageProgress,
  type UnconfirmedPage,
  type UnreadSource,
} from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { FaultPoints } from '@citewell/observability';
import { isUnlikely } from '@citewell/sources/removal-check';
import { Inject, Injectable } from '@nestjs/common';
import { pagesLeft } from './crawl-batches.js';
import type { SiteConfig, SiteVisit } from './site-visit.js';

/** What is wrong with a sitemap, by reason. */
const SITEMAP_PROBLEMS: Readonly<Record<string, string>> = {
  PAGE_GONE: 'does not exist',
  NOT_A_SITEMAP: 'is not a sitemap',
  ROBOTS: 'is disallowed by robots.txt',
};

/** Why a site has no page, by the reason that most of its URLs were skipped for. */
const EMPTY_SITE_SENTENCES: Readonly<
  Record<string, (url: string, site: Pick<SiteConfig, 'render'>) => string>
> = {
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

/** Sentences about URLs that have status 200 and are not pages, by reason. */
const NO_PAGE_SENTENCES: Readonly<Record<string, (url: string) => string>> = {
  NOT_FOUND_PAGE: (url) =>
    `The site answers addresses that do not exist, such as ${url}, with a page and status 200. They were left out, and their links were not followed.`,
  REPEATED: (url) =>
    `Many addresses in a row, such as ${url}, have the same text. They were left out, and their links were not followed.`,
};

/** The last step of a crawl. It may be repeated after a crash. */
@Injectable()
export class CrawlFinisher {
  constructor(
    @Inject(FinishCrawlRepository) private readonly crawls: FinishCrawlRepository,
    @Inject(BlobRepository) private readonly blobRows: Pick<BlobRepository, 'forget'>,
    @Inject(BLOB_STORE) private readonly blobStore: Pick<BlobStore, 'delete'>,
    @Inject(FaultPoints) private readonly faults: Pick<FaultPoints, 'reach'>,
  ) {}

  async finish(visit: SiteVisit, crawl: CrawlEntity, progress: StageProgress): Promise<void> {
    const { run, site } = visit;
    const limit = Math.max(0, pagesLeft(crawl, site));
    const isLimitReached = limit === 0 && progress.total > progress.done;
    const unread = await this.crawls.unreadSource(run);
    // Known pages are found beyond any other limit.
    const truncated = isLimitReached ? null : crawl.truncated;
    const problem = unread === null ? truncated : incompleteSentence(unread);
    const isComplete = problem === null && limit > 0;

    const { promoted, pageBehind } = resolvePointers(await this.crawls.pointers(run), {
      isKept: (url) => !isComplete && !isOutOfScope(url, site),
      limit,
    });
    await this.crawls.promote(run, promoted);
    this.faults.reach('before-finish');
    await this.deleteKeptBodies(visit);

    const isEmpty = crawl.pages + crawl.failed + promoted.length === 0;
    const unconfirmed = await this.crawls.unconfirmedPages(run);
    const end = finishCrawl({
      unconfirmed,
      pageBehind,
      newPages: unconfirmed.length === 0 ? new Set() : await this.crawls.newPages(run),
      answering: await this.crawls.answeringPages(run),
      site,
      isLimitReached,
      problem,
      removeMissing: run.removeMissing,
    });
    const skipped = await this.crawls.skippedUrls(run);
    const empty = isEmpty ? whyEmpty(skipped, site) : null;
    const sentences = [end.warning ?? empty, noPageSentence(skipped)].filter((sentence) => sentence !== null);
    await this.crawls.finish(run, { ...end, warning: sentences.join(' ') || null }, progress);
  }

  private async deleteKeptBodies({ run }: SiteVisit): Promise<void> {
    const keys = await this.crawls.keptBodies(run);
    if (keys.length === 0) return;
    await this.blobStore.delete(keys);
    await this.blobRows.forget(keys);
  }
}

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
  /** It is removed, unless the safety check keeps the missing pages. */
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
function isOutOfScope(url: string, { scope, start }: Pick<SiteConfig, 'scope' | 'start'>): boolean {
  return url === start ? scope.isExcluded(url) : scope.refusalOf(url) !== null;
}

/** Says which addresses bring nothing although they answer; null when there are none. */
export function noPageSentence(skipped: readonly SkippedUrl[]): string | null {
  return skipped.flatMap(({ reason, url }) => NO_PAGE_SENTENCES[reason]?.(url) ?? []).join(' ') || null;
}

/** Why a site has no page; null when no reason is known. */
export function whyEmpty(
  skipped: readonly SkippedUrl[],
  site: Pick<SiteConfig, 'render' | 'sitemap'>,
): string | null {
  if (skipped.length === 0 && site.sitemap !== null)
    return 'The sitemap lists no address of the site, or none that include and exclude let in.';
  const [sentence] = skipped.flatMap(({ reason, url }) => EMPTY_SITE_SENTENCES[reason]?.(url, site) ?? []);
  return sentence ?? null;
}

/** Why a crawl is not complete when a sitemap or a page with links could not be read. */
export function incompleteSentence({ url, kind, origin, reason }: UnreadSource): string {
  if (kind === 'sitemap')
    return `The sitemap ${url} ${SITEMAP_PROBLEMS[reason] ?? `could not be read completely (${reason})`}.`;
  if (origin === 'seed') return `The start page ${url} could not be read.`;
  return `The page ${url} could not be read, so pages that only it links to may be missing.`;
}

function maxPagesSentence({ maxPages }: Pick<SiteConfig, 'maxPages'>): string {
  return `The limit of ${maxPages} pages (maxPages) was reached.`;
}

/** @param missing of `total` pages that answered before */
export function safetyCheckSentence(missing: number, total: number): string {
  const [verb, pronoun] = missing === 1 ? ['was', 'It keeps'] : ['were', 'They keep'];
  return `${missing} of ${total} pages ${verb} not found or ${missing === 1 ? 'is' : 'are'} gone. ${pronoun} answering. If the site has really shrunk, sync it with removeMissing.`;
}

/** The page to which a URL resolves; `failed` when it could not be fetched. */
type PageBehind = { readonly url: string } | 'failed';

interface ResolvedPointers {
  /** URLs of canonical and duplicate pages that become pages after all, in order. */
  readonly promoted: readonly string[];
  /** By URL. Those that are promoted or resolve to no page are absent. */
  readonly pageBehind: ReadonlyMap<string, PageBehind>;
}

/**
 * Follows redirects, canonical links and duplicates to the page behind them. Where there is none, the last canonical or
 * duplicate page of the chain becomes a page itself, unless a page has its text; of pages that name each other, the
 * first.
 *
 * @param pointers existing pages first, then by order of discovery
 * @param isKept whether a page that was not fetched stays, so that no duplicate takes its place
 * @param limit most pages that may be promoted; the others count as `failed`
 */
export function resolvePointers(
  pointers: readonly Pointer[],
  { isKept, limit }: { readonly isKept: (url: string) => boolean; readonly limit: number },
): ResolvedPointers {
  const byUrl = new Map(pointers.map((pointer) => [pointer.url, pointer]));
  const order = new Map(pointers.map(({ url }, index) => [url, index]));
  const promoted = new Set<string>();
  /** Promoted pages by the hash of their text. */
  const promotedByText = new Map<string | null, string>();
  /** Pages with the text of pointers that would become pages themselves. */
  const ownerOf = new Map<string, string>();

  /** The page behind a pointer, and the pointers on the way: in a circle, those of the circle last. */
  const follow = (start: Pointer): { page: PageBehind | null; chain: Pointer[]; circle: Pointer[] } => {
    const chain: Pointer[] = [];
    for (let pointer = start; ;) {
      const page = promoted.has(pointer.url) ? pointer.url : ownerOf.get(pointer.url);
      if (page !== undefined) return { page: { url: page }, chain, circle: [] };
      if (chain.includes(pointer))
        return { page: 'failed', chain, circle: chain.slice(chain.indexOf(pointer)) };
      chain.push(pointer);
      const next = pointer.targetState === 'pointer' ? byUrl.get(pointer.target) : undefined;
      if (next === undefined) return { page: pageAt(pointer, isKept), chain, circle: [] };
      pointer = next;
    }
  };

  for (const pointer of pointers) {
    const { page, chain, circle } = follow(pointer);
    if (page !== null && page !== 'failed') continue;
    const [first] = circle
      .filter(({ outcome }) => outcome !== 'redirect')
      .toSorted((a, b) => (order.get(a.url) ?? 0) - (order.get(b.url) ?? 0));
    const becomesPage = first ?? chain.findLast(({ outcome }) => outcome !== 'redirect');
    if (becomesPage === undefined) continue;
    const { url, textHash, textOwner } = becomesPage;
    const owner = textOwner ?? promotedByText.get(textHash);
    if (owner !== undefined) {
      ownerOf.set(url, owner);
      continue;
    }
    promoted.add(url);
    promotedByText.set(textHash, url);
  }
  const pageBehind = new Map<string, PageBehind>();
  for (const pointer of pointers) {
    const { page } = promoted.has(pointer.url) ? { page: null } : follow(pointer);
    if (page !== null) pageBehind.set(pointer.url, page);
  }
  for (const url of [...promoted].slice(limit)) pageBehind.set(url, 'failed');
  return { promoted: [...promoted].slice(0, limit), pageBehind };
}

function pageAt(
  { outcome, target, targetState }: Pointer,
  isKept: (url: string) => boolean,
): PageBehind | null {
  switch (targetState) {
    case 'page':
      return { url: target };
    case 'failed':
      return 'failed';
    case 'unfetched':
      if (outcome !== 'duplicate') return 'failed';
      return isKept(target) ? { url: target } : null;
    case 'pointer':
    case 'none':
      return null;
  }
}
