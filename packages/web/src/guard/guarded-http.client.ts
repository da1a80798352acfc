import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Agent, type Dispatcher, request } from 'undici';
import { AddressPolicy } from './address-policy.js';
import { type ContentType, parseContentType } from './content-type.js';
import { statusError, timeout, transportError } from './fetch-errors.js';
import { parseFetchUrl } from './fetch-url.js';
import { guardedConnector, type Resolver, systemResolver } from './guarded-connector.js';
import { GuardedProxy } from './guarded-proxy.js';
import { type BodyLimits, limitedBody, tooLarge } from './limited-body.js';
import type { ProxyOptions } from './proxy-rules.js';
import { readHeader, readResponseFacts, type ResponseFacts } from './response-facts.js';
import { WebFetchError } from './web-fetch.error.js';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_REDIRECTS = 10;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What a caller may not set: the connection's own business, and what the guard decides. */
const OWN_HEADERS =
  /^(host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|accept-encoding|proxy-.*)$/;
/** What goes along a redirect. A list of what may, because any other header may turn out to be a credential. */
const HARMLESS_HEADERS =
  /^(accept|accept-language|accept-encoding|user-agent|if-none-match|if-modified-since)$/;

export interface GuardedHttpClientOptions {
  /** Who we say we are: a product name and a way to reach its operator. */
  userAgent: string;
  /** Networks in CIDR notation that are open although they are not public. Default: none. */
  allowPrivateNetworks?: readonly string[];
  /** Longest wait for a connection, look-up of the name included. Default 10,000. */
  connectTimeoutMs?: number;
  /** Longest silence before the headers, and between two pieces of the body. Default 30,000. */
  idleTimeoutMs?: number;
  /** How fast a body must come at least; see `BodyLimits`. */
  slowBody?: Pick<BodyLimits, 'minBytesPerSecond' | 'slowBodyGraceMs'>;
  /** The way out of a corporate network, for http and https; see `ProxyRules` for what it does to the guard. */
  proxy?: ProxyOptions;
  /** For tests. Default: the operating system's. */
  resolver?: Resolver;
}

export interface FetchOptions {
  /** Default `GET`. */
  method?: 'GET' | 'HEAD';
  /** They go to the first address only: along a redirect goes nothing that could be a credential. */
  headers?: Readonly<Record<string, string>>;
  /** The most bytes of body after decompression. */
  maxBytes: number;
  /** Time for all of it: redirects, headers and body. */
  timeoutMs: number;
  /** Default 10. With 0, the error of a redirect says where it leads. */
  maxRedirects?: number;
  /** Ends the fetch, or the reading of its body; both then reject with the signal's reason. */
  signal?: AbortSignal;
  /** What is known of the page already; an unchanged one answers with status 304 and no body. */
  conditional?: { etag?: string; lastModified?: string };
}

export interface FetchResult extends ContentType, ResponseFacts {
  /** The address that answered, after redirects. */
  url: string;
  /** Every address on the way that redirected, the first one first; empty without redirects. */
  redirects: string[];
  /** 2xx, or 304 to a conditional request. */
  status: number;
  /** The page is still what `conditional` has described: there is no body. */
  isUnchanged: boolean;
  headers: IncomingHttpHeaders;
  /** Decompressed. Read it once, to its end or until you `break`; or call `discard`. Throws `WebFetchError`. */
  body: AsyncIterable<Uint8Array>;
  /** Gives up a body that nobody will read. */
  discard(): void;
}

/**
 * Fetches pages that strangers have named. It reaches public addresses only (see `guardedConnector`), on every hop,
 * and gives up on what is too large, too slow or inflates too much. It keeps no cookies.
 */
export class GuardedHttpClient {
  private readonly agent: Agent;
  private readonly proxy: GuardedProxy | null;

  constructor(private readonly options: GuardedHttpClientOptions) {
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
    const policy = new AddressPolicy(options.allowPrivateNetworks);
    const resolver = options.resolver ?? systemResolver;
    const timeouts = { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs };
    this.agent = new Agent({ connect: guardedConnector(policy, resolver, connectTimeoutMs), ...timeouts });
    this.proxy = options.proxy
      ? new GuardedProxy(options.proxy, policy, resolver, { ...timeouts, connectTimeout: connectTimeoutMs })
      : null;
  }

