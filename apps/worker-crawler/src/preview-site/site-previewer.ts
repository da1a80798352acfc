import type { Config } from '@citewell/config';
import { datasourceErrorOf, IngestionError } from '@citewell/contracts/errors';
import type { PreviewedPage, SitePreview } from '@citewell/contracts/schemas';
import type { FoundUrl, FrontierUrl } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { RetryLaterError } from '@citewell/ingestion';
import { Inject, Injectable } from '@nestjs/common';
import { CrawlStart } from '../crawl-site/crawl-start.js';
import { type SiteConfig, siteConfigOf } from '../crawl-site/site-visit.js';
import { SitemapVisitor } from '../crawl-site/sitemap-visitor.js';
import { LargeBodies, SiteSession } from '../fetching/url-fetcher.js';
import { RobotsService } from '../fetching/robots.service.js';
import { discoverLinks, isFollowed } from '../page/discover-links.js';
import { PageLoader } from '../page/page-loader.js';
import { SiteRendering } from '../page/site-rendering.js';

const MAX_PAGES = 10;
const MAX_LEFT_OUT = 20;
const MAX_REQUESTS = 15;

/** The first URLs of a site, with the configured scope and with one without patterns. */
interface Walk {
  readonly site: SiteConfig;
  readonly unfiltered: SiteConfig;
  readonly frontier: FoundUrl[];
  readonly known: Set<string>;
  readonly pages: PreviewedPage[];
  readonly session: SiteSession;
  readonly rendering: SiteRendering;
  readonly signal: AbortSignal;
}

/** Discovers the first pages of a site as a crawl does, in memory. */
@Injectable()
export class SitePreviewer {
  constructor(
    @Inject(CrawlStart) private readonly start: Pick<CrawlStart, 'seedsOf'>,
    @Inject(SitemapVisitor) private readonly sitemaps: Pick<SitemapVisitor, 'visit'>,
    @Inject(PageLoader) private readonly loader: Pick<PageLoader, 'load'>,
    @Inject(RobotsService) private readonly robots: Pick<RobotsService, 'rulesFor'>,
    @Inject(LargeBodies) private readonly bodies: Pick<LargeBodies, 'during'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_USER_AGENT'>,
  ) {}

  /** @param signal ends the preview; what was found until then is returned */
  async preview(config: Record<string, unknown>, signal: AbortSignal): Promise<SitePreview> {
    const { include: _include, exclude: _exclude, ...others } = config;
    const walk: Walk = {
      site: siteConfigOf({ config }),
      unfiltered: siteConfigOf({ config: others }),
      frontier: [],
      known: new Set(),
      pages: [],
      session: new SiteSession(),
      rendering: new SiteRendering(),
      signal,
    };
    try {
      const error = await this.walk(walk);
      const isComplete = isFull(walk) || walk.frontier.length === 0;
      return { pages: walk.pages, isComplete, error: walk.pages.length > 0 ? null : error };
    } catch (error) {
      const { pages } = walk;
      if (error instanceof IngestionError)
        return { pages, isComplete: false, error: datasourceErrorOf(error).message };
      // The time is over, or the host asks for a pause.
      if (signal.aborted || error instanceof RetryLaterError)
        return { pages, isComplete: false, error: null };
      throw error;
    }
  }

  /** @returns why the last URL could not be read, as a sentence */
  private async walk(walk: Walk): Promise<string | null> {
    const { site, frontier, signal } = walk;
    frontier.push(...(await this.start.seedsOf(site, signal)));
    let error: string | null = null;
    for (let requests = 0; requests < MAX_REQUESTS && !isFull(walk); requests += 1) {
      const isUnlisted = frontier.length === 0 && walk.known.size === 0;
      if (isUnlisted && site.start !== null && site.sitemap === null)
        await this.add(walk, { url: site.start, kind: 'page', origin: 'seed', depth: 0 });
      const url = frontier.shift();
      if (url === undefined) break;
      error = url.kind === 'sitemap' ? await this.readSitemap(walk, url) : await this.readPage(walk, url);
    }
    return error;
  }

  private async readSitemap(walk: Walk, url: FoundUrl): Promise<string | null> {
    const visit = { site: walk.unfiltered, session: walk.session, signal: walk.signal };
    const outcome = await this.bodies.during(walk.signal, async (reserve) =>
      (await this.sitemaps.visit(asFrontierUrl(url), visit, reserve)).conclude(null),
    );
    for (const found of outcome.found) if (!isFull(walk)) await this.add(walk, found);
    return url.origin === 'seed' && outcome.found.length === 0
      ? 'The sitemap lists no page of the site.'
      : null;
  }

  private async readPage(walk: Walk, url: FoundUrl): Promise<string | null> {
    const { unfiltered, site, session, rendering, signal } = walk;
    const response = await this.bodies.during(signal, (reserve) =>
      this.loader.load(url.url, {
        render: site.render,
        answers: false,
        allows: (address) => !site.scope.isExcluded(address),
        reserveLargeBody: reserve,
        session,
        rendering,
        signal,
      }),
    );
    if (response.kind === 'error') {
      this.remove(walk, url);
      return response.error.userMessage;
    }
    if (response.kind === 'redirect') {
      this.remove(walk, url);
      const { target } = response;
      if (target !== null && unfiltered.scope.refusalOf(target) === null)
        await this.add(walk, { ...url, url: target });
      return null;
    }
    if (response.kind !== 'html') return null;
    const rules = { scope: unfiltered.scope, userAgent: this.config.CRAWL_USER_AGENT };
    for (const link of await discoverLinks(url, response.page, response.answer.robotsTags, rules, signal))
      if (!isFull(walk)) await this.add(walk, link);
    return null;
  }

  private async add({ site, frontier, known, pages, signal }: Walk, found: FoundUrl): Promise<void> {
    const key = `${found.kind} ${found.url}`;
    if (known.has(key)) return;
    if (found.kind === 'sitemap') {
      frontier.push(found);
      return;
    }
    known.add(key);
    const leftOut = await this.reasonAgainst(found, site, signal);
    pages.push({ url: found.url, leftOut });
    // A crawl follows the links of its start even if the patterns exclude it.
    if (leftOut !== 'ROBOTS' && (leftOut === null || found.origin === 'seed') && isFollowed(found))
      frontier.push(found);
  }

  private remove({ pages }: Walk, { url }: FoundUrl): void {
    const index = pages.findIndex((page) => page.url === url);
    if (index >= 0) pages.splice(index, 1);
  }

  private async reasonAgainst(
    { url, depth }: FoundUrl,
    { scope }: SiteConfig,
    signal: AbortSignal,
  ): Promise<PreviewedPage['leftOut']> {
    const refusal = scope.refusalOf(url, depth);
    if (refusal === 'EXCLUDED' || refusal === 'NOT_INCLUDED') return refusal;
    const { rules } = await this.robots.rulesFor(url, signal);
    return rules.allows(url) ? null : 'ROBOTS';
  }
}

function isFull({ pages, site }: Walk): boolean {
  const fetched = pages.filter(({ leftOut }) => leftOut === null).length;
  return fetched >= Math.min(MAX_PAGES, site.maxPages) || pages.length - fetched >= MAX_LEFT_OUT;
}

function asFrontierUrl(found: FoundUrl): FrontierUrl {
  return { ...found, hops: 0, attempts: 0, hasOutlinks: false, pageId: null, serving: null };
}
