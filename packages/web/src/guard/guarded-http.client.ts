import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import type { Cookies } from '../cookies/cookies.js';
import { AddressPolicy } from './address-policy.js';
import { parseRetryAfter, statusError, timeoutError, transportError, WebFetchError } from './fetch-errors.js';
import { parseFetchUrl } from './fetch-url.js';
import { guardedConnector, type Resolver, systemResolver } from './guarded-connector.js';
import { limitedBody, tooLarge } from './limited-body.js';
import { parseProxyUrl, type ProxyOptions, ProxyRules } from './proxy-rules.js';

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_REDIRECTS = 10;
/** Responses with a status below 200 that may precede the response (RFC 9110, 15.2). Servers send one or two. */
const MAX_INTERIM_RESPONSES = 100;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface GuardedHttpClientOptions {
  /** A product name and a way to reach its operator. */
  userAgent: string;
  /** Networks in CIDR notation that are allowed although they are not public. Default: none. */
  allowPrivateNetworks?: readonly string[];
  /** Longest wait for the headers, and between two chunks of the body. Default 30,000. */
  idleTimeoutMs?: number;
  /** Time before the rate of a body is checked, see `BodyLimits`. Default 10,000. */
  slowBodyGraceMs?: number;
  /** The proxy of a corporate network, for http and https. See `ProxyRules` for the effect on the guard. */
  proxy?: ProxyOptions;
  /** For tests. Default: the resolver of the operating system. */
  resolver?: Resolver;
}

export interface FetchOptions {
  /** Maximum size of the body after decompression. */
  maxBytes: number;
  /** For everything: redirects, headers and body. */
  timeoutMs: number;
  /** Default 10. With 0, the error for a redirect has its target. */
  maxRedirects?: number;
  /** Aborts the fetch or the reading of its body, which then reject with the reason of the signal. */
  signal?: AbortSignal;
  /** Validators of the known version. An unchanged page has status 304 and no body. */
  conditional?: { etag?: string; lastModified?: string };
  /** Are sent, and get what the responses set, redirects included. Default: no cookies. */
  cookies?: Cookies;
}

export interface FetchResult extends ContentType, ResponseFacts {
  /** The URL of the response, after redirects. */
  url: string;
  /** 2xx, or 304 to a conditional request. */
  status: number;
  /** Whether the page still matches `conditional`. Then there is no body. */
  isUnchanged: boolean;
  headers: IncomingHttpHeaders;
  /**
   * Decompressed. Iterate over it once, to its end or until you `break`; or call `discard`. Throws
   * `WebFetchError`.
   */
  body: AsyncIterable<Uint8Array>;
  /** Closes a body that is not read. */
  discard(): void;
}

/**
 * Fetches pages whose URLs come from untrusted sources. On every hop it connects to public addresses only,
 * see `guardedConnector`. It gives up responses that are too large, too slow or compressed too much. It has
 * no cookies but those of `FetchOptions`.
 */
export class GuardedHttpClient {
  private readonly agent: Agent;
  private readonly proxy: GuardedProxy | null;

  constructor(private readonly options: GuardedHttpClientOptions) {
    const { idleTimeoutMs = IDLE_TIMEOUT_MS, resolver = systemResolver, proxy } = options;
    const policy = new AddressPolicy(options.allowPrivateNetworks);
    const timeouts = { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs };
    this.agent = new Agent({ connect: guardedConnector(policy, resolver, CONNECT_TIMEOUT_MS), ...timeouts });
    this.proxy = proxy
      ? new GuardedProxy(proxy, policy, resolver, { ...timeouts, connectTimeout: CONNECT_TIMEOUT_MS })
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
      return deadline.aborted ? timeoutError(error) : transportError(error);
    };

