import { isDeepStrictEqual } from 'node:util';
import type { Config } from '@citewell/config';
import { IngestionError } from '@citewell/contracts/errors';
import { MAX_URL_LENGTH } from '@citewell/contracts/schemas';
import { type CrawlEntity, CrawlRepository, type FoundUrl } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import type { StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import { normalizeUrl, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { RobotsService } from '../fetching/robots.service.js';
import { codeOf, SiteSession } from '../fetching/url-fetcher.js';
import { SiteRendering } from '../page/site-rendering.js';
import { type SiteConfig, siteConfigOf, type SiteVisit } from './site-visit.js';
import { NotFoundPages } from './not-found-pages.js';

/** Where a sitemap is looked for if none is named. */
const USUAL_PATHS = ['/sitemap.xml', '/sitemap_index.xml'];
/** Sitemaps that a robots.txt may name. */
const MAX_NAMED = 1_000;
/** Crawls whose memories are kept between time slices. */
const MAX_MEMORIES = 100;

/** What a crawl remembers between its time slices in one process. In another one it begins anew. */
type CrawlMemory = Required<Pick<SiteVisit, 'session' | 'notFoundPages' | 'rendering'>>;

/** Begins crawls: puts into the frontier what pages are discovered from. */
@Injectable()
export class CrawlStart {
  private readonly memories = new Map<string, CrawlMemory>();

  constructor(
    @Inject(RobotsService) private readonly robots: Pick<RobotsService, 'answerFor'>,
    @Inject(CrawlRepository)
    private readonly crawls: Pick<
      CrawlRepository,
      'find' | 'previous' | 'begin' | 'enqueue' | 'enqueueUnlistedPages'
    >,
    @Inject(FaultPoints) private readonly faults: Pick<FaultPoints, 'reach'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_USER_AGENT' | 'RENDER_MS_PER_CRAWL'>,
  ) {}

  /**
   * Begins the crawl of a run, or returns the one that was begun. Its configuration is the site's at the beginning.
   *
   * @throws IngestionError `FETCH_FAILED` if robots.txt cannot be read, `ADDRESS_BLOCKED`
   */
  async begin({
    run,
    datasource,
    signal,
  }: Pick<StageWork, 'run' | 'datasource' | 'signal'>): Promise<{ crawl: CrawlEntity; visit: SiteVisit }> {
    const begun = await this.crawls.find(run);
    const site = siteConfigOf(begun ?? datasource);
    const crawl =
      begun ??
      (await this.crawls.begin(run, {
        config: datasource.config,
        seeds: await this.seedsOf(site, signal),
        maxPages: site.maxPages,
      }));
    this.faults.reach('after-seeds');
    const previous = await this.crawls.previous(run);
    const isReconfigured = previous !== null && !isDeepStrictEqual(previous.config, crawl.config);
    return { crawl, visit: { run, site, isReconfigured, ...this.memoryOf(run), signal } };
  }

  /**
   * When everything in the frontier was fetched: the site's start, if no sitemap listed a page; the pages of earlier
   * crawls, if the site is led by a feed.
   *
   * @returns the crawl with its new counters; null when no URL was added
   */
  async enqueueMore({ run, site }: SiteVisit, crawl: CrawlEntity): Promise<CrawlEntity | null> {
    const start = startOf(site);
    if (crawl.found === 0 && start !== null) await this.crawls.enqueue(run, [start], site.maxPages);
    else await this.crawls.enqueueUnlistedPages(run);
    const extended = await this.crawls.find(run);
    return extended !== null && extended.found > crawl.found ? extended : null;
  }

  /**
   * The configured sitemap; else those that robots.txt names; else those at the usual paths.
   *
   * @throws as {@link begin}
   */
  async seedsOf({ start, sitemap }: SiteConfig, signal: AbortSignal): Promise<FoundUrl[]> {
    const home = sitemap ?? start ?? '';
    const { robots, problem } = await this.robotsOf(home, signal);
    if (problem !== null && !robots.rulesFor(this.config.CRAWL_USER_AGENT).allows(home))
      throw new IngestionError('FETCH_FAILED', { detail: problem });
    if (sitemap !== null) return [sitemapAt(sitemap, 'seed')];
    const named = robots.sitemaps
      .map((url) => normalizeUrl(url))
      .filter((url) => url !== null)
      .filter((url) => url.length <= MAX_URL_LENGTH)
      .slice(0, MAX_NAMED);
    if (named.length > 0) return named.map((url) => sitemapAt(url, 'sitemap'));
    return USUAL_PATHS.map((path) => sitemapAt(new URL(path, home).href, 'reference'));
  }

  /** Drops the memory of a crawl that is finished. */
  forget({ run }: Pick<SiteVisit, 'run'>): void {
    this.memories.delete(run.id);
  }

  private memoryOf({ id }: StageWork['run']): CrawlMemory {
    const memory = this.memories.get(id) ?? {
      session: new SiteSession(),
      notFoundPages: new NotFoundPages(),
      rendering: new SiteRendering(this.config.RENDER_MS_PER_CRAWL),
    };
    this.memories.delete(id);
    this.memories.set(id, memory);
    const [oldest] = this.memories.keys();
    if (this.memories.size > MAX_MEMORIES && oldest !== undefined) this.memories.delete(oldest);
    return memory;
  }

  private async robotsOf(url: string, signal: AbortSignal) {
    try {
      return await this.robots.answerFor(url, signal, { refresh: true });
    } catch (error) {
      if (!(error instanceof WebFetchError)) throw error;
      throw new IngestionError(codeOf(error), { cause: error, detail: error.userMessage });
    }
  }
}

/** Where links are followed from; null if a sitemap is configured. */
function startOf({ start, sitemap }: SiteConfig): FoundUrl | null {
  return start === null || sitemap !== null ? null : { url: start, kind: 'page', origin: 'seed', depth: 0 };
}

function sitemapAt(url: string, origin: FoundUrl['origin']): FoundUrl {
  return { url, kind: 'sitemap', origin, depth: 0 };
}
