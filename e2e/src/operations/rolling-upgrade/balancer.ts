import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards requests to the API processes in turn, as the Service of a cluster does. It never repeats a request. */
export class Balancer {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  private origins: readonly string[] = [];
  private turn = 0;

  private constructor() {
    this.server = createServer((incoming, outgoing) => this.forward(incoming, outgoing));
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    await once(balancer.server.listen(0, '127.0.0.1'), 'listening');
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  add(origin: string): void {
    this.origins = [...this.origins, origin];
  }

  /** Sends no further requests to this process. Those that it has begun go on. */
  remove(origin: string): void {
    this.origins = this.origins.filter((one) => one !== origin);
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.turn += 1;
    const origin = this.origins[this.turn % this.origins.length] ?? '';
    const { method, headers } = incoming;
    const forwarded = request(new URL(incoming.url ?? '/', origin), { method, headers, agent: this.agent });
    forwarded.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(forwarded);
  }
}
