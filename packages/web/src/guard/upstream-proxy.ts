import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { proxyError, timeoutError, WebFetchError } from './fetch-errors.js';
import { parseProxyUrl } from './proxy-rules.js';

/** A client of the deployment's proxy, for use by another proxy. */
export class UpstreamProxy {
  private readonly url: URL;
  private readonly host: string;
  private readonly port: number;
  /** Headers that the proxy needs with every request. */
  readonly headers: Readonly<Record<string, string>>;

  /** @throws TypeError for anything but an http or https URL */
  constructor(
    url: string,
    private readonly connectTimeoutMs: number,
  ) {
    this.url = parseProxyUrl(url);
    this.host = this.url.hostname.replace(/^\[(.*)\]$/, '$1');
    this.port = Number(this.url.port || (this.isSecure ? 443 : 80));
    const credentials = [this.url.username, this.url.password].map(decodeURIComponent).join(':');
    this.headers = this.url.username
      ? { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
      : {};
  }

  /** Connects to the proxy, for http requests. @throws WebFetchError `PROXY_FAILED`, `TIMEOUT` */
  async connect(): Promise<Socket> {
    const { host, port } = this;
    const socket = this.isSecure ? connectTls({ host, port, servername: host }) : connectTcp({ host, port });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(timeoutError()), this.connectTimeoutMs);
      socket.once(this.isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        resolve(socket);
      });
      socket.once('error', (error) => {
        clearTimeout(timer);
        reject(error instanceof WebFetchError ? error : proxyError(error));
      });
    });
  }

  /**
   * Connects through the proxy.
   *
   * @param target host and port
   * @throws WebFetchError `PROXY_FAILED`, `TIMEOUT`
   */
  async tunnelTo(target: string): Promise<Socket> {
    const { host, port, headers } = this;
    const request = this.isSecure ? httpsRequest : httpRequest;
    const outgoing = request({
      host,
      port,
      // Otherwise the certificate of the proxy would be checked for the name in the `host` header.
      servername: host,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...headers },
      agent: false,
    });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => outgoing.destroy(timeoutError()), this.connectTimeoutMs);
      outgoing.once('close', () => clearTimeout(timer));
      outgoing.once('error', (error) => reject(error instanceof WebFetchError ? error : proxyError(error)));
      outgoing.once('connect', ({ statusCode }, socket, head) => {
        clearTimeout(timer);
        if (statusCode !== 200) {
          socket.destroy();
          reject(proxyError(new Error(`the proxy responded with status ${statusCode}`)));
          return;
        }
        if (head.length > 0) socket.unshift(head);
        // With `agent: false` the socket is one of `net` or `tls`.
        resolve(socket as Socket);
      });
      outgoing.end();
    });
  }

  private get isSecure(): boolean {
    return this.url.protocol === 'https:';
  }
}
