import type { Validators } from '@citewell/database';
import { type FetchResult, GuardedHttpClient, normalizeUrl, readBody, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { type HostFeedback, HostPacer } from './host-pacer.js';
import { LARGE_BYTES, type ReserveLargeBody } from './large-bodies.js';
import { RobotsService } from './robots.service.js';

const FETCH_TIMEOUT_MS = 60_000;
const PRECONDITION_FAILED = 412;

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
  readonly signal: AbortSignal;
}

/** Sends one request for a URL: robots.txt is obeyed, the host's pace kept, and no redirect followed. */
@Injectable()
export class UrlFetcher {
  constructor(
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(RobotsService) private readonly robots: RobotsService,
    @Inject(HostPacer) private readonly pacer: HostPacer,
  ) {}

  /** @throws HostBusyError, or the signal's reason */
  async fetch(url: string, options: FetchUrlOptions): Promise<Fetched> {
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
    { validators, maxBytes, reserveLargeBody, signal }: FetchUrlOptions,
    report: (feedback: HostFeedback) => void,
  ): Promise<Fetched> {
    try {
      const answer = await this.client.fetch(url, {
        maxBytes,
        timeoutMs: FETCH_TIMEOUT_MS,
        maxRedirects: 0,
        signal,
        ...(validators ? { conditional: conditionOf(validators) } : {}),
      });
      const reserve = (size: number) => (size > LARGE_BYTES ? reserveLargeBody() : undefined);
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

/** Where a server redirects that asks for a session in the address; null for any other failure. */
function sessionAddressOf(url: string, error: unknown): string | null {
  if (!(error instanceof WebFetchError) || error.code !== 'TOO_MANY_REDIRECTS') return null;
  const { location } = error;
  return location !== undefined && location !== url && normalizeUrl(location) === url ? location : null;
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