    let redirects = 0;
    let url = parseFetchUrl(rawUrl);
    try {
      for (;;) {
        const response = await this.send(url, options, signal);
        const location = locationOf(response);
        if (location === null) return this.resultOf(response, url, options, explain);
        dispose(response.body);
        redirects += 1;
        if (redirects > maxRedirects)
          throw tooManyRedirects(maxRedirects, URL.parse(location, url.href)?.href ?? location);
        url = parseFetchUrl(location, url);
      }
    } catch (error) {
      const explained = explain(error);
      if (explained instanceof WebFetchError && redirects > 0) explained.location ??= url.href;
      throw explained;
    }
  }

  /** Closes all connections, including those in use. */
  async close(): Promise<void> {
    await Promise.all([this.agent.destroy(), this.proxy?.close()]);
  }

  private async send(
    url: URL,
    { conditional = {}, cookies }: FetchOptions,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { etag, lastModified } = conditional;
    const cookie = cookies?.headerFor(url);
    const headers = {
      accept: '*/*',
      'user-agent': this.options.userAgent,
      // Not `deflate`: servers disagree about its format.
      'accept-encoding': 'gzip, br',
      ...(etag ? { 'if-none-match': etag } : {}),
      ...(lastModified ? { 'if-modified-since': lastModified } : {}),
      ...(cookie === undefined ? {} : { cookie }),
    };
    const proxied = await this.proxy?.dispatcherFor(url, signal);
    let interimResponses = 0;
    const onInfo = (): void => {
      interimResponses += 1;
      if (interimResponses > MAX_INTERIM_RESPONSES) throw tooManyInterimResponses();
    };
    const response = await request(url, { dispatcher: proxied ?? this.agent, headers, signal, onInfo });
    cookies?.store(url, [response.headers['set-cookie'] ?? []].flat());
    return response;
  }

  private resultOf(
    { statusCode: status, headers, body }: Dispatcher.ResponseData,
    url: URL,
    { maxBytes, conditional }: FetchOptions,
    explain: (error: unknown) => unknown,
  ): FetchResult {
    const isUnchanged = status === 304 && Boolean(conditional?.etag || conditional?.lastModified);
    if ((status < 200 || status > 299) && !isUnchanged) {
      dispose(body);
      throw statusError(status, single(headers['retry-after']));
    }
    if (Number(single(headers['content-length']) ?? 0) > maxBytes) {
      dispose(body);
      throw tooLarge(maxBytes);
    }
    // The deadline may end a body before its reader has begun.
    body.on('error', () => undefined);
    const encoding = isUnchanged ? '' : [headers['content-encoding'] ?? ''].flat().join(',');
    const { slowBodyGraceMs } = this.options;
    const limits = { maxBytes, ...(slowBodyGraceMs === undefined ? {} : { slowBodyGraceMs }) };
    return {
      url: url.href,
      status,
      isUnchanged,
      headers,
      ...readResponseFacts(headers, url, Date.now()),
      ...parseContentType(single(headers['content-type'])),
      body: explained(limitedBody(body, encoding, limits), explain),
      discard: () => dispose(body),
    };
  }
}

