import type { Validators } from '@citewell/database';
import { Slots } from '@citewell/ingestion';
import {
  Cookies,
  type FetchResult,
  GuardedHttpClient,
  normalizeUrl,
  readBody,
  WebFetchError,
} from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import type { IngestionErrorCode } from '@citewell/contracts/errors';
import { type HostFeedback, HostPacer } from './host-pacer.js';
import { RobotsService } from './robots.service.js';

/** Few bodies are larger. */
const LARGE_BODY_BYTES = 2 * 1024 * 1024;

const MAX_LARGE_BODIES = 2;

/** Redirects of a site that are followed in vain for a cookie. */
const MAX_VAIN_DETOURS = 3;

const FETCH_TIMEOUT_MS = 60_000;
const PRECONDITION_FAILED = 412;
/** Redirects between a page and the page again, with the cookie that it wants. */
const MAX_DETOUR_REDIRECTS = 5;

/** The answer to one request. */
export type Fetched =
  | { readonly kind: 'content'; readonly answer: FetchResult; readonly bytes: Uint8Array }
  /** @param robotsTags its `X-Robots-Tag` headers, which may have changed */
  | { readonly kind: 'unchanged'; readonly robotsTags: readonly string[] }
  | {
      readonly kind: 'redirect';
      /** Absolute, as the server sent it; null when it is not an address. */
      readonly location: string | null;
      /** The same, normalized; null when it is not http or https. */
      readonly target: string | null;
    }
  /** The robots.txt of the host disallows the URL. */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'error'; readonly error: WebFetchError };

export interface FetchUrlOptions {
  /** Makes the request conditional. */
  readonly validators?: Validators | null;
  readonly maxBytes: number;
  readonly reserveLargeBody: ReserveLargeBody;
  /** Has the cookies of the visit. Default: no cookies. */
  readonly session?: SiteSession;
  readonly signal: AbortSignal;
}

/**
 * Sends one request for a URL: robots.txt is obeyed, and the host's pace kept. No redirect is followed, except where a
 * site redirects to the same page to set a cookie.
 */
@Injectable()
export class UrlFetcher {
  constructor(
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(RobotsService) private readonly robots: RobotsService,
    @Inject(HostPacer) private readonly pacer: HostPacer,
  ) {}

  /** @throws HostBusyError, or the signal's reason */
  async fetch(url: string, options: FetchUrlOptions): Promise<Fetched> {
    const { session } = options;
    const known = session?.cookies.version;
    const fetched = await this.fetchOnce(url, options);
    if (session === undefined || fetched.kind !== 'redirect' || !session.followsDetours) return fetched;
    if (session.cookies.version === known && !namesPage(fetched.location, url)) return fetched;
    const page = await this.fetchAfterDetour(url, fetched, options);
    if (page === null) session.countVainDetour();
    return page ?? fetched;
  }

  /** What a page answers once its redirects have led back to it; null when they lead elsewhere. */
  private async fetchAfterDetour(
    url: string,
    redirect: Extract<Fetched, { kind: 'redirect' }>,
    options: FetchUrlOptions,
  ): Promise<Fetched | null> {
    let { location, target } = redirect;
    for (let hops = 0; hops < MAX_DETOUR_REDIRECTS && location !== null; hops += 1) {
      if (URL.parse(location)?.host !== new URL(url).host) return null;
      const isBack = target === url;
      const next = await this.fetchOnce(
        isBack ? url : location,
        isBack ? options : { ...options, validators: null },
      );
      if (next.kind !== 'redirect') return isBack ? next : null;
      ({ location, target } = next);
    }
    return null;
  }

  private async fetchOnce(url: string, options: FetchUrlOptions): Promise<Fetched> {
    const { signal } = options;
    try {
      const { rules, problem } = await this.robots.rulesFor(url, signal);
      if (!rules.allows(url))
        return problem === null ? { kind: 'forbidden' } : { kind: 'error', error: unknownRules(problem) };
      const { crawlDelayMs } = rules;
      const send = (address: string): Promise<Fetched> =>
        this.pacer.run(new URL(url).host, { crawlDelayMs, signal }, (report) =>
          this.request(address, options, report),
        );
      return await send(url).catch((error: unknown) => {
        const session = sessionAddressOf(url, error);
        if (session === null) throw error;
        return send(session);
      });
    } catch (error) {
      if (!(error instanceof WebFetchError)) throw error;
      if (error.code !== 'TOO_MANY_REDIRECTS') return { kind: 'error', error };
      const { location = null } = error;
      return { kind: 'redirect', location, target: location === null ? null : normalizeUrl(location) };
    }
  }

  private async request(
    url: string,
    { validators, maxBytes, reserveLargeBody, session, signal }: FetchUrlOptions,
    report: (feedback: HostFeedback) => void,
  ): Promise<Fetched> {
    try {
      const answer = await this.client.fetch(url, {
        maxBytes,
        timeoutMs: FETCH_TIMEOUT_MS,
        maxRedirects: 0,
        signal,
        ...(validators ? { conditional: conditionOf(validators) } : {}),
        ...(session ? { cookies: session.cookies } : {}),
      });
      const reserve = (size: number) => (size > LARGE_BODY_BYTES ? reserveLargeBody() : undefined);
      const bytes = answer.isUnchanged ? null : await readBody(answer, reserve);
      report({ result: 'ok', ...(answer.retryAfterMs ? { retryAfterMs: answer.retryAfterMs } : {}) });
      if (bytes === null) return { kind: 'unchanged', robotsTags: answer.robotsTags };
      return { kind: 'content', answer, bytes };
    } catch (error) {
      if (error instanceof WebFetchError)
        report({ result: feedbackOf(error), retryAfterMs: error.retryAfterMs });
      throw error;
    }
  }
}

