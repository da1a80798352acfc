import type { FetchResult, GuardedHttpClient } from '../guard/guarded-http.client.js';
import { WebFetchError } from '../guard/web-fetch.error.js';
import type { RobotsOutcome } from './robots-answer.js';
import { MAX_ROBOTS_BYTES } from './robots-file.js';

const TIMEOUT_MS = 20_000;
/** RFC 9309, section 2.3.1.2. */
const MAX_REDIRECTS = 5;

export interface FetchRobotsOptions {
  /** Default 20,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * Asks a host for its robots.txt.
 *
 * @param pageUrl any URL of the host
 * @throws WebFetchError of kind `blocked` for a host that may not be reached at all, and the reason of `signal`. A file
 * that lies where we may not go cannot be read, and that is all
 */
export async function fetchRobots(
  client: Pick<GuardedHttpClient, 'fetch'>,
  pageUrl: string,
  { timeoutMs = TIMEOUT_MS, signal }: FetchRobotsOptions = {},
): Promise<RobotsOutcome> {
  try {
    const answer = await client.fetch(new URL('/robots.txt', pageUrl).href, {
      // A longer file is not refused, only not read to its end.
      maxBytes: Number.MAX_SAFE_INTEGER,
      maxRedirects: MAX_REDIRECTS,
      timeoutMs,
      ...(signal ? { signal } : {}),
    });
    return { kind: 'file', content: await readBeginning(answer), url: answer.url };
  } catch (error) {
    if (!(error instanceof WebFetchError)) throw error;
    if (error.code === 'TOO_MANY_REDIRECTS') return { kind: 'too-many-redirects' };
    const { kind, status, location, userMessage } = error;
    if (kind === 'blocked' && location === undefined) throw error;
    return status === undefined ? { kind: 'unreachable', problem: userMessage } : { kind: 'status', status };
  }
}

async function readBeginning({ body }: FetchResult): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > MAX_ROBOTS_BYTES) break;
  }
  return Buffer.concat(chunks);
}
