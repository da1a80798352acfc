import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardedFetch, HostGate } from '@citewell/web';
import type { z } from 'zod';
import { isPublic, networkError, retryAfterOf } from '../network-error.js';
import { SourceError, type SourceErrorKind } from '../source.js';

const TIMEOUT_MS = 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 ** 2;
const MAX_REDIRECTS = 5;
const MAX_ATTEMPTS = { limited: 6, unavailable: 3 };
const FIRST_WAIT_MS = 500;
/** A service that asks to wait longer ends the sync, which goes on then. */
const MAX_WAIT_MS = 30_000;

interface WikiClientOptions {
  /** Name of the service, for sentences. */
  readonly service: string;
  /** Address of the service, without a `/` at the end. Headers are sent to its host only. */
  readonly base: string;
  /** Of each request, with the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly allowPrivateNetworks: readonly string[];
  /** Requests at once. */
  readonly concurrency: number;
  /** Milliseconds between the starts of two requests. */
  readonly delayMs: number;
}

/** The error for a status of a response that is no success. */
export class StatusError extends SourceError {
  constructor(
    readonly status: number,
    kind: SourceErrorKind,
    message: string,
    options: SourceError['options'] = {},
  ) {
    super(kind, message, options);
  }
}

/**
 * Asks a wiki for JSON and files. It connects as {@link guardedFetch} does, at the pace of the options. Requests that fail
 * for a moment are repeated, after the time that the service asks for.
 */
export class WikiClient {
  private readonly gate: HostGate;
  private readonly fetch: ReturnType<typeof guardedFetch>;

  private constructor(private readonly options: WikiClientOptions) {
    const { concurrency, delayMs } = options;
    this.gate = new HostGate({ concurrencyPerHost: concurrency, delayMs });
    this.fetch = guardedFetch(options.allowPrivateNetworks);
  }

  /** @throws SourceError `denied` for a token that would be readable in the Internet */
  static async open(options: WikiClientOptions): Promise<WikiClient> {
    const { protocol, hostname } = new URL(options.base);
    if ('authorization' in options.headers && protocol === 'http:' && (await isPublic(hostname)))
      throw new SourceError('denied', 'A token is sent to the Internet over https only.');
    return new WikiClient(options);
  }

  /**
   * @param url absolute, or relative to the address of the service
   * @param body is posted as JSON. The request must change nothing: it may be repeated
   * @throws SourceError, {@link StatusError}
   */
  async json<Answer>(
    url: string,
    schema: z.ZodType<Answer>,
    signal: AbortSignal,
    body?: object,
  ): Promise<Answer> {
    const response = await this.send(url, signal, body);
    const text = await textOf(response).catch((error: unknown) => {
      signal.throwIfAborted();
      throw networkError(error);
    });
    const { success, data } = schema.safeParse(parsed(text));
    if (success) return data;
    const { service } = this.options;
    throw new SourceError('denied', `This address does not answer as ${service} does. Check it.`);
  }

  /**
   * The bytes of a file. Redirects are followed; another host does not get the credentials.
   *
   * @param bytes its size, if the service tells it. Another size, as of a page to sign in, is an error of the stream
   */
  async download(url: string, bytes: number | null | undefined, signal: AbortSignal): Promise<Readable> {
    const { service } = this.options;
    let at = url;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const response = await this.send(at, signal, undefined, true);
      const target = URL.parse(response.headers.get('location') ?? '', this.absolute(at).href);
      if (response.status < 300) {
        const content = contentOf(response, bytes ?? null, service, signal);
        return Readable.from(content, { objectMode: false });
      }
      await response.body?.cancel();
      if (target === null) throw new SourceError('unavailable', `${service} redirects to no address.`);
      at = target.href;
    }
    throw new SourceError('unavailable', `${service} redirects in a circle.`);
  }

  /** @throws SourceError `unavailable` for a link of the service that leads to another host */
  sameHost(url: string): string {
    const { href, origin } = this.absolute(url);
    if (origin === new URL(this.options.base).origin) return href;
    throw new SourceError('unavailable', `${this.options.service} links its list to another host.`);
  }

  private absolute(url: string): URL {
    return new URL(/^https?:\/\//.test(url) ? url : this.options.base + url);
  }

  private async send(
    url: string,
    signal: AbortSignal,
    body?: object,
    isRedirected = false,
  ): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.sendOnce(url, signal, body, isRedirected);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        const { kind, options } = error;
        const waitMs = options.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
        const isMomentary = kind === 'limited' || kind === 'unavailable';
        if (!isMomentary || attempt >= MAX_ATTEMPTS[kind] || waitMs > MAX_WAIT_MS) throw error;
        await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  private async sendOnce(
    url: string,
    signal: AbortSignal,
    body: object | undefined,
    isRedirected: boolean,
  ): Promise<Response> {
    const address = this.absolute(url);
    const { base, headers } = this.options;
    const permit = await this.gate.acquire(address.host, { signal });
    try {
      const isOwn = address.origin === new URL(base).origin;
      const response = await this.fetch(address.href, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          ...(isOwn && headers),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'manual',
        // A file may take longer than an answer. Its pauses are limited.
        signal: isRedirected ? signal : AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const isFine = response.ok || (isRedirected && response.status >= 300 && response.status < 400);
      if (isFine) return response;
      await response.body?.cancel();
      throw this.statusError(response, address);
    } catch (error) {
      signal.throwIfAborted();
      throw networkError(error);
    } finally {
      permit.release();
    }
  }

  private statusError({ status, headers }: Response, url: URL): StatusError {
    const { service } = this.options;
    if (status === 429)
      return new StatusError(status, 'limited', `${service} asks to wait.`, retryAfterOf(headers));
    if (status >= 500) return new StatusError(status, 'unavailable', `${service} fails (status ${status}).`);
    if (status === 401)
      return new StatusError(
        status,
        'denied',
        `${service} refuses the token. It is wrong or has expired: enter a new one.`,
      );
    if (status === 403)
      return new StatusError(status, 'denied', `The account of the token may not read this in ${service}.`);
    if (status === 404 || status === 410)
      return new StatusError(
        status,
        'denied',
        `${service} does not have what was asked for. Check the address.`,
      );
    const target = URL.parse(headers.get('location') ?? '', url.href);
    if (status >= 300 && status < 400 && target !== null)
      return new StatusError(
        status,
        'denied',
        `The address leads to ${target.host}, perhaps to sign in there.`,
      );
    return new StatusError(status, 'denied', `${service} refuses a request (status ${status}).`);
  }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new SourceError('unavailable', 'An answer of the wiki is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* contentOf(
  response: Response,
  bytes: number | null,
  service: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      received += chunk.byteLength;
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw networkError(error);
  }
  if (bytes !== null && bytes !== received)
    throw new SourceError(
      'unavailable',
      `${service} gives ${received} bytes for a file of ${bytes}, perhaps a page to sign in.`,
    );
}
