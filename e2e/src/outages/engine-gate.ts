import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * TCP proxy in front of an engine, to simulate an outage. Closed, existing connections are reset and new ones
 * are refused, as when the engine has stopped. Opened again, the engine is reachable on the same port with
 * its data.
 */
export class EngineGate {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param enginePort port of the engine on the loopback interface */
  static async before(enginePort: number): Promise<EngineGate> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The gate has no port');
    const gate = new EngineGate(server, address.port);
    server.on('connection', (client) => gate.connectSockets(client, connect(enginePort, '127.0.0.1')));
    return gate;
  }

  /** The engine's URL with the port of the gate. */
  urlFor(engineUrl: string): string {
    const url = new URL(engineUrl);
    url.port = `${this.port}`;
    // No trailing slash: some clients append their own path.
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

  private connectSockets(client: Socket, engine: Socket): void {
    for (const [socket, peer] of [
      [client, engine],
      [engine, client],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => peer.destroy());
      socket.on('close', () => {
        this.sockets.delete(socket);
        peer.destroy();
      });
      socket.pipe(peer);
    }
  }
}
