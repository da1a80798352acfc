import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { buildConnector } from 'undici';
import { AddressPolicy } from './address-policy.js';
import { transportError, WebFetchError, type WebFetchErrorCode } from './fetch-errors.js';
import { type AllowedPorts, parseFetchUrl } from './fetch-url.js';
import { guardedConnector, type Resolver, systemResolver } from './guarded-connector.js';
import { type ProxyOptions, ProxyRules } from './proxy-rules.js';
import { UpstreamProxy } from './upstream-proxy.js';

export interface ConnectionLimits {
  connectTimeoutMs: number;
  /** Connections of the browser at once. */
  maxConnections: number;
  /** Both directions of a connection to a server together. */
  maxBytesPerConnection: number;
  /** Age at which a connection to a server is closed, even if it is in use. */
  maxConnectionMs: number;
}

const LIMITS: ConnectionLimits = {
  connectTimeoutMs: 10_000,
  maxConnections: 128,
  maxBytesPerConnection: 50 * 1024 * 1024,
  maxConnectionMs: 120_000,
};
/** The port of the discard service (RFC 863), which is no longer in use. */
const UNUSED_PROXY = 'http://127.0.0.1:9';
/** Headers of one connection (RFC 9110, section 7.6.1), and those that browsers add for proxies. */
const HOP_BY_HOP =
  /^(connection|proxy-connection|proxy-authorization|proxy-authenticate|keep-alive|te|trailer|transfer-encoding|upgrade)$/;
/** Statuses of refusals. All other codes are 502. */
const STATUSES: Partial<Record<WebFetchErrorCode, number>> = {
  BAD_URL: 400,
  PORT_BLOCKED: 403,
  ADDRESS_BLOCKED: 403,
  OFFLINE: 403,
  TIMEOUT: 504,
};

export interface FilteringProxyOptions {
  /** As in `GuardedHttpClientOptions`. */
  allowPrivateNetworks?: readonly string[];
  /** The proxy of a corporate network. See `ProxyRules` for the effect on the guard. Default: none. */
  proxy?: ProxyOptions;
  /** Ports of tunnels. Plain requests are always limited to those of the web. Default `web`. */
  ports?: AllowedPorts;
  /** Called for each connection that was refused or failed. */
  onFailure?: (error: WebFetchError) => void;
  /** For tests. Default: the resolver of the operating system. */
  resolver?: Resolver;
  /** Default: those of a browser. */
  limits?: Partial<ConnectionLimits>;
}

/**
 * The only network access of a program, such as a browser: an HTTP proxy on 127.0.0.1 that connects to permitted addresses and
 * ports only. It checks them while connecting, like `GuardedHttpClient`. Requests of scripts, frames and
 * redirects get the same check as the page. Interception of requests inside the browser could not do that: it
 * sees names, not addresses.
 *
 * It cannot see inside tunnels and stores nothing. Behind another proxy it checks names, not connections.
 */
export class FilteringProxy {
  private readonly server: Server;
  private readonly limits: ConnectionLimits;
  private readonly connect: buildConnector.connector;
  private readonly ports: AllowedPorts;
  private readonly onFailure: (error: WebFetchError) => void;
  private readonly upstream: { rules: ProxyRules; tunnels: UpstreamProxy; plain: UpstreamProxy } | null;
  /** Connections to servers. */
  private readonly sockets = new Set<Socket>();

