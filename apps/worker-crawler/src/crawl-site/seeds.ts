import type { Config } from '@citewell/config';
import { IngestionError } from '@citewell/contracts/errors';
import { MAX_URL_LENGTH } from '@citewell/contracts/http';
import type { FoundUrl } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { normalizeUrl, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { type AnswerWait, RobotsService } from './robots.service.js';
import type { SiteConfig } from './site-config.js';

/** Where a sitemap is looked for when nothing names one. */
const USUAL_PLACES = ['/sitemap.xml', '/sitemap_index.xml'];
/** Sitemaps that a robots.txt may name. Some name one for each language; more are an index's business. */
const MAX_NAMED = 1_000;

/** Where crawls begin. */
@Injectable()
export class Seeds {
  constructor(
    @Inject(RobotsService) private readonly robots: Pick<RobotsService, 'answerFor'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_USER_AGENT'>,
  ) {}

  /**
   * The sitemap that is configured; else those that robots.txt names; else the usual places, and where one was the last
   * time: a robots.txt may be missing for once.
   *
   * @param before addresses of sitemaps that nothing but the site itself has named
   * @throws IngestionError when nobody can tell what may be fetched
   */
  async of(
    { start, sitemap, scope }: SiteConfig,
    before: readonly string[],
    wait: AnswerWait,
  ): Promise<FoundUrl[]> {
    const home = sitemap ?? start ?? '';
    const { robots, problem } = await this.answerFor(home, wait);
    if (problem !== null && !robots.rulesFor(this.config.CRAWL_USER_AGENT).allows(home))
      throw new IngestionError('FETCH_FAILED', { detail: problem });
    if (sitemap !== null) return [sitemapAt(sitemap, 'seed')];
    const named = robots.sitemaps
      .map((url) => normalizeUrl(url))
      .filter((url) => url !== null)
      .filter((url) => url.length <= MAX_URL_LENGTH)
      .slice(0, MAX_NAMED);
    if (named.length > 0) return named.map((url) => sitemapAt(url, 'sitemap'));
    const usual = USUAL_PLACES.map((path) => new URL(path, home).href);
    const here = before.filter((url) => scope.isHere(url));
    return [...usual, ...here].map((url) => sitemapAt(url, 'link'));
  }

  private async answerFor(url: string, wait: AnswerWait) {
    try {
      return await this.robots.answerFor(url, wait, true);
    } catch (error) {
      if (!(error instanceof WebFetchError)) throw error;
      throw new IngestionError('ADDRESS_BLOCKED', { cause: error, detail: error.userMessage });
    }
  }
}

/** Where links are followed from, when no sitemap lists a page. */
export function startOf({ start, sitemap }: SiteConfig): FoundUrl | null {
  if (start === null || sitemap !== null) return null;
  return { url: start, kind: 'page', origin: 'seed', depth: 0 };
}

function sitemapAt(url: string, origin: FoundUrl['origin']): FoundUrl {
  return { url, kind: 'sitemap', origin, depth: 0 };
}
