import { isDeepStrictEqual } from 'node:util';
import type { BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import { datasourceErrorOf, IngestionError } from '@citewell/contracts/errors';
import {
  CrawlRepository,
  type FrontierUrl,
  newId,
  type PageDocument,
  type RenewedBytes,
  type Settlement,
  type Validators,
} from '@citewell/database';
import { detectFileType } from '@citewell/documents/file-type';
import { BLOB_STORE, CONFIG, LOGGER } from '@citewell/infrastructure';
import {
  documentHash,
  RetryLaterError,
  pipelineFingerprint,
  RunBlobs,
  toIngestionError,
} from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import { type FetchResult, looksLikeSitemapOrFeed } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import type { ReadPage } from '../page-reader/page-reader.protocol.js';
import { PageReader } from '../page-reader/page-reader.js';
import { HTML, isOtherText, isPage, MAX_PAGE_BYTES } from '../page-reader/page-type.js';
import { PageRendering } from '../rendering/page-rendering.js';
import { codeOf } from './failure.js';
import { follow, isFollowed, isOfSite, type Leads, pointTo } from './page-leads.js';
import { brokenOff, failed, forbidden, type Outcome } from './page-outcome.js';
import {
  isNofollow,
  isNoindex,
  type JudgedPage,
  judgePage,
  mayFollow,
  type PageVerdict,
  refreshTargetOf,
} from './page-verdict.js';
import { isReopenedPage, makesWay } from './pointing-page.js';
import { contentHeldBack, leftOutOrHeldBack } from './same-answer.js';
import { isCurrent, lookedAtAnew, mayCompare, readAnew, saysNothingNew } from './serving-page.js';
import { sha256 } from './sha256.js';
import type { PageVisit, SiteVisit } from './site-visit.js';
import { type Fetched, UrlFetcher, validatorsOf } from './url-fetcher.js';

const NO_TEXT = new Uint8Array();

/** Fetches one URL of a site and decides what it is; what it brings in is in the blob store when this returns. */
@Injectable()
export class PageSettler {
  constructor(
    @Inject(UrlFetcher) private readonly fetcher: Pick<UrlFetcher, 'fetch'>,
    @Inject(PageReader) private readonly reader: Pick<PageReader, 'read'>,
    @Inject(PageRendering) private readonly rendering: Pick<PageRendering, 'open'>,
    @Inject(CrawlRepository) private readonly frontier: Pick<CrawlRepository, 'decisionsOn' | 'isNamed'>,
    @Inject(RunBlobs) private readonly runBlobs: Pick<RunBlobs, 'write'>,
    @Inject(BLOB_STORE) private readonly blobStore: Pick<BlobStore, 'read' | 'put'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_USER_AGENT'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /** @throws what concerns every page: a host that is busy, an engine that is away, the signal's reason */
  async settle(url: FrontierUrl, visit: SiteVisit): Promise<Settlement> {
    const leads: Leads = { found: [], leadsOn: null, followedAt: null, answer: null };
    const servedHash = url.serving?.contentHash ?? null;
    const ofPage = { ...visit, leads, serves: url.serving !== null, servedHash };
    const outcome = leftOutOrHeldBack(url, await this.outcome(url, ofPage), ofPage);
    const settlement = { url: url.row.url, pageId: url.pageId, ...leads, ...outcome };
    if (settlement.kind !== 'failed') return settlement;
    // What could not be read to its end takes the place of nothing.
    const answer = settlement.isHeldBack ? leads.answer : null;
    return { ...settlement, answer, isPage: !(await this.isNoPage(url, visit)) };
  }

  /**
   * Whether a URL that cannot be fetched is none that anybody misses: a start that the patterns leave out, or one of the
   * twin of the site's host, which pages name as the one that they stand for.
   */
  private async isNoPage({ row: { url } }: FrontierUrl, { run, site }: SiteVisit): Promise<boolean> {
    if (site.scope.isExcluded(url)) return true;
    return new URL(url).host !== site.host && (await this.frontier.isNamed(run, url));
  }

  private async outcome(url: FrontierUrl, visit: PageVisit): Promise<Outcome> {
    try {
      const known = isCurrent(url) ? url : readAnew(url);
      return await this.look(isReopenedPage(url, visit.run) ? lookedAtAnew(known) : known, visit);
    } catch (error) {
      if (visit.signal.aborted || error instanceof RetryLaterError) throw error;
      if (error instanceof IngestionError)
        return { kind: 'failed', error: datasourceErrorOf(error), isGone: false };
      if (toIngestionError(error).code !== 'INTERNAL') throw error;
      this.logger.error({ err: error, url: url.row.url }, 'a page could not be dealt with');
      // A defect of ours that this page brings out must not cost the others.
      return brokenOff(url);
    }
  }

  private async look(url: FrontierUrl, visit: PageVisit): Promise<Outcome> {
    // The patterns have changed since it was found. A start leads on, whatever they say.
    if (url.row.origin !== 'seed' && isExcluded(url, visit)) return { kind: 'left-out', reason: 'EXCLUDED' };
    const fetched = await this.fetcher.fetch(url.row.url, {
      known: mayCompare(url) ? (url.serving?.validators ?? null) : null,
      maxBytes: MAX_PAGE_BYTES,
      room: visit.room,
      seat: visit.seat,
      signal: visit.signal,
    });
    switch (fetched.kind) {
      case 'unchanged':
        if (!isNoindex(fetched, this.config.CRAWL_USER_AGENT)) return this.unchanged(url, fetched, visit);
        return { kind: 'left-out', reason: 'NOINDEX' };
      case 'content':
        return this.content(url, fetched, visit);
      case 'redirect':
        return this.redirected(url, fetched.target, visit);
      case 'forbidden':
        visit.leads.leadsOn = false;
        return forbidden(url);
      case 'error':
        if (codeOf(fetched.error) === 'PAGE_GONE') visit.leads.leadsOn = false;
        return failed(url, fetched.error);
    }
  }

  /**
   * The page says what it said; where its links are followed, they are read again.
   *
   * @param page where the server sent it; else what is kept of it is read
   */
  private async unchanged(
    url: FrontierUrl,
    { robotsTags }: Pick<JudgedPage, 'robotsTags'>,
    visit: PageVisit,
    page: ReadPage | null = null,
  ): Promise<Outcome> {
    const { serving, row } = url;
    const { target } = row;
    visit.leads.leadsOn = row.origin === 'lost' ? null : false;
    let isStub = false;
    if (isFollowed(url) && serving?.contentKey && serving.contentType === HTML) {
      const { facts, document } = page ?? (await this.readAgain(row.url, serving.contentKey));
      if (mayFollow({ facts, robotsTags }, this.config.CRAWL_USER_AGENT)) await follow(url, facts, visit);
      isStub = refreshTargetOf({ url: row.url, facts, characters: document?.characters ?? 0 }) === target;
    }
    // That one may be a page by now.
    if (target !== null && isOfSite(url, target, visit)) pointTo(url, target, visit, { isRead: !isStub });
    const { contentHash = null } = serving ?? {};
    return { kind: 'unchanged', target, ...(contentHash === null ? {} : { contentHash }) };
  }

  private async content(
    url: FrontierUrl,
    { answer, bytes }: Extract<Fetched, { kind: 'content' }>,
    visit: PageVisit,
  ): Promise<Outcome> {
    visit.leads.leadsOn = false;
    if (looksLikeSitemapOrFeed(bytes, answer.contentType) !== null)
      return { kind: 'left-out', reason: 'NOT_A_PAGE' };
    if (!isPage(answer.contentType)) return this.file(url, answer, bytes, visit);
    visit.leads.leadsOn = null;
    const { render } = visit.site;
    const contentType = answer.headers['content-type'] ?? HTML;
    const page = await this.reader.read({ bytes, url: url.row.url, contentType });
    // What a shell shows may have changed, though the shell has not.
    const showsItself = render === 'never' || (render === 'auto' && page.facts.needsRendering === null);
    if (showsItself && saysNothingNew(url, answer, bytes))
      return { ...(await this.unchanged(url, answer, visit, page)), ...renewedOf(url, answer) };
    const opened = await this.rendering.open(
      { answer, bytes, page },
      { url: url.row.url, mode: render, serves: visit.serves, seat: visit.seat, signal: visit.signal },
    );
    switch (opened.kind) {
      case 'content':
        return this.page(url, opened.answer, opened.bytes, opened.page, visit);
      case 'redirect':
        return this.redirected(url, opened.target, visit);
      case 'error':
        return failed(url, opened.error);
    }
  }

  private async readAgain(url: string, contentKey: string): Promise<ReadPage> {
    return this.reader.read({ bytes: await this.blobStore.read(contentKey), url, contentType: HTML });
  }

  private async page(
    url: FrontierUrl,
    answer: FetchResult,
    bytes: Uint8Array,
    { facts, document }: ReadPage,
    visit: PageVisit,
  ): Promise<Outcome> {
    const { robotsTags, canonicalUrl } = answer;
    const judged: JudgedPage = {
      url: url.row.url,
      facts,
      robotsTags,
      canonicalUrl,
      characters: document?.characters ?? 0,
    };
    const { CRAWL_USER_AGENT } = this.config;
    visit.leads.leadsOn = false;
    if (mayFollow(judged, CRAWL_USER_AGENT)) await follow(url, facts, visit);
    const verdict = judgePage(judged, (to) => isOfSite(url, to, visit), CRAWL_USER_AGENT);
    if (isExcluded(url, visit)) {
      const to = verdict.kind === 'page' ? undefined : verdict.target;
      if (to !== undefined) pointTo(url, to, visit, { isRead: namesAnother(verdict) });
      return { kind: 'left-out', reason: 'EXCLUDED', ...(to === undefined ? {} : { target: to }) };
    }
    const saysTheSame = document !== null && documentHash(document.textHash) === url.serving?.textHash;
    if (verdict.kind === 'left-out') {
      // A notice that asks not to be indexed does so for itself, and not for what it stands in the place of.
      const isNotice = verdict.reason === 'NOINDEX' && verdict.target === undefined && !saysTheSame;
      const held = isNotice ? contentHeldBack(url, document?.text ?? NO_TEXT, bytes, visit) : null;
      if (held !== null) return held;
      if (verdict.target !== undefined) pointTo(url, verdict.target, visit, { isRead: false });
      if (verdict.reason !== 'EMPTY' || facts.needsRendering === null || visit.site.render === 'never')
        return verdict;
      // What a browser would show may lead further.
      visit.leads.leadsOn ||= null;
      return { kind: 'failed', error: datasourceErrorOf('RENDER_UNAVAILABLE'), isGone: false };
    }
    const { target = null } = verdict;
    if (verdict.kind === 'elsewhere') {
      pointTo(url, verdict.target, visit, { isRead: namesAnother(verdict) });
      if (await makesWay(url, verdict.target, visit, this.frontier))
        return { kind: 'left-out', reason: verdict.reason, target: verdict.target };
      // As long as a stub leads nowhere, what it said before serves on.
      if (!namesAnother(verdict) && visit.serves && !saysTheSame)
        return { kind: 'unchanged', target, contentHash: null };
    }
    if (document === null) return { kind: 'left-out', reason: 'EMPTY' };
    // What a header says of links is not kept: it has to be sent again.
    const validators = isNofollow(robotsTags, CRAWL_USER_AGENT) ? null : validatorsOf(answer);
    if (saysTheSame) return this.sameText(url, bytes, { target, validators, signal: visit.signal });
    const held = contentHeldBack(url, document.text, bytes, visit);
    if (held !== null) return held;

    const { ids, fetched, others } = await this.keep(url, bytes, visit, {
      text: document.text,
      outline: document.outline,
    });
    const read: PageDocument = {
      blobs: others,
      characters: document.characters,
      textHash: documentHash(document.textHash),
      fingerprint: pipelineFingerprint({ sha256: fetched.sha256, contentType: HTML }),
    };
    const content = { ...ids, fetched, contentType: HTML, validators, document: read };
    return { kind: 'page', content, target };
  }

  /** Other bytes that say the same take the place of those that serve, so that they need not be read the next time. */
  private async sameText(
    { serving }: FrontierUrl,
    bytes: Uint8Array,
    {
      target,
      validators,
      signal,
    }: { target: string | null; validators: Validators | null; signal: AbortSignal },
  ): Promise<Outcome> {
    const same = { kind: 'unchanged', target, contentHash: sha256(bytes) } as const;
    const key = serving?.contentType === HTML ? serving.contentKey : null;
    const isKept =
      validators === null && serving?.validators === null && same.contentHash === serving.contentHash;
    if (key === null || isKept) return same;
    const blob = { key, ...(await this.blobStore.put(key, Buffer.from(bytes), { signal })) };
    const fingerprint = pipelineFingerprint({ sha256: blob.sha256, contentType: HTML });
    return { ...same, renewed: { key, validators, others: { blob, fingerprint } } };
  }

  /** Not a page: read by the parser of its type, if there is one. */
  private async file(
    url: FrontierUrl,
    answer: FetchResult,
    bytes: Uint8Array,
    visit: PageVisit,
  ): Promise<Outcome> {
    const contentType = await detectFileType(
      { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) },
      {
        fileName: decodeURIComponentSafely(new URL(url.row.url).pathname.split('/').at(-1) ?? ''),
        declaredMimeType: answer.contentType ?? '',
      },
    );
    if (contentType === null || bytes.length === 0 || isOtherText(answer.contentType, contentType))
      return { kind: 'left-out', reason: 'UNSUPPORTED' };
    if (isExcluded(url, visit)) return { kind: 'left-out', reason: 'EXCLUDED' };
    if (isNoindex(answer, this.config.CRAWL_USER_AGENT)) return { kind: 'left-out', reason: 'NOINDEX' };
    if (sha256(bytes) === url.serving?.contentHash) return { kind: 'unchanged', ...renewedOf(url, answer) };
    const held = contentHeldBack(url, null, bytes, visit);
    if (held !== null) return held;
    const { ids, fetched } = await this.keep(url, bytes, visit, {});
    const content = { ...ids, fetched, contentType, validators: validatorsOf(answer), document: null };
    return { kind: 'page', content };
  }

  private async keep(
    { pageId }: FrontierUrl,
    bytes: Uint8Array,
    { run, signal }: PageVisit,
    parts: { text?: Uint8Array; outline?: Uint8Array },
  ) {
    const ids = { datasourceId: pageId ?? newId(), runId: newId() };
    const { organizationId } = run;
    const [fetched, ...others] = await this.runBlobs.write(
      { organizationId, datasourceId: ids.datasourceId, id: ids.runId },
      Object.fromEntries(
        Object.entries({ fetched: bytes, ...parts }).map(([kind, part]) => [kind, Buffer.from(part)]),
      ),
      { signal },
    );
    if (!fetched) throw new Error('what was written is not there');
    return { ids, fetched, others };
  }

  private redirected(url: FrontierUrl, target: string | null, visit: PageVisit): Outcome {
    visit.leads.leadsOn = false;
    if (target !== null && target !== url.row.url && isOfSite(url, target, visit)) {
      pointTo(url, target, visit, { isRead: false });
      return { kind: 'left-out', reason: 'REDIRECT', target };
    }
    if (url.row.origin !== 'seed')
      return { kind: 'left-out', reason: 'REDIRECT_AWAY', ...(target === null ? {} : { away: target }) };
    return {
      kind: 'failed',
      error: datasourceErrorOf('PAGE_REFUSED', awayFrom(url.row.url, target)),
      isGone: false,
    };
  }
}

/** The same bytes may be called otherwise by now. */
function renewedOf({ serving }: FrontierUrl, answer: FetchResult): { renewed?: RenewedBytes } {
  const validators = validatorsOf(answer);
  const key = serving?.contentKey ?? null;
  if (key === null || validators === null || isDeepStrictEqual(validators, serving?.validators)) return {};
  return { renewed: { key, validators, others: null } };
}

/** It says something, and another page as the one that it stands for. */
function namesAnother(verdict: PageVerdict): boolean {
  return verdict.kind === 'elsewhere' && verdict.reason === 'CANONICAL';
}

/** Whether the patterns leave out a URL. */
function isExcluded(url: FrontierUrl, { site }: SiteVisit): boolean {
  return site.scope.isExcluded(url.row.url);
}

function awayFrom(url: string, target: string | null): string {
  if (target === null) return 'The address redirects to what is no web address.';
  if (target === url) return 'The address redirects in a circle.';
  return `The address redirects to ${new URL(target).host}. Add the site under that address.`;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
