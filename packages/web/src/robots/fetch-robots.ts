import { Cookies } from '../cookies/cookies.js';
import type { FetchResult, GuardedHttpClient } from '../guard/guarded-http.client.js';
import { WebFetchError } from '../guard/fetch-errors.js';
import { MAX_ROBOTS_BYTES, RobotsFile } from './robots-file.js';

const TIMEOUT_MS = 20_000;
/** RFC 9309, section 2.3.1.2. */
const MAX_REDIRECTS = 5;
/** Problems that every request to the host has. */
const HOST_PROBLEMS: ReadonlySet<string> = new Set(['DNS_FAILED', 'CONNECTION_FAILED', 'TLS_FAILED']);

/**
 * Fetches the robots.txt of a host.
 *
 * @param pageUrl any URL of the host
 * @throws WebFetchError of kind `blocked` if the host itself may not be reached, or the reason of `signal`. A
 *   file that redirects to a blocked address is `unreachable`
 */
export async function fetchRobots(
  client: Pick<GuardedHttpClient, 'fetch'>,
  pageUrl: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<RobotsOutcome> {
  try {
    const response = await client.fetch(new URL('/robots.txt', pageUrl).href, {
      // `readStart` stops reading a longer file. It is not an error.
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxRedirects: MAX_REDIRECTS,
      timeoutMs: TIMEOUT_MS,
      cookies: new Cookies(),
      ...(signal ? { signal } : {}),
    });
    return { kind: 'file', content: await readStart(response), url: response.url };
  } catch (error) {
    if (!(error instanceof WebFetchError)) throw error;
    if (error.code === 'TOO_MANY_REDIRECTS') return { kind: 'too-many-redirects' };
    const { kind, status, location, code, userMessage } = error;
    if (kind === 'blocked' && location === undefined) throw error;
    if (status !== undefined) return { kind: 'status', status };
    const isAboutHost = HOST_PROBLEMS.has(code) && location === undefined;
    return { kind: 'unreachable', problem: isAboutHost ? userMessage : unreadable(userMessage) };
  }
}

async function readStart({ body }: FetchResult): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > MAX_ROBOTS_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/**
 * How long a file or its absence is valid. RFC 9309, section 2.4, allows 24 hours; changes should take effect
 * sooner.
 */
const FRESH_MS = 10 * 60 * 1000;
/** Nothing may be fetched while a file cannot be reached, so it is asked for again soon. */
const RETRY_MS = 5_000;

const ALLOW_ALL = new RobotsFile('');
const DISALLOW_ALL = new RobotsFile('User-agent: *\nDisallow: /');

/** The result of fetching a robots.txt. */
export type RobotsOutcome =
  | { kind: 'file'; content: Uint8Array; url: string }
  /** Any status other than 2xx, after at most five redirects. */
  | { kind: 'status'; status: number }
  | { kind: 'too-many-redirects' }
  /** No response. @param problem the reason, for the person who entered the URL */
  | { kind: 'unreachable'; problem: string };

/** What applies to a host until `expiresAtMs`. */
export interface RobotsAnswer {
  /**
   * - `file`: the rules of the file
   * - `unavailable` (RFC 9309): a 3xx or 4xx status except 429, or too many redirects: everything is allowed
   * - `unreachable`: the server is in trouble, so the last known file applies, or nothing is allowed
   */
  readonly state: 'file' | 'unavailable' | 'unreachable';
  readonly robots: RobotsFile;
  /** When to ask again, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** The reason for `unreachable`, for the person who entered the URL; else null. */
  readonly problem: string | null;
}

/**
 * Interprets an outcome (RFC 9309, section 2.3.1). After a 4xx status everything is allowed. After 5xx, 429
 * or no response nothing is allowed. (The RFC treats 429 like other 4xx, but that server asks for fewer
 * requests.)
 *
 * @param previous the last answer, expired or not; its file remains valid while the server is in trouble
 */
export function robotsFor(outcome: RobotsOutcome, nowMs: number, previous?: RobotsAnswer): RobotsAnswer {
  switch (outcome.kind) {
    case 'file':
      return reached('file', new RobotsFile(outcome.content, outcome.url), nowMs);
    case 'too-many-redirects':
      return reached('unavailable', ALLOW_ALL, nowMs);
    case 'status':
      return outcome.status >= 500 || outcome.status === 429
        ? unreachable(unreadable(`The server responded with status ${outcome.status}.`), nowMs, previous)
        : reached('unavailable', ALLOW_ALL, nowMs);
    case 'unreachable':
      return unreachable(outcome.problem, nowMs, previous);
  }
}

/** A sentence for problems of the file alone: those of its server are the problem of every page. */
function unreadable(reason: string): string {
  return `The robots.txt of the web server cannot be read. ${reason}`;
}

function reached(state: 'file' | 'unavailable', robots: RobotsFile, nowMs: number): RobotsAnswer {
  return { state, robots, expiresAtMs: nowMs + FRESH_MS, problem: null };
}

function unreachable(problem: string, nowMs: number, previous: RobotsAnswer | undefined): RobotsAnswer {
  const hasFile = previous !== undefined && previous.robots !== ALLOW_ALL;
  return {
    state: 'unreachable',
    robots: hasFile ? previous.robots : DISALLOW_ALL,
    expiresAtMs: nowMs + RETRY_MS,
    problem,
  };
}