  /** Starts listening on a free port. */
  static async start(options: FilteringProxyOptions = {}): Promise<FilteringProxy> {
    const proxy = new FilteringProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  private constructor({
    allowPrivateNetworks,
    proxy,
    ports = 'web',
    onFailure = () => undefined,
    resolver = systemResolver,
    limits,
  }: FilteringProxyOptions) {
    this.limits = { ...LIMITS, ...limits };
    this.ports = ports;
    this.onFailure = onFailure;
    const { connectTimeoutMs, maxConnections } = this.limits;
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
    this.server.maxConnections = maxConnections;
    this.server.on('connect', (incoming, socket, head) => void this.tunnel(incoming, socket, head));
    // The browser may close a connection at any time.
    this.server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** `http://127.0.0.1:port` */
  get url(): string {
    // A server that listens on TCP has an AddressInfo.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Arguments that leave Chromium no network access except through the proxy: loopback is not exempt, as it
   * is by default, and QUIC, WebRTC and DNS prefetching are off.
   *
   * The global proxy is an unused port, so that updates and other services of Chromium itself have no access.
   * Contexts, in which pages are opened, get `contextProxy`.
   */
  chromiumArguments(): string[] {
    return [
      `--proxy-server=${UNUSED_PROXY}`,
      '--proxy-bypass-list=<-loopback>',
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--disable-quic',
      // The present and the former name of the flag. An unknown flag is ignored, and UDP would be
      // unrestricted.
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--dns-prefetch-disable',
    ];
  }

  /** The proxy option of a browser context in CDP and playwright-core: for all hosts, including loopback. */
  get contextProxy(): { server: string; bypass: string } {
    return { server: this.url, bypass: '<-loopback>' };
  }

  /** Closes all connections and stops listening. */
  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    try {
      const server = await this.connectTo(tunnelUrl(incoming.url ?? '', this.ports), client);
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
      const failure = transportError(error);
      const { code } = failure;
      this.onFailure(failure);
      client.end(`HTTP/1.1 ${statusOf(code)} Refused\r\nx-refusal: ${code}\r\ncontent-length: 0\r\n\r\n`);
    }
  }

  private async forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = parseFetchUrl(incoming.url ?? '');
      if (url.protocol !== 'http:') throw badTarget();
      const server = await this.connectTo(url, incoming);
      if (response.destroyed) {
        server.destroy();
        return;
      }
      response.on('close', () => server.destroy());
      const upstream = this.upstreamFor(url)?.plain;
      const outgoing = request({
        createConnection: () => server,
        method: incoming.method ?? 'GET',
        // Requests to a proxy have the absolute URL (RFC 9112, section 3.2.2).
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
      const failure = transportError(error);
      const { code } = failure;
      this.onFailure(failure);
      incoming.resume();
      response.writeHead(statusOf(code), { 'x-refusal': code, connection: 'close' }).end();
    }
  }

  /** @param source the data for the server, which is counted like the data from it */
  private async connectTo(url: URL, source: Readable): Promise<Socket> {
    const socket = await this.openSocket(url);
    const { maxBytesPerConnection, maxConnectionMs } = this.limits;
    const timer = setTimeout(() => socket.destroy(), maxConnectionMs);
    const checkBytes = (): void => {
      if (socket.bytesRead + socket.bytesWritten > maxBytesPerConnection) socket.destroy();
    };
    source.on('data', checkBytes);
    this.sockets.add(socket);
    socket
      .on('data', checkBytes)
      // `close` follows.
      .on('error', () => undefined)
      .on('close', () => {
        clearTimeout(timer);
        this.sockets.delete(socket);
      });
    return socket;
  }

  private upstreamFor(url: URL) {
    return this.upstream?.rules.isDirect(url) === false ? this.upstream : null;
  }

  private async openSocket(url: URL): Promise<Socket> {
    const upstream = this.upstreamFor(url);
    if (upstream === null) return this.openDirectly(url);
    await upstream.rules.check(url);
    // Tunnels have the scheme https, see `tunnelUrl`.
    if (url.protocol === 'http:') return upstream.plain.connect();
    return upstream.tunnels.tunnelTo(`${url.hostname}:${url.port || '443'}`);
  }

  private openDirectly({ protocol, hostname, host, port }: URL): Promise<Socket> {
    return new Promise((resolve, reject) => {
      // A tunnel is a plain connection here: the browser does TLS inside it.
      const portToUse = port || (protocol === 'https:' ? '443' : '80');
      this.connect({ hostname, host, protocol: 'http:', port: portToUse }, (error, socket) =>
        error ? reject(error) : resolve(socket),
      );
    });
  }
}

/** @throws WebFetchError `BAD_URL` or `PORT_BLOCKED` */
function tunnelUrl(target: string, ports: AllowedPorts): URL {
  const url = parseFetchUrl(`https://${target}`, undefined, ports);
  if (url.pathname !== '/' || url.search || url.hash || !/:\d+$/.test(target)) throw badTarget();
  return url;
}

function badTarget(): WebFetchError {
  const sentence = 'The proxy accepts http:// addresses, and tunnels to a host and a port.';
  return new WebFetchError('blocked', 'BAD_URL', sentence);
}

function statusOf(code: WebFetchErrorCode): number {
  return STATUSES[code] ?? 502;
}

function withoutHopByHop(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const named = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.test(name) && !named.includes(name)),
  );
}
