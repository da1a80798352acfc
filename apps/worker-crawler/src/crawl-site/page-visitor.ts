import type { BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import { datasourceErrorOf, IngestionError } from '@citewell/contracts/errors';
import type { CrawlOrigin, FoundUrl, FrontierUrl, UrlOutcome } from '@citewell/database';
import { BLOB_STORE, CONFIG, LOGGER } from '@citewell/infrastructure';
import { isFingerprintCurrent, RetryLaterError, toIngestionError } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import { normalizeUrl } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { nextAttemptAt, type ReserveLargeBody } from '../fetching/url-fetcher.js';
import {
  classifyPage,
  type PageClass,
  servedHashOf,
  type SiteRules,
  textHashOf,
} from '../page/classify-page.js';
import { discoverLinks, isFollowed } from '../page/discover-links.js';
import {
  type ContentResponse,
  type LoadOptions,
  PageLoader,
  type PageResponse,
} from '../page/page-loader.js';
import { PageReader } from '../page-reader/page-reader.js';
import { HTML } from '../page-reader/page-type.js';
import type { NoPage } from './not-found-pages.js';
import { PageBodies } from './page-bodies.js';
import type { SiteVisit, UrlVisitor, VisitedUrl } from './site-visit.js';

/** Fetches a page of a site, discovers its links, and turns its class into an outcome. */
@Injectable()
export class PageVisitor implements UrlVisitor {
  constructor(
    @Inject(PageLoader) private readonly loader: Pick<PageLoader, 'load'>,
    @Inject(PageReader) private readonly reader: Pick<PageReader, 'read'>,
    @Inject(PageBodies) private readonly bodies: Pick<PageBodies, 'storePage' | 'keep' | 'renew'>,
    @Inject(BLOB_STORE) private readonly blobStore: Pick<BlobStore, 'read'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_USER_AGENT'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  async visit(url: FrontierUrl, visit: SiteVisit, reserve: ReserveLargeBody): Promise<VisitedUrl> {
    const rules = { ...visit.site, userAgent: this.config.CRAWL_USER_AGENT };
    try {
      const response = await this.load(url.url, visit, reserve, {
        validators: mayBeConditional(url, visit) ? (url.serving?.validators ?? null) : null,
        answers: url.serving !== null,
        hasFollowedLinks: isFollowed(url),
      });
      const noPage = await this.reasonAgainst(url, response, visit, reserve);
      const hasLinks = isFollowed(url) && noPage === null;
      const links = hasLinks ? await this.linksOf(url, response, rules, visit.signal) : [];
      const conclude = (textOwner: string | null) =>
        this.conclude({ url, textOwner, noPage }, response, links, rules, visit);
      return { url, textHash: noPage === null ? textHashOf(response) : null, conclude };
    } catch (error) {
      const outcome = this.outcomeOfError(url, error, visit);
      return { url, textHash: null, conclude: async () => outcome };
    }
  }

  private load(
    address: string,
    { site, session, rendering, signal }: SiteVisit,
    reserveLargeBody: ReserveLargeBody,
    request: Pick<LoadOptions, 'validators' | 'answers' | 'hasFollowedLinks'>,
  ): Promise<PageResponse> {
    return this.loader.load(address, {
      ...request,
      render: site.render,
      allows: (embedded) => !site.scope.isExcluded(embedded),
      reserveLargeBody,
      ...(session ? { session } : {}),
      ...(rendering ? { rendering } : {}),
      signal,
    });
  }

  /** Why a response with status 200 is not a page; null when it is one. */
  private async reasonAgainst(
    { url, origin }: FrontierUrl,
    response: PageResponse,
    visit: SiteVisit,
    reserve: ReserveLargeBody,
  ): Promise<NoPage | null> {
    const text = textOf(response);
    const textHash = textHashOf(response);
    if (visit.notFoundPages === undefined || text === null || textHash === null) return null;
    const { pathname, search } = new URL(url);
    const isKept = origin === 'seed' || pathname + search === '/';
    const isLinked = origin === 'link';
    return visit.notFoundPages.reasonAgainst({ url, text, textHash, isLinked, isKept }, async (address) => {
      try {
        return textOf(await this.load(address, visit, reserve, { answers: false }));
      } catch {
        // Nothing is learned from an address that cannot be read.
        visit.signal.throwIfAborted();
        return null;
      }
    });
  }

  /** The links of an unchanged page are read from its stored body. */
  private async linksOf(
    url: FrontierUrl,
    response: PageResponse,
    rules: SiteRules,
    signal: AbortSignal,
  ): Promise<FoundUrl[]> {
    if (response.kind === 'html')
      return discoverLinks(url, response.page, response.answer.robotsTags, rules, signal);
    const { contentKey = null, contentType } = url.serving ?? {};
    if (response.kind !== 'unchanged' || contentKey === null || contentType !== HTML) return [];
    const bytes = await this.blobStore.read(contentKey);
    const page = await this.reader.read({ bytes, url: url.url, contentType: HTML });
    return discoverLinks(url, page, response.robotsTags, rules, signal);
  }

  private async conclude(
    facts: Parameters<typeof classifyPage>[1],
    response: PageResponse,
    links: readonly FoundUrl[],
    rules: SiteRules,
    visit: SiteVisit,
  ): Promise<UrlOutcome> {
    const { url } = facts;
    const verdict = classifyPage(response, facts, rules);
    const found = [...links, ...targetOf(url, verdict), ...plainAddressOf(url, verdict, rules)];
    const base = {
      url: url.url,
      pageId: url.pageId,
      found,
      hasOutlinks: verdict.kind === 'failed' || verdict.kind === 'retry' ? null : found.length > 0,
    };
    switch (verdict.kind) {
      case 'page': {
        const content = await this.bodies.storePage(url, contentOf(response), visit);
        return { ...base, outcome: 'page', textHash: verdict.textHash, content };
      }
      case 'unchanged':
        return {
          ...base,
          outcome: 'unchanged',
          textHash: servedHashOf(url),
          renewed: await this.bodies.renew(url, response, visit),
        };
      case 'canonical':
      case 'duplicate': {
        const { kind: outcome, target, textHash } = verdict;
        const { body, contentType } = await this.bodies.keep(url, contentOf(response), visit);
        return { ...base, outcome, target, textHash, body, contentType };
      }
      case 'redirect':
        return { ...base, outcome: 'redirect', target: verdict.target };
      case 'skipped':
        return { ...base, outcome: 'skipped', reason: verdict.reason };
      case 'failed':
        return { ...base, outcome: 'failed', error: verdict.error, isPage: !rules.scope.isExcluded(url.url) };
      case 'retry':
        return { ...base, outcome: 'retry', kind: 'page', notBefore: verdict.notBefore };
    }
  }

  /**
   * A page that cannot be read fails alone.
   *
   * @throws what concerns every page: a busy host, an engine that is down, the signal's reason
   */
  private outcomeOfError(url: FrontierUrl, error: unknown, { site, signal }: SiteVisit): UrlOutcome {
    if (signal.aborted || error instanceof RetryLaterError) throw error;
    const failure = toIngestionError(error);
    if (failure !== error && failure.code !== 'INTERNAL') throw error;
    const base = { url: url.url, pageId: url.pageId, found: [], hasOutlinks: null };
    const isPage = !site.scope.isExcluded(url.url);
    if (error instanceof IngestionError)
      return { ...base, outcome: 'failed', error: datasourceErrorOf(error), isPage };
    this.logger.error({ err: error, url: url.url }, 'a page could not be processed');
    const notBefore = nextAttemptAt(url.attempts);
    if (notBefore !== null) return { ...base, outcome: 'retry', kind: 'page', notBefore };
    return { ...base, outcome: 'failed', error: datasourceErrorOf('INTERNAL'), isPage };
  }
}

/**
 * Whether validators may be sent. Not if this release would read the same bytes in another way, and not for the second
 * attempt: some servers fail on conditional requests.
 */
function mayBeConditional({ serving, attempts }: FrontierUrl, { isReconfigured }: SiteVisit): boolean {
  return serving !== null && attempts === 0 && !isReconfigured && isFingerprintCurrent(serving);
}

/** The target of a redirect or canonical link joins the frontier like any other URL. */
function targetOf(url: FrontierUrl, verdict: PageClass): FoundUrl[] {
  if (verdict.kind !== 'redirect' && verdict.kind !== 'canonical') return [];
  if (verdict.target === null) return [];
  return [
    {
      url: verdict.target,
      kind: 'page',
      origin: originOfTarget(url, verdict),
      depth: url.depth,
      hops: url.hops + 1,
    },
  ];
}

/** An address with an ampersand that was escaped twice, without the escape, if there is no such page. */
function plainAddressOf(
  { url, kind, origin, depth, hops }: FrontierUrl,
  verdict: PageClass,
  { scope }: SiteRules,
): FoundUrl[] {
  if (verdict.kind !== 'skipped' || verdict.reason !== 'GONE') return [];
  const plain = normalizeUrl(url.replace(/&(?:amp;)+/g, '&'));
  const isOther = plain !== null && plain !== url && scope.refusalOf(plain, depth) === null;
  return isOther ? [{ url: plain, kind, origin, depth, hops: hops + 1 }] : [];
}

function originOfTarget({ origin }: FrontierUrl, { kind }: PageClass): CrawlOrigin {
  if (origin === 'sitemap') return 'reference';
  // A start with a canonical link has been read; one that redirects has not.
  return origin === 'seed' && kind === 'canonical' ? 'link' : origin;
}

/** The text of an HTML page; null without one, or if it is only that of a loading screen. */
function textOf(response: PageResponse): string | null {
  if (response.kind !== 'html' || response.page.facts.isShell) return null;
  const { document } = response.page;
  if (document === null) return null;
  const { buffer, byteOffset, byteLength } = document.text;
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
}

function contentOf(response: PageResponse): ContentResponse {
  if (response.kind === 'html' || response.kind === 'file') return response;
  throw new Error(`A response of kind ${response.kind} has no content`);
}
