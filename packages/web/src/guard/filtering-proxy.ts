import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { buildConnector } from 'undici';
import { AddressPolicy } from './address-policy.js';
import { transportError } from './fetch-errors.js';
import { parseFetchUrl } from './fetch-url.js';
import { guardedConnector, type Resolver, systemResolver } from './guarded-connector.js';
import { type ProxyOptions, ProxyRules } from './proxy-rules.js';
import { UpstreamProxy } from './upstream-proxy.js';
import { WebFetchError, type WebFetchErrorCode } from './web-fetch.error.js';

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 128;
const MAX_BYTES_PER_CONNECTION = 50 * 1024 * 1024;
const MAX_CONNECTION_MS = 120_000;
/** The port of the discard service (RFC 863), which nobody offers any more. */
const NO_PROXY_THERE = 'http://127.0.0.1:9';
/** Of one connection only (RFC 9110, section 7.6.1), and what browsers add for proxies. */
const HOP_BY_HOP =
  /^(connection|proxy-connection|proxy-authorization|proxy-authenticate|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

export type FilterRefusalCode = WebFetchErrorCode | 'TOO_MANY_CONNECTIONS';

/** A request that was refused, failed, or was cut. */
export interface FilterRefusal {
  /** The URL, or host and port of a tunnel. */
  target: string;
  code: FilterRefusalCode;
}

export interface FilteringProxyOptions {
  /** As in `GuardedHttpClientOptions`. */
  allowPrivateNetworks?: readonly string[];
  /** Default 10,000. */
  connectTimeoutMs?: number;
  /** Connections to servers at once. Default 128. */
  maxConnections?: number;
  /** Both directions together; a connection that goes on is cut with `TOO_LARGE`. Default 50 MiB. */
  maxBytesPerConnection?: number;
  /** Age at which a connection is cut with `TIMEOUT`, busy or not. Default 120,000. */
  maxConnectionMs?: number;
  /** The way out of a corporate network; see `ProxyRules` for what it does to the guard. Default: none. */
  proxy?: ProxyOptions;
  /** For tests. Default: the operating system's. */
  resolver?: Resolver;
  onRefusal?: (refusal: FilterRefusal) => void;
}

export interface FilteringProxyStats {
  /** To servers, now. */
  openConnections: number;
  /** To servers, ever. */
  connections: number;
  refusals: number;
  /** In both directions. */
  bytes: number;
}

/**
 * A browser's only way out: an HTTP proxy on 127.0.0.1 that connects to permitted addresses and ports alone, judged
 * while connecting, exactly as `GuardedHttpClient` does. What a page's scripts, frames and redirects ask for is judged
 * like the page itself, which no interception of requests within the browser can do: that sees names, not addresses.
 *
 * It does not look into tunnels and keeps nothing. Behind a further proxy it judges names, not connections.
 */
export class FilteringProxy {
  private readonly server: Server;
  private readonly connect: buildConnector.connector;
  private readonly upstream: { rules: ProxyRules; tunnels: UpstreamProxy; plain: UpstreamProxy } | null;
  private readonly open = new Set<Socket>();
  private connecting = 0;
  private readonly counts = { connections: 0, refusals: 0, bytes: 0 };

  /** Starts listening on a free port. */
  static async start(options: FilteringProxyOptions = {}): Promise<FilteringProxy> {
    const proxy = new FilteringProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  private constructor(private readonly options: FilteringProxyOptions) {
    const {
      allowPrivateNetworks,
      proxy,
      resolver = systemResolver,
      connectTimeoutMs = CONNECT_TIMEOUT_MS,
    } = options;
    const policy = new AddressPolicy(allowPrivateNetworks);
    this.connect = guardedConnector(policy, resolver, connectTimeoutMs);
    this.upstream = proxy
      ? {
          rules: new ProxyRules(proxy.bypass ?? [], policy, resolver),
          tunnels: new UpstreamProxy(proxy.url, connectTimeoutMs),
          plain: new UpstreamProxy(proxy.httpUrl ?? proxy.url, connectTimeoutMs),
        }
      : null;
    this.server = createServer((incoming, response) => void this.forward(incoming, response));
    this.server.on('connect', (incoming, socket, head) => void this.tunnel(incoming, socket, head));
    // A browser that breaks off is no error of ours.
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** `http://127.0.0.1:port` */
  get url(): string {
    // A server that listens on TCP has an AddressInfo.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get stats(): FilteringProxyStats {
    return { openConnections: this.open.size, ...this.counts };
  }

  /**
   * Arguments with which Chromium has no way around the proxy: loopback is not left out, as it is by default, there is
   * no QUIC and no WebRTC beside it, and names are not looked up ahead.
   *
   * The proxy itself is not among them, but one that is not there: what Chromium wants for itself, updates and accounts,
   * leads nowhere. Contexts, in which pages are opened, are given `contextProxy`.
   */
  chromiumArguments(): string[] {
    return [
      `--proxy-server=${NO_PROXY_THERE}`,
      '--proxy-bypass-list=<-loopback>',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--disable-quic',
      // The name that the flag has, and the one that it had: the wrong one is ignored, and UDP goes anywhere.
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--dns-prefetch-disable',
    ];
  }

  /** The proxy of a browser's context, in the words of CDP and playwright-core: all hosts, loopback too. */
  get contextProxy(): { server: string; bypass: string } {
    return { server: this.url, bypass: '<-loopback>' };
  }

  /** Cuts every connection and stops listening. */
  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const target = incoming.url ?? '';
    client.on('error', () => client.destroy());
    try {
      const server = await this.connectTo(tunnelUrl(target), target, client);
      if (client.destroyed) {
        server.destroy();
        return;
      }
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      server.write(head);
      server.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.on('close', () => server.destroy());
      server.pipe(client).pipe(server);
    } catch (error) {
      const code = this.refuse(target, error);
      client.end(`HTTP/1.1 ${statusOf(code)} Refused\r\nx-refusal: ${code}\r\ncontent-length: 0\r\n\r\n`);
    }
  }

  private async forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = incoming.url ?? '';
    try {
      const url = parseFetchUrl(target);
      if (url.protocol !== 'http:') throw badTarget();
      const server = await this.connectTo(url, target, incoming);
      if (response.destroyed) {
        server.destroy();
        return;
      }
      response.on('close', () => server.destroy());
      const upstream = this.upstreamFor(url)?.plain;
      const outgoing = request({
        createConnection: () => server,
        method: incoming.method ?? 'GET',
        // A proxy is asked for the whole address (RFC 9112, section 3.2.2).
        path: upstream ? `http://${url.host}${url.pathname}${url.search}` : url.pathname + url.search,
        headers: { ...withoutHopByHop(incoming.headers), ...upstream?.headers, host: url.host },
      });
      outgoing.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, withoutHopByHop(answer.headers));
        answer.on('error', () => response.destroy()).pipe(response);
      });
      outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
      incoming.on('error', () => outgoing.destroy()).pipe(outgoing);
    } catch (error) {
      const code = this.refuse(target, error);
      incoming.resume();
      response.writeHead(statusOf(code), { 'x-refusal': code, connection: 'close' }).end();
    }
  }

  /** @param source what goes to the server, counted with what comes from it */
  private async connectTo(url: URL, target: string, source: Readable): Promise<Socket> {
    const { maxConnections = MAX_CONNECTIONS } = this.options;
    if (this.open.size + this.connecting >= maxConnections) throw new TooManyConnections();
    this.connecting += 1;
    const socket = await this.openSocket(url).finally(() => (this.connecting -= 1));
    // Whoever uses it hears of its end by `close`.
    socket.on('error', () => undefined);
    this.supervise(socket, target, source);
    return socket;
  }

  private upstreamFor(url: URL) {
    return this.upstream?.rules.isDirect(url) === false ? this.upstream : null;
  }

  private async openSocket(url: URL): Promise<Socket> {
    const upstream = this.upstreamFor(url);
    if (upstream === null) return this.openDirectly(url);
    await upstream.rules.check(url);
    // Tunnels are given as https, see `tunnelUrl`.
    if (url.protocol === 'http:') return upstream.plain.connect();
    return upstream.tunnels.tunnelTo(`${url.hostname}:${url.port || '443'}`);
  }

  private openDirectly({ protocol, hostname, host, port }: URL): Promise<Socket> {
    return new Promise((resolve, reject) => {
      // The bytes of a tunnel are the browser's business: whatever it speaks, to us it is a plain connection.
      const portToUse = port || (protocol === 'https:' ? '443' : '80');
      this.connect({ hostname, host, protocol: 'http:', port: portToUse }, (error, socket) =>
        error ? reject(error) : resolve(socket),
      );
    });
  }

  private supervise(socket: Socket, target: string, source: Readable): void {
    const { maxBytesPerConnection = MAX_BYTES_PER_CONNECTION, maxConnectionMs = MAX_CONNECTION_MS } =
      this.options;
    this.counts.connections += 1;
    this.open.add(socket);
    const cut = (code: FilterRefusalCode): void => {
      this.report(target, code);
      socket.destroy();
    };
    const timer = setTimeout(cut, maxConnectionMs, 'TIMEOUT');
    const count = (): void => {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes > maxBytesPerConnection && !socket.destroyed) cut('TOO_LARGE');
    };
    socket.on('data', count);
    source.on('data', count);
    socket.on('close', () => {
      clearTimeout(timer);
      this.open.delete(socket);
      this.counts.bytes += socket.bytesRead + socket.bytesWritten;
    });
  }

  private refuse(target: string, error: unknown): FilterRefusalCode {
    const explained = transportError(error);
    const code = error instanceof TooManyConnections ? 'TOO_MANY_CONNECTIONS' : explained.code;
    this.report(target, code);
    return code;
  }

  private report(target: string, code: FilterRefusalCode): void {
    this.counts.refusals += 1;
    this.options.onRefusal?.({ target, code });
  }
}

class TooManyConnections extends Error {}

/** @throws WebFetchError `BAD_URL` or `PORT_BLOCKED` */
function tunnelUrl(target: string): URL {
  const url = parseFetchUrl(`https://${target}`);
  // Nothing but a host and a port can be meant.
  if (url.pathname !== '/' || url.search || url.hash || !/:\d+$/.test(target)) throw badTarget();
  return url;
}

function badTarget(): WebFetchError {
  return new WebFetchError(
    'blocked',
    'BAD_URL',
    'A proxy is asked for http:// addresses, or for a host and a port.',
  );
}

function statusOf(code: FilterRefusalCode): number {
  switch (code) {
    case 'BAD_URL':
      return 400;
    case 'PORT_BLOCKED':
    case 'ADDRESS_BLOCKED':
      return 403;
    case 'TOO_MANY_CONNECTIONS':
      return 503;
    case 'TIMEOUT':
      return 504;
    default:
      return 502;
  }
}

function withoutHopByHop(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name) && !named.includes(name)),
  );
}
