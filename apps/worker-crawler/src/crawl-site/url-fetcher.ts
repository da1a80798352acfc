import {
  type FetchResult,
  GuardedHttpClient,
  HostGate,
  normalizeUrl,
  readBody,
  WebFetchError,
} from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { RobotsService } from './robots.service.js';

const FETCH_TIMEOUT_MS = 60_000;

/** One polite answer. */
export type Fetched =
  | { readonly kind: 'content'; readonly answer: FetchResult; readonly bytes: Uint8Array }
  | { readonly kind: 'unchanged' }
  /** @param target normalised; null when it is no address of a page */
  | { readonly kind: 'redirect'; readonly target: string | null }
  /** The robots.txt of the host forbids it. */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'error'; readonly error: WebFetchError };

/** What is known of a page already. */
export interface Known {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Fetches one URL the way its host wants it: robots.txt obeyed, in turn, no redirect followed. */
@Injectable()
export class UrlFetcher {
  constructor(
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(RobotsService) private readonly robots: RobotsService,
    @Inject(HostGate) private readonly gate: HostGate,
  ) {}

  /** @throws the signal's reason */
  async fetch(
    url: string,
    { known = null, maxBytes, signal }: { known?: Known | null; maxBytes: number; signal: AbortSignal },
  ): Promise<Fetched> {
    let turn: Awaited<ReturnType<HostGate['acquire']>> | undefined;
    try {
      const rules = await this.robots.rulesFor(url, signal);
      if (!rules.allows(url)) return { kind: 'forbidden' };
      turn = await this.gate.acquire(new URL(url).host, {
        crawlDelayMs: rules.crawlDelayMs,
        signal,
      });
      const answer = await this.client.fetch(url, {
        maxBytes,
        timeoutMs: FETCH_TIMEOUT_MS,
        maxRedirects: 0,
        signal,
        ...(known ? { conditional: conditionOf(known) } : {}),
      });
      const bytes = answer.isUnchanged ? null : await readBody(answer);
      turn.release({ result: 'ok', ...(answer.retryAfterMs ? { retryAfterMs: answer.retryAfterMs } : {}) });
      return bytes === null ? { kind: 'unchanged' } : { kind: 'content', answer, bytes };
    } catch (error) {
      if (!(error instanceof WebFetchError)) throw error;
      turn?.release({ result: feedbackOf(error), retryAfterMs: error.retryAfterMs });
      if (error.code !== 'TOO_MANY_REDIRECTS') return { kind: 'error', error };
      return { kind: 'redirect', target: error.location === undefined ? null : normalizeUrl(error.location) };
    } finally {
      turn?.release();
    }
  }

  /** How long the host wants to be left alone, in milliseconds. */
  pauseMs(url: string): number {
    return this.gate.pauseMs(new URL(url).host);
  }
}

function conditionOf({ etag, lastModified }: Known): { etag?: string; lastModified?: string } {
  return { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
}

function feedbackOf({ kind, code }: WebFetchError): 'ok' | 'overloaded' | 'failed' {
  if (kind === 'rate-limited') return 'overloaded';
  return kind === 'transient' && code !== 'DNS_FAILED' ? 'failed' : 'ok';
}
