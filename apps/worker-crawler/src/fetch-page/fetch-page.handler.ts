import type { Config } from '@citewell/config';
import { IngestionError, type IngestionErrorCode } from '@citewell/contracts/errors';
import type { BatchPayload } from '@citewell/contracts/jobs';
import {
  BlobRepository,
  runBlobKey,
  type RunEntity,
  RunLifecycleRepository,
  type Validators,
} from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { isFingerprintCurrent, RunBlobs, RunExecutor, type StageWork } from '@citewell/ingestion';
import type { JobContext } from '@citewell/queue';
import type { WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { FaultPoints } from '@citewell/observability';
import { HostBusyError, HostSlots } from '../fetching/host-pacer.js';
import {
  finalFailureOf,
  LargeBodies,
  type ReserveLargeBody,
  SiteSession,
  validatorsOf,
} from '../fetching/url-fetcher.js';
import { isNoindex, MAX_HOPS, refreshTargetOf, SHELL_SENTENCE } from '../page/classify-page.js';
import {
  type ContentResponse,
  contentTypeOf,
  type LoadOptions,
  PageLoader,
  type PageResponse,
} from '../page/page-loader.js';
import { type RenderFailure, renderModeOf } from '../rendering/render.protocol.js';

/** Stores what was fetched for a run, and hands the run on to the parser. */
@Injectable()
export class FetchedPages {
  constructor(
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(BlobRepository) private readonly blobRows: Pick<BlobRepository, 'find'>,
    @Inject(RunBlobs) private readonly runBlobs: Pick<RunBlobs, 'put'>,
    @Inject(FaultPoints) private readonly faults: Pick<FaultPoints, 'reach'>,
  ) {}

  /** @param url the address that answered, after redirects */
  async store({ run, signal }: StageWork, url: string, content: ContentResponse): Promise<void> {
    await this.runBlobs.put(run, { fetched: Buffer.from(content.bytes) }, { signal });
    this.faults.reach('after-fetch');
    const validators = validatorsOf(content.answer);
    const warning = content.kind === 'html' ? content.page.document?.warning : null;
    await this.lifecycle.advance(run, 'parsing', {
      contentKey: runBlobKey(run, 'fetched'),
      contentType: contentTypeOf(content),
      contentName: url,
      ...(validators === null ? {} : { validators }),
      ...(warning ? { warning } : {}),
    });
  }

  async keepServing(run: RunEntity): Promise<void> {
    await this.lifecycle.keepServing(run);
  }

  /** Whether this release would read the content of a run in the same way. */
  async isFingerprintCurrent({ contentKey, contentType, fingerprint }: RunEntity): Promise<boolean> {
    const blob = contentKey === null ? null : await this.blobRows.find(contentKey);
    return isFingerprintCurrent({ sha256: blob?.sha256 ?? null, contentType, fingerprint });
  }
}

/** What a failed request is called if it ends the run of a single page. */
const PAGE_FAILURE_CODES: Partial<Record<IngestionErrorCode, IngestionErrorCode>> = {
  PAGE_GONE: 'PAGE_REFUSED',
};

/** As with a file that its parser fails on, a few attempts are enough. */
const RENDER_FAILURE_CODES = {
  timeout: 'PARSE_TIMEOUT',
  crashed: 'PARSE_MEMORY',
  'too-large': 'PAGE_TOO_LARGE',
} as const satisfies Record<RenderFailure, IngestionErrorCode>;

/** What a page answers with after all redirects, and from where. */
interface Arrival {
  readonly url: string;
  readonly response: Exclude<PageResponse, { kind: 'redirect' }>;
}

/** Fetches a single web page. An unchanged page costs one conditional request and keeps serving. */
@Injectable()
export class FetchPageHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(HostSlots) private readonly slots: HostSlots,
    @Inject(LargeBodies) private readonly bodies: LargeBodies,
    @Inject(PageLoader) private readonly loader: Pick<PageLoader, 'load'>,
    @Inject(FetchedPages) private readonly pages: FetchedPages,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_USER_AGENT'>,
  ) {}

  async handle(batch: BatchPayload, job: JobContext): Promise<void> {
    await this.executor.execute(batch, job, (work) => {
      const address = addressOf(work);
      return this.slots.hold(new URL(address).host, () =>
        this.bodies.during(work.signal, (reserve) => this.fetch(work, address, reserve)),
      );
    });
  }

  private async fetch(work: StageWork, address: string, reserve: ReserveLargeBody): Promise<void> {
    const { url, response } = await this.arrive(work, address, reserve);
    switch (response.kind) {
      case 'unchanged':
        if (isNoindex(response, this.config.CRAWL_USER_AGENT)) throw new IngestionError('NOINDEX');
        return this.pages.keepServing(work.run);
      case 'forbidden':
        throw new IngestionError('ROBOTS_DISALLOWED');
      case 'error':
        if (response.renderFailure) throw renderFailureOf(response.renderFailure, response.error);
        throw pageFailureOf(response.error, work.serving !== null);
      case 'sitemap':
        throw new IngestionError('NOT_A_PAGE');
      case 'not-rendered':
        throw new IngestionError('RENDER_UNAVAILABLE');
      case 'file':
        if (response.contentType === null) throw new IngestionError('UNSUPPORTED_FILE');
        if (isNoindex(response.answer, this.config.CRAWL_USER_AGENT)) throw new IngestionError('NOINDEX');
        return this.pages.store(work, url, { ...response, contentType: response.contentType });
      case 'html': {
        const { answer, page } = response;
        if (isNoindex({ ...answer, facts: page.facts }, this.config.CRAWL_USER_AGENT))
          throw new IngestionError('NOINDEX');
        if (page.document !== null && page.facts.isShell)
          throw new IngestionError('RENDER_UNAVAILABLE', { detail: SHELL_SENTENCE });
        if (
          page.document === null &&
          page.facts.needsRendering !== null &&
          renderModeOf(work.datasource.config['render']) !== 'never'
        )
          throw new IngestionError('RENDER_UNAVAILABLE');
        return this.pages.store(work, url, response);
      }
    }
  }

  /** Follows redirects and meta refreshes: every address on the way has its own robots.txt and its own pace. */
  private async arrive(work: StageWork, address: string, reserve: ReserveLargeBody): Promise<Arrival> {
    const known = await this.comparableRun(work);
    const seen = new Set<string>();
    const session = new SiteSession();
    let url = new URL(address).href;
    for (let hops = 0; hops <= MAX_HOPS; hops += 1) {
      seen.add(url);
      const response = await this.load(work, url, {
        validators: conditionFor(url, known),
        reserveLargeBody: reserve,
        session,
      });
      if (response.kind !== 'redirect') {
        const target = response.kind === 'html' ? refreshTargetOf(url, response.page) : null;
        // Pages that refresh to each other are read as they are.
        if (target === null || seen.has(target)) return { url, response };
        if (work.run.groupId !== null) throw movedWithinSite();
        url = target;
      } else if (work.run.groupId !== null) throw movedWithinSite();
      else if (response.target === null || response.location === null) throw redirectsElsewhere();
      else url = new URL(response.location).href;
    }
    throw new IngestionError('PAGE_REFUSED', {
      detail: `The address redirects more than ${MAX_HOPS} times.`,
    });
  }

  private async load(
    { datasource, serving, signal }: StageWork,
    url: string,
    request: Pick<LoadOptions, 'validators' | 'reserveLargeBody' | 'session'>,
  ): Promise<PageResponse> {
    try {
      const render = renderModeOf(datasource.config['render']);
      return await this.loader.load(url, {
        ...request,
        render,
        answers: serving !== null,
        signal,
      });
    } catch (error) {
      if (!(error instanceof HostBusyError)) throw error;
      throw new IngestionError('RATE_LIMITED', {
        cause: error,
        detail: 'The web server is slow or has asked for a pause. The page is fetched later.',
        ...(error.retryAfterMs > 0 ? { retryAfterMs: error.retryAfterMs } : {}),
      });
    }
  }

  /** The serving run, if a conditional request makes sense. Some servers fail on those, so a retry sends none. */
  private async comparableRun({ run, serving }: StageWork): Promise<RunEntity | null> {
    return serving !== null && run.failures === 0 && (await this.pages.isFingerprintCurrent(serving))
      ? serving
      : null;
  }
}

