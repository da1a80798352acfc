import {
  type FetchResult,
  GuardedHttpClient,
  HostGate,
  type HostTurn,
  normalizeUrl,
  readBody,
  WebFetchError,
} from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';
import { HostBusyError } from './host-busy.error.js';
import { RobotsService } from './robots.service.js';

const FETCH_TIMEOUT_MS = 60_000;
/** A host that wants a longer pause is come back to: others have work for us. */
const LONGEST_PAUSE_MS = 10_000;
/** The longest wait for one's turn: with a `Crawl-delay`, those before take theirs. */
const LONGEST_WAIT_MS = 30_000;

/** One polite answer. */
export type Fetched =
  | { readonly kind: 'content'; readonly answer: FetchResult; readonly bytes: Uint8Array }
  | { readonly kind: 'unchanged' }
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
  readonly signal: AbortSignal;
}

/** Fetches one URL the way its host wants it: robots.txt obeyed, in turn, no redirect followed. */
@Injectable()
export class UrlFetcher {
  private readonly waiting = new Set<{ host: string; patience: AbortController }>();

  constructor(
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(RobotsService) private readonly robots: RobotsService,
    @Inject(HostGate) private readonly gate: HostGate,
  ) {}

  /** @throws HostBusyError, or the signal's reason */
  async fetch(url: string, options: FetchUrlOptions): Promise<Fetched> {
    const { host } = new URL(url);
    let turn: HostTurn | undefined;
    try {
      const { rules, isKnown } = await this.robots.rulesFor(url, options.signal);
      if (!rules.allows(url))
        return isKnown ? { kind: 'forbidden' } : { kind: 'error', error: unknownRules() };
      turn = await this.turnAt(host, rules.crawlDelayMs, options.signal);
      const { maxBytes, signal, known } = options;
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
      this.sendAwayFrom(host);
      if (error.code !== 'TOO_MANY_REDIRECTS') return { kind: 'error', error };
      const { location = null } = error;
      return { kind: 'redirect', location, target: location === null ? null : normalizeUrl(location) };
    } finally {
      turn?.release();
    }
  }

  private async turnAt(host: string, crawlDelayMs: number | null, signal: AbortSignal): Promise<HostTurn> {
    const pauseMs = this.gate.pauseMs(host);
    if (pauseMs > LONGEST_PAUSE_MS) throw new HostBusyError(host, pauseMs);
    const waiter = { host, patience: new AbortController() };
    const timer = setTimeout(() => waiter.patience.abort(), LONGEST_WAIT_MS);
    this.waiting.add(waiter);
    try {
      const either = AbortSignal.any([signal, waiter.patience.signal]);
      return await this.gate.acquire(host, { crawlDelayMs, signal: either });
    } catch (error) {
      if (signal.aborted || !waiter.patience.signal.aborted) throw error;
      throw new HostBusyError(host, this.gate.pauseMs(host));
    } finally {
      clearTimeout(timer);
      this.waiting.delete(waiter);
    }
  }

  /** Those who wait for their turn at a host that has just asked for a long pause. */
  private sendAwayFrom(host: string): void {
    if (this.gate.pauseMs(host) <= LONGEST_PAUSE_MS) return;
    for (const waiter of this.waiting) if (waiter.host === host) waiter.patience.abort();
  }
}

/** What the server calls the version that it sent; null when it does not. */
export function validatorsOf({ etag, lastModified }: FetchResult): Known | null {
  return etag === null && lastModified === null ? null : { etag, lastModified };
}

/** As long as nobody can tell what may be fetched, nothing is; that says nothing about the page. */
function unknownRules(): WebFetchError {
  return new WebFetchError(
    'transient',
    'CONNECTION_FAILED',
    'The robots.txt of the web server cannot be read.',
  );
}

function conditionOf({ etag, lastModified }: Known): { etag?: string; lastModified?: string } {
  return { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
}

function feedbackOf({ kind, code }: WebFetchError): 'ok' | 'overloaded' | 'failed' {
  if (kind === 'rate-limited') return 'overloaded';
  return kind === 'transient' && code !== 'DNS_FAILED' ? 'failed' : 'ok';
}