/**
 * Reads a body into memory. Its size is limited by the `maxBytes` of the fetch.
 *
 * @param onBytes called with the total number of bytes after each chunk, and awaited before the next one is
 *   read
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

/** @returns null for a response that is not a redirect */
function locationOf({ statusCode, headers }: Dispatcher.ResponseData): string | null {
  const location = REDIRECTS.has(statusCode) ? single(headers.location) : undefined;
  return location === undefined ? null : readHeader(location);
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

/** Destroys a body, which emits an error if it has not ended. */
function dispose(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function tooManyRedirects(maxRedirects: number, location: string): WebFetchError {
  const sentence = `The page redirects more than ${maxRedirects} times.`;
  return new WebFetchError('permanent', 'TOO_MANY_REDIRECTS', sentence, { location });
}

function tooManyInterimResponses(): WebFetchError {
  return new WebFetchError('permanent', 'BAD_RESPONSE', 'The server sent an invalid HTTP response.');
}

interface ContentType {
  /** For example `text/html`, in lower case; null if the header is absent or malformed. */
  contentType: string | null;
  /** The `charset` parameter in lower case, not validated; null if absent. */
  charset: string | null;
}

/** Parses a `Content-Type` header by the rules of the MIME Sniffing standard. */
function parseContentType(header: string | undefined): ContentType {
  try {
    const parsed = new MIMEType(header ?? '');
    return { contentType: parsed.essence, charset: parsed.params.get('charset')?.toLowerCase() || null };
  } catch {
    return { contentType: null, charset: null };
  }
}

/** Facts about a page from the headers of its response. */
interface ResponseFacts {
  /** For the next conditional request; null if absent. */
  etag: string | null;
  /** As the server wrote it, for the next conditional request; null if absent. */
  lastModified: string | null;
  /** The values of `X-Robots-Tag`, see `readRobotsDirectives`. */
  robotsTags: string[];
  /** The absolute target of `Link: <…>; rel="canonical"` (RFC 6596), on any host; null if absent. */
  canonicalUrl: string | null;
  /** `Retry-After` of a successful response; null if absent. */
  retryAfterMs: number | null;
}

/** @param url what relative URLs are relative to */
export function readResponseFacts(headers: IncomingHttpHeaders, url: URL, nowMs: number): ResponseFacts {
  return {
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    robotsTags: [headers['x-robots-tag'] ?? []].flat(),
    canonicalUrl: canonicalOf(readHeader([headers.link ?? []].flat().join(', ')), url),
    retryAfterMs: parseRetryAfter(headers['retry-after'], nowMs) ?? null,
  };
}

/**
 * Decodes UTF-8 in a header, whose octets Node returns as characters up to U+00FF. Servers use it in URLs.
 */
function readHeader(octets: string): string {
  const bytes = Buffer.from(octets, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : octets;
}

function canonicalOf(link: string, base: URL): string | null {
  for (const [, target = '', parameters = ''] of link.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    const resolved = relations.includes('canonical') ? URL.parse(target, base.href) : null;
    if (resolved && /^https?:$/.test(resolved.protocol)) return resolved.href;
  }
  return null;
}

/**
 * Sends requests through the proxy of the deployment: http as plain requests, https through a tunnel
 * (CONNECT). See `ProxyRules` for the effect on the guard.
 */
class GuardedProxy {
  private readonly agents: Readonly<Record<'http:' | 'https:', ProxyAgent>>;
  private readonly rules: ProxyRules;

  /** @throws TypeError for a proxy with anything but an http or https URL */
  constructor(
    { url, httpUrl = url, bypass = [] }: ProxyOptions,
    policy: AddressPolicy,
    resolve: Resolver,
    timeouts: { headersTimeout: number; bodyTimeout: number; connectTimeout: number },
  ) {
    const agentFor = (proxy: string): ProxyAgent =>
      new ProxyAgent({ uri: parseProxyUrl(proxy).href, proxyTunnel: false, allowH2: false, ...timeouts });
    const https = agentFor(url);
    this.agents = { 'https:': https, 'http:': httpUrl === url ? https : agentFor(httpUrl) };
    this.rules = new ProxyRules(bypass, policy, resolve);
  }

  /**
   * @returns null for a host with a direct connection
   * @throws WebFetchError `ADDRESS_BLOCKED`, or the reason of `signal`
   */
  async dispatcherFor(url: URL, signal: AbortSignal): Promise<Dispatcher | null> {
    if (this.rules.isDirect(url)) return null;
    await this.checkUntil(signal, url);
    return this.agents[url.protocol === 'http:' ? 'http:' : 'https:'];
  }

  async close(): Promise<void> {
    await Promise.all([...new Set(Object.values(this.agents))].map((agent) => agent.destroy()));
  }

  /** A lookup cannot be cancelled; the wait for it can. */
  private async checkUntil(signal: AbortSignal, url: URL): Promise<void> {
    signal.throwIfAborted();
    const done = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
    });
    await Promise.race([this.rules.check(url), aborted]).finally(() => done.abort());
  }
}