/** Validators are those of one address. */
function conditionFor(url: string, known: RunEntity | null): Validators | null {
  return known?.contentName === url ? known.validators : null;
}

function addressOf({ datasource }: StageWork): string {
  const address = datasource.config['source_url'];
  if (typeof address !== 'string')
    throw new IngestionError('INTERNAL', { message: 'the page has no address' });
  return address;
}

/** Only the crawl of a site knows which addresses belong to it and which are pages already. */
function movedWithinSite(): IngestionError {
  return new IngestionError('PAGE_REFUSED', {
    detail: 'The page leads to another address now. Sync its site.',
  });
}

function redirectsElsewhere(): IngestionError {
  return new IngestionError('ADDRESS_BLOCKED', {
    detail:
      'The address redirects to something that is not a web address. Only http:// and https:// are read.',
  });
}

/** The failure of a single page. @param hasServed whether there was content that can be gone */
export function pageFailureOf(error: WebFetchError, hasServed: boolean): IngestionError {
  const { code, sentence } = finalFailureOf(error);
  if (code === 'PAGE_GONE' && hasServed) return new IngestionError(code, { cause: error });
  return new IngestionError(PAGE_FAILURE_CODES[code] ?? code, {
    cause: error,
    detail: sentence,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}

/** The failure of a single page on which the browser failed. */
export function renderFailureOf(reason: RenderFailure, error: WebFetchError): IngestionError {
  return new IngestionError(RENDER_FAILURE_CODES[reason], { cause: error, detail: error.userMessage });
}