  /** @throws WebFetchError, or the reason of `signal` */
  async fetch(rawUrl: string, options: FetchOptions): Promise<FetchResult> {
    const { signal: cancelled, timeoutMs, maxRedirects = DEFAULT_MAX_REDIRECTS } = options;
    cancelled?.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = cancelled ? AbortSignal.any([cancelled, deadline]) : deadline;
    const explain = (error: unknown): unknown => {
      if (cancelled?.aborted) return cancelled.reason;
      return deadline.aborted ? timeout(error) : transportError(error);
    };

    const redirects: string[] = [];
    let url = parseFetchUrl(rawUrl);
    let headers = this.headersFor(options);
    try {
      for (;;) {
        const answer = await this.send(url, headers, options.method ?? 'GET', signal);
        const said = REDIRECTS.has(answer.statusCode) ? single(answer.headers.location) : undefined;
        const location = said === undefined ? undefined : readHeader(said);
        if (location === undefined)
          return accept(answer, url, redirects, options, explain, this.options.slowBody);
        dispose(answer.body);
        redirects.push(url.href);
        if (redirects.length > maxRedirects)
          throw tooManyRedirects(maxRedirects, URL.parse(location, url.href)?.href ?? location);
        url = parseFetchUrl(location, url);
        headers = withoutCredentials(headers);
      }
    } catch (error) {
      const explained = explain(error);
      if (explained instanceof WebFetchError && redirects.length > 0) explained.location ??= url.href;
      throw explained;
    }
  }

  /** Closes every connection, busy ones too. */
  async close(): Promise<void> {
    await Promise.all([this.agent.destroy(), this.proxy?.close()]);
  }

  private async send(
    url: URL,
    headers: Record<string, string>,
    method: 'GET' | 'HEAD',
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const proxied = await this.proxy?.dispatcherFor(url, signal);
    return request(url, { dispatcher: proxied ?? this.agent, method, headers, signal });
  }

  private headersFor({ headers = {}, conditional = {} }: FetchOptions): Record<string, string> {
    const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    return {
      accept: '*/*',
      'user-agent': this.options.userAgent,
      ...Object.fromEntries(given.filter(([name]) => !OWN_HEADERS.test(name))),
      // What `deflate` means, servers do not agree on.
      'accept-encoding': 'gzip, br',
      ...(conditional.etag ? { 'if-none-match': conditional.etag } : {}),
      ...(conditional.lastModified ? { 'if-modified-since': conditional.lastModified } : {}),
    };
  }
}

/**
 * Reads a body into memory. Its size is bounded by the `maxBytes` of the fetch.
 *
 * @param onBytes is told how many have come, and waited for before more are read
 */
export async function readBody(
  { body }: FetchResult,
  onBytes: (bytes: number) => Promise<void> | undefined = () => undefined,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    await onBytes(bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function accept(
  answer: Dispatcher.ResponseData,
  url: URL,
  redirects: string[],
  { method = 'GET', maxBytes, conditional }: FetchOptions,
  explain: (error: unknown) => unknown,
  slowBody: GuardedHttpClientOptions['slowBody'],
): FetchResult {
  const { statusCode: status, headers, body } = answer;
  const unchanged = status === 304 && Boolean(conditional?.etag || conditional?.lastModified);
  if ((status < 200 || status > 299) && !unchanged) {
    dispose(body);
    throw statusError(status, single(headers['retry-after']));
  }
  if (method === 'GET' && Number(single(headers['content-length']) ?? 0) > maxBytes) {
    dispose(body);
    throw tooLarge(maxBytes);
  }
  const limits = { maxBytes, ...slowBody };
  // The deadline may end a body before anyone has begun to read it.
  body.on('error', () => undefined);
  const encoding = unchanged || method === 'HEAD' ? '' : [headers['content-encoding'] ?? ''].flat().join(',');
  return {
    url: url.href,
    redirects,
    status,
    isUnchanged: unchanged,
    headers,
    ...readResponseFacts(headers, url, Date.now()),
    ...parseContentType(single(headers['content-type'])),
    body: explained(limitedBody(body, encoding, limits), explain),
    discard: () => dispose(body),
  };
}

async function* explained(
  body: AsyncIterable<Uint8Array>,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw explain(error);
  }
}

/** A body must be read or destroyed, and one that is destroyed early reports that as an error nobody awaits. */
function dispose(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS_HEADERS.test(name)));
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function tooManyRedirects(maxRedirects: number, location: string): WebFetchError {
  return new WebFetchError(
    'permanent',
    'TOO_MANY_REDIRECTS',
    `The page redirects more than ${maxRedirects} times.`,
    { location },
  );
}
