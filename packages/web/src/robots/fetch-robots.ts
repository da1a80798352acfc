import { Cookies } from '../cookies/cookies.js';
import type { FetchResult, GuardedHttpClient } from '../guard/guarded-http.client.js';
import { WebFetchError } from '../guard/web-fetch.error.js';
import { type RobotsOutcome, unreadable } from './robots-answer.js';
import { MAX_ROBOTS_BYTES } from './robots-file.js';

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
