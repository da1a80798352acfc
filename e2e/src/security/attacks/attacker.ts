import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ApiClient, RequestOptions } from '../../client/api-client.js';

/** An API client that counts its attempts and the statuses of the responses. Errors are part of an attack. */
export class Attacker {
  attempts = 0;
  /** Responses by status; 0 stands for a connection that the server has closed. */
  readonly statuses = new Map<number, number>();
  private readonly sockets: Socket[] = [];

  constructor(readonly api: ApiClient) {}

  /** @returns the status and the body; 0 and an empty body when there is no response */
  async send(
    method: string,
    path: string,
    json?: unknown,
    options: RequestOptions = {},
  ): Promise<{ status: number; text: string }> {
    this.attempts += 1;
    try {
      const response = await this.api.call(method, path, {
        ...(json === undefined ? {} : { json }),
        ...options,
      });
      this.count(response.status);
      return { status: response.status, text: response.text };
    } catch {
      this.count(0);
      return { status: 0, text: '' };
    }
  }

  /** Opens a connection and sends bytes. The responses are counted, unless the client reads nothing. */
  async connect(text: string, { reads = true } = {}): Promise<Socket> {
    this.attempts += 1;
    const { hostname, port } = new URL(this.api.baseUrl);
    const socket = connect(Number(port), hostname);
    this.sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect').catch(() => undefined);
    if (reads) {
      socket.on('data', (bytes: Buffer) => {
        for (const [, status] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g))
          this.count(Number(status));
      });
    } else socket.pause();
    socket.write(text);
    return socket;
  }

  /** The head of a request with the attacker's key. */
  head(method: string, path: string, headers: Readonly<Record<string, string | number>> = {}): string {
    const { pathname } = new URL(this.api.baseUrl);
    const lines = Object.entries({ Host: 'x', Authorization: `Bearer ${this.api.key}`, ...headers });
    return `${method} ${pathname}${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  }

  /** Closes the connections of {@link connect}. */
  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}