/**
 * What a crawl, or the fetch of a single page, remembers of its visit. In memory: in another process, the visit begins
 * anew.
 */
export class SiteSession {
  readonly cookies = new Cookies();
  private vainDetours = 0;

  /** Whether a redirect is followed because it may lead back to the page, with a cookie. */
  get followsDetours(): boolean {
    return this.vainDetours < MAX_VAIN_DETOURS;
  }

  countVainDetour(): void {
    this.vainDetours += 1;
  }
}

/** Bounds memory: few large bodies are held at a time. The servers of the others wait. */
@Injectable()
export class LargeBodies {
  private readonly permits = new Slots(MAX_LARGE_BODIES);

  /** @param work uses one body; its permit is released when the work has ended */
  async during<Result>(
    signal: AbortSignal,
    work: (reserve: ReserveLargeBody) => Promise<Result>,
  ): Promise<Result> {
    let release: (() => void) | undefined;
    try {
      return await work(async () => {
        release ??= await this.permits.take({ count: 1 }, signal);
      });
    } finally {
      release?.();
    }
  }
}

/** Where a server redirects that asks for a session in the address; null for any other failure. */
function sessionAddressOf(url: string, error: unknown): string | null {
  if (!(error instanceof WebFetchError) || error.code !== 'TOO_MANY_REDIRECTS') return null;
  const { location } = error;
  return location !== undefined && location !== url && normalizeUrl(location) === url ? location : null;
}

/** Whether an address has another one in its query, so that it can lead back there. */
function namesPage(location: string | null, url: string): boolean {
  const values = location === null ? [] : [...(URL.parse(location)?.searchParams.values() ?? [])];
  return values.some((value) => value !== '' && normalizeUrl(value, url) === url);
}

/** The validators of an answer; null when it has none. */
export function validatorsOf({ etag, lastModified }: FetchResult): Validators | null {
  return etag === null && lastModified === null ? null : { etag, lastModified };
}

/** RFC 9309: while robots.txt cannot be read, nothing may be fetched. */
function unknownRules(problem: string): WebFetchError {
  return new WebFetchError('transient', 'CONNECTION_FAILED', problem);
}

function conditionOf({ etag, lastModified }: Validators): { etag?: string; lastModified?: string } {
  return { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
}

function feedbackOf({ kind, code, status }: WebFetchError): HostFeedback['result'] {
  if (kind === 'rate-limited') return 'overloaded';
  if (kind !== 'transient' || code === 'DNS_FAILED' || status === PRECONDITION_FAILED) return 'ok';
  return status === undefined ? 'failed' : 'broken';
}

/** To be called before more than {@link LARGE_BODY_BYTES} of a body are read. Waits for a permit, once. */
export type ReserveLargeBody = () => Promise<void>;

/** Requests for one URL in one crawl. */
const MAX_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

/** The code under which a user reads of a failed request. */
export function codeOf(error: WebFetchError): IngestionErrorCode {
  if (error.status === 404 || error.status === 410) return 'PAGE_GONE';
  switch (error.kind) {
    case 'blocked':
      return error.code === 'OFFLINE' ? 'OFFLINE' : 'ADDRESS_BLOCKED';
    case 'rate-limited':
      return 'RATE_LIMITED';
    case 'transient':
      return 'FETCH_FAILED';
    case 'permanent':
      return error.code === 'TOO_LARGE' || error.code === 'DECOMPRESSION_BOMB'
        ? 'PAGE_TOO_LARGE'
        : 'PAGE_REFUSED';
  }
}

/**
 * The code and sentence of a request that is not repeated any more. A server that asks for a pause is not called an
 * external service whose limit the work waits for: this crawl is over for the page.
 */
export function finalFailureOf(error: WebFetchError): { code: IngestionErrorCode; sentence: string } {
  const code = codeOf(error);
  if (code !== 'RATE_LIMITED') return { code, sentence: error.userMessage };
  const status = error.status === undefined ? '' : ` (status ${error.status})`;
  return {
    code: 'FETCH_FAILED',
    sentence: `The web server asked for a pause${status} at every attempt, so the page was given up. Sync again later. If it fails again, ask the operator for a slower pace (CRAWL_DELAY_MS), or the owner of the site to allow more requests.`,
  };
}

/**
 * When a failed request is repeated in this crawl: when the server asks for it, up to an hour; else after 2 s, 4 s, 8 s.
 * Null when repeating is pointless, or was tried often enough.
 *
 * @param attempts that failed before this one
 */
export function retryAt(error: WebFetchError, attempts: number, now = Date.now()): Date | null {
  if (error.kind !== 'transient' && error.kind !== 'rate-limited') return null;
  return nextAttemptAt(attempts, now, error.retryAfterMs);
}

/** As {@link retryAt}, for any failure that may pass. @param requestedMs pause that the server asks for */
export function nextAttemptAt(attempts: number, now = Date.now(), requestedMs?: number): Date | null {
  if (attempts + 1 >= MAX_ATTEMPTS) return null;
  const pauseMs = requestedMs ?? FIRST_PAUSE_MS * 2 ** attempts;
  return new Date(now + Math.min(pauseMs, LONGEST_PAUSE_MS));
}
