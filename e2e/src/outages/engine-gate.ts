import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Stands before an engine on a port of its own. Closed, it is what a stopped engine is to its clients: connections break
 * and new ones are refused. Opened again, the engine is back on the same port with its data.
 */
export class EngineGate {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param enginePort on the loopback interface, where the engine listens */
  static async before(enginePort: number): Promise<EngineGate> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The gate has no port');
    const gate = new EngineGate(server, address.port);
    server.on('connection', (client) => gate.pass(client, connect(enginePort, '127.0.0.1')));
    return gate;
  }

  /** The engine's address, through the gate. */
  urlFor(engineUrl: string): string {
    const url = new URL(engineUrl);
    url.port = `${this.port}`;
    // A path of nothing but a slash is none, for those who add their own.
    return url.pathname === '/' ? url.href.replace(/\/$/, '') : url.href;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.resetAndDestroy();
    await closed;
  }

  async open(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private pass(client: Socket, engine: Socket): void {
    for (const [socket, other] of [
      [client, engine],
      [engine, client],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  }
}
