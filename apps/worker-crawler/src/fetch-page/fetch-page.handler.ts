import type { Config } from '@citewell/config';
import { IngestionError } from '@citewell/contracts/errors';
import type { RunPayload } from '@citewell/contracts/jobs';
import { BlobRepository, runBlobKey, type RunEntity, RunLifecycleRepository } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { isFingerprintCurrent, RunBlobs, RunExecutor, type StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { JobContext } from '@citewell/queue';
import { looksLikeSitemapOrFeed } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { type BodyRoom, BodyRooms } from '../crawl-site/body-room.js';
import { HostBusyError } from '../crawl-site/host-busy.error.js';
import { HostSeats, type Seat } from '../crawl-site/host-seats.js';
import * as verdict from '../crawl-site/page-verdict.js';
import { type Known, UrlFetcher, validatorsOf } from '../crawl-site/url-fetcher.js';
import { MAX_PAGE_BYTES, typeOf } from '../page-reader/page-type.js';
import { type OpenedUnread, PageRendering } from '../rendering/page-rendering.js';
import { type RenderMode, renderModeOf } from '../rendering/render-mode.js';
import { pageFailureOf } from './page-failure.js';

const MAX_REDIRECTS = 10;

/** What a page is given for as long as it is looked at. */
interface Held {
  readonly seat: Seat;
  readonly room: BodyRoom;
}

/** How a page is asked for. */
interface PageVisit extends Held {
  readonly mode: RenderMode;
  readonly signal: AbortSignal;
}

/** What came back after all redirects, and from where. */
interface Arrival {
  readonly url: string;
  readonly fetched: Exclude<OpenedUnread, { kind: 'redirect' }>;
}

/**
 * A single page is fetched, the way its host wants it, into the blob store; what kind it is, its server says. One that
 * is as it was keeps serving, at the cost of one conditional request.
 */
@Injectable()
export class FetchPageHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(RunBlobs) private readonly runBlobs: RunBlobs,
    @Inject(UrlFetcher) private readonly fetcher: UrlFetcher,
    @Inject(PageRendering) private readonly rendering: PageRendering,
    @Inject(HostSeats) private readonly seats: HostSeats,
    @Inject(BodyRooms) private readonly rooms: BodyRooms,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
    @Inject(CONFIG) private readonly config: Pick<Config, 'CRAWL_USER_AGENT'>,
  ) {}

  async handle(payload: RunPayload, job: JobContext): Promise<void> {
    await this.executor.execute(payload, job, (work) =>
      this.seats.hold(work.run.id, (seat) =>
        this.rooms.hold(work.run.organizationId, work.signal, (room) => this.fetch(work, { seat, room })),
      ),
    );
  }

  private async fetch({ run, datasource, serving, signal }: StageWork, held: Held): Promise<void> {
    const address = datasource.config['source_url'];
    if (typeof address !== 'string')
      throw new IngestionError('INTERNAL', { message: 'the page has no address' });
    const mode = renderModeOf(datasource.config['render']);
    const isOfSite = run.groupId !== null;
    const hasFailed = run.failures > 0;
    const visit = { isOfSite, serving, hasFailed, mode, ...held, signal };
    const { url, fetched } = await this.arrive(address, visit);
    if (isNoindex(fetched, this.config.CRAWL_USER_AGENT)) throw new IngestionError('NOINDEX');
    switch (fetched.kind) {
      case 'unchanged':
        return this.lifecycle.keepServing(run);
      case 'forbidden':
        throw new IngestionError('ROBOTS_DISALLOWED');
      case 'error':
        throw pageFailureOf(fetched.error, serving !== null);
      case 'content': {
        const { answer, bytes } = fetched;
        if (looksLikeSitemapOrFeed(bytes, answer.contentType) !== null)
          throw new IngestionError('NOT_A_PAGE');
        const validators = validatorsOf(answer);
        await this.runBlobs.put(run, { fetched: bytes }, { signal });
        this.faults.reach('after-fetch');
        await this.lifecycle.advance(run, 'parsing', {
          contentKey: runBlobKey(run, 'fetched'),
          contentType: typeOf(answer.contentType),
          contentName: url,
          ...(validators === null ? {} : { validators }),
        });
      }
    }
  }

  /** Follows redirects, of pages too, by hand: every address on the way has its own robots.txt, and its own pace. */
  private async arrive(
    address: string,
    {
      serving,
      hasFailed,
      isOfSite,
      ...visit
    }: PageVisit & { serving: RunEntity | null; hasFailed: boolean; isOfSite: boolean },
  ): Promise<Arrival> {
    // Some servers fail to answer whether a page has changed, and can only send it.
    const known = serving && !hasFailed && (await this.isCurrent(serving)) ? serving : null;
    let url = new URL(address).href;
    // Pages that only point to each other point nowhere.
    const seen = new Set([url]);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const condition = conditionFor(url, known);
      const fetched = await this.open(url, { known: condition, serves: serving !== null, ...visit });
      if (fetched.kind !== 'redirect') {
        const target = stubTargetOf(url, fetched);
        if (target === null || seen.has(target)) return { url, fetched };
        if (isOfSite) throw movedWithin();
        url = target;
      } else if (isOfSite) throw movedWithin();
      else if (fetched.target === null || fetched.location === null)
        throw new IngestionError('ADDRESS_BLOCKED', {
          detail: 'The address redirects to what is no web address: only http:// and https:// can be read.',
        });
      else url = new URL(fetched.location).href;
      seen.add(url);
    }
    throw new IngestionError('PAGE_REFUSED', { detail: 'The address redirects again and again.' });
  }

  private async open(
    url: string,
    { known, ...call }: PageVisit & { known: Known | null; serves: boolean },
  ): Promise<OpenedUnread> {
    try {
      const { seat, room, signal } = call;
      const maxBytes = MAX_PAGE_BYTES;
      const fetched = await this.fetcher.fetch(url, { known, maxBytes, room, seat, signal });
      return await this.rendering.openUnread(fetched, { url, ...call });
    } catch (error) {
      if (!(error instanceof HostBusyError)) throw error;
      const { retryAfterMs } = error;
      throw new IngestionError('RATE_LIMITED', {
        cause: error,
        detail: 'The web server is slow, or has asked us to wait. It goes on by itself.',
        ...(retryAfterMs > 0 ? { retryAfterMs } : {}),
      });
    }
  }

  private async isCurrent({ contentKey, contentType, fingerprint }: RunEntity): Promise<boolean> {
    const blob = contentKey === null ? null : await this.blobRows.find(contentKey);
    return isFingerprintCurrent({ sha256: blob?.sha256 ?? null, contentType, fingerprint });
  }
}

/** What the page says, where it is one, or what its server says of it. */
function isNoindex(fetched: OpenedUnread, userAgent: string): boolean {
  switch (fetched.kind) {
    case 'content': {
      const { answer, page } = fetched;
      return verdict.isNoindex(
        { robotsTags: answer.robotsTags, ...(page && { facts: page.facts }) },
        userAgent,
      );
    }
    case 'unchanged':
      return verdict.isNoindex(fetched, userAgent);
    default:
      return false;
  }
}

/** Where a page leads that only refreshes to another one. */
function stubTargetOf(url: string, fetched: OpenedUnread): string | null {
  if (fetched.kind !== 'content' || fetched.page === undefined) return null;
  const { facts, document } = fetched.page;
  return verdict.refreshTargetOf({ url, facts, characters: document?.characters ?? 0 });
}

/** What a server calls the version of a page says nothing about another page. */
function conditionFor(url: string, known: RunEntity | null): Known | null {
  return known?.contentName === url ? known.validators : null;
}

/** Which addresses are the site's, and which of them are pages already, only its crawl knows. */
function movedWithin(): IngestionError {
  return new IngestionError('PAGE_REFUSED', {
    detail: 'The page leads to another address by now. Bring its site up to date.',
  });
}
