import { type FetchResult, GuardedHttpClient, normalizeUrl, readBody, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { type BodyRoom, LARGE_BYTES } from './body-room.js';
import type { Seat } from './host-seats.js';
import { HostTurns, type TurnFeedback } from './host-turns.js';
import { RobotsService } from './robots.service.js';

const FETCH_TIMEOUT_MS = 60_000;
/** An answer to a condition that we have named, and no trouble. */
const PRECONDITION_FAILED = 412;

/** One polite answer. */
export type Fetched =
  | { readonly kind: 'content'; readonly answer: FetchResult; readonly bytes: Uint8Array }
  /** @param robotsTags its `X-Robots-Tag` headers, which may be new though the page is not */
  | { readonly kind: 'unchanged'; readonly robotsTags: readonly string[] }
  | {
      readonly kind: 'redirect';
      /** Absolute, as the server said it; null when it is no address. */
      readonly location: string | null;
      /** The same, normalised. */
      readonly target: string | null;
    }
  /** The robots.txt of the host forbids it. */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'error'; readonly error: WebFetchError };

/** What is known of a page already. */
export interface Known {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface FetchUrlOptions {
  readonly known?: Known | null;
  readonly maxBytes: number;
  readonly room: BodyRoom;
  /** Of the run that it is for. */
  readonly seat: Seat;
  readonly signal: AbortSignal;
}

/** Fetches one URL the way its host wants it: robots.txt obeyed, in turn, no redirect followed. */
@Injectable()
export class UrlFetcher {
  constructor(
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(RobotsService) private readonly robots: RobotsService,
    @Inject(HostTurns) private readonly turns: HostTurns,
  ) {}

  /** @throws RetryLaterError, also a HostBusyError; or the signal's reason */
  async fetch(url: string, options: FetchUrlOptions): Promise<Fetched> {
    const { signal, seat } = options;
    const { host } = new URL(url);
    const { patience } = seat;
    seat.enter(host);
    try {
      const { rules, problem } = await this.robots.rulesFor(url, { signal, patience });
      if (!rules.allows(url))
        return problem === null ? { kind: 'forbidden' } : { kind: 'error', error: unknownRules(problem) };
      const { crawlDelayMs } = rules;
      return await this.turns.take(host, { crawlDelayMs, patience, signal }, (tell) =>
        this.ask(url, options, tell),
      );
    } catch (error) {
      if (!(error instanceof WebFetchError)) throw error;
      if (error.code !== 'TOO_MANY_REDIRECTS') return { kind: 'error', error };
      const { location = null } = error;
      return { kind: 'redirect', location, target: location === null ? null : normalizeUrl(location) };
    }
  }

  private async ask(
    url: string,
    options: FetchUrlOptions,
    tell: (feedback: TurnFeedback) => void,
  ): Promise<Fetched> {
    const { known, maxBytes, room, signal } = options;
    try {
      const answer = await this.client.fetch(url, {
        maxBytes,
        timeoutMs: FETCH_TIMEOUT_MS,
        maxRedirects: 0,
        signal,
        ...(known ? { conditional: conditionOf(known) } : {}),
      });
      const makeRoom = (size: number) => (size > LARGE_BYTES ? room.beLarge() : undefined);
      const bytes = answer.isUnchanged ? null : await readBody(answer, makeRoom);
      tell({ result: 'ok', ...(answer.retryAfterMs ? { retryAfterMs: answer.retryAfterMs } : {}) });
      if (bytes === null) return { kind: 'unchanged', robotsTags: answer.robotsTags };
      return { kind: 'content', answer, bytes };
    } catch (error) {
      if (error instanceof WebFetchError)
        tell({ result: feedbackOf(error), retryAfterMs: error.retryAfterMs });
      throw error;
    }
  }
}

/** What the server calls the version that it sent; null when it does not. */
export function validatorsOf({ etag, lastModified }: FetchResult): Known | null {
  return etag === null && lastModified === null ? null : { etag, lastModified };
}

/** As long as nobody can tell what may be fetched, nothing is; that says nothing about the page. */
function unknownRules(problem: string): WebFetchError {
  return new WebFetchError('transient', 'CONNECTION_FAILED', problem);
}

function conditionOf({ etag, lastModified }: Known): { etag?: string; lastModified?: string } {
  return { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
}

function feedbackOf({ kind, code, status }: WebFetchError): TurnFeedback['result'] {
  if (kind === 'rate-limited') return 'overloaded';
  if (kind !== 'transient' || code === 'DNS_FAILED' || status === PRECONDITION_FAILED) return 'ok';
  return status === undefined ? 'failed' : 'broken';
}
