import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A connection of a client, and the one to the engine that belongs to it. */
interface Link {
  readonly client: Socket;
  readonly engine: Socket;
  bytes: number;
  /** Carries nothing any more. */
  isLost: boolean;
}

/**
 * TCP proxy in front of an engine, to simulate outages. Afterwards the engine is reachable on the same port with its
 * data.
 */
export class EngineGate {
  private readonly links = new Set<Link>();
  private latencyMs = 0;
  private maxBytes = Infinity;
  private isSilent = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
    /** Port of the engine on the loopback interface. May change while nobody is connected. */
    public enginePort: number,
  ) {}

  /** @param enginePort port of the engine on the loopback interface */
  static async before(enginePort: number): Promise<EngineGate> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The gate has no port');
    const gate = new EngineGate(server, address.port, enginePort);
    server.on('connection', (client) => gate.link(client, connect(gate.enginePort, '127.0.0.1')));
    return gate;
  }

  /** The engine's URL with the port of the gate. */
  urlFor(engineUrl: string): string {
    const url = new URL(engineUrl);
    url.port = `${this.port}`;
    // No trailing slash: some clients append their own path.
    return url.pathname === '/' ? url.href.replace(/\/$/, '') : url.href;
  }

  /** Resets existing connections and refuses new ones, as when the engine has stopped. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const link of this.links) reset(link);
    await closed;
  }

  async open(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Delays every piece of data, in both directions. 0 ends it. */
  delay(latencyMs: number): void {
    this.latencyMs = latencyMs;
  }

  /** Resets each connection after this number of further bytes. Infinity ends it. */
  resetAfter(maxBytes: number): void {
    this.maxBytes = maxBytes;
    for (const link of this.links) link.bytes = 0;
  }

  /**
   * Forwards nothing and closes nothing. Afterwards new connections work, and those of before stay silent: neither side
   * learns that the other one has closed, as behind a firewall that has lost its table.
   */
  silence(isSilent: boolean): void {
    this.isSilent = isSilent;
    if (isSilent) for (const link of this.links) link.isLost = true;
  }

  private link(client: Socket, engine: Socket): void {
    const link = { client, engine, bytes: 0, isLost: this.isSilent };
    this.links.add(link);
    this.connect(link, client, engine);
    this.connect(link, engine, client);
  }

  private connect(link: Link, from: Socket, to: Socket): void {
    let sent = Promise.resolve();
    from.setNoDelay(true);
    from.on('data', (piece: Buffer) => {
      from.pause();
      sent = sent.then(() => this.forward(link, piece, to)).then(() => void from.resume());
    });
    // `close` follows.
    from.on('error', () => undefined);
    from.on('close', (isBroken) => {
      if (link.isLost) return;
      this.links.delete(link);
      if (isBroken) to.destroy();
      else void sent.then(() => to.end());
    });
  }

  private async forward(link: Link, piece: Buffer, to: Socket): Promise<void> {
    if (this.latencyMs > 0) await sleep(this.latencyMs);
    if (link.isLost || to.destroyed) return;
    link.bytes += piece.length;
    if (link.bytes > this.maxBytes) return reset(link);
    await new Promise<void>((written) => to.write(piece, () => written()));
  }
}

function reset({ client, engine }: Link): void {
  client.resetAndDestroy();
  engine.resetAndDestroy();
}
