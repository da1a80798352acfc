import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningProcess } from '../product/running-process.js';
import { freePort } from './postgres.js';

/** A temporary Redis server, which can be killed and started again on the same port. */
export class RedisServer {
  private process: RunningProcess | undefined;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private readonly settings: Readonly<Record<string, string>>,
  ) {}

  /**
   * Starts `redis-server` from the PATH on a free port of the loopback interface.
   *
   * @param settings of its configuration file, beside those that the product needs
   */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
    const directory = await mkdtemp(join(tmpdir(), 'citewell-redis-'));
    const server = new RedisServer(directory, await freePort(), settings);
    await server.restart();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.process?.pid ?? NaN;
  }

  get isRunning(): boolean {
    return this.process?.isRunning ?? false;
  }

  async kill(): Promise<void> {
    await this.process?.kill();
  }

  /** Stops the server and deletes its data. */
  async stop(): Promise<void> {
    await this.process?.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Starts a killed server again. @param options.empty without its data */
  async restart({ empty = false }: { empty?: boolean } = {}): Promise<void> {
    if (empty) await rm(this.directory, { recursive: true, force: true });
    await mkdir(this.directory, { recursive: true });
    const settings = {
      port: `${this.port}`,
      bind: '127.0.0.1',
      dir: this.directory,
      appendonly: 'yes',
      'maxmemory-policy': 'noeviction',
      ...this.settings,
    };
    this.process = RunningProcess.run('redis', 'redis-server', {
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    });
    await waitForPort(this.port);
  }

  /** @returns the first line of the reply */
  async command(line: string): Promise<string> {
    return redisCommand(this.port, line);
  }
}

/** Sends an inline command to a server on the loopback interface. @returns the first line of the reply */
export async function redisCommand(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\n`));
  const [reply] = await once(socket.setEncoding('utf8'), 'data');
  socket.destroy();
  return String(reply).split('\r\n')[0] ?? '';
}

/**
 * Resolves when a server accepts connections on a port of the loopback interface.
 *
 * @param timeoutMs default 10,000
 * @throws Error after the timeout
 */
export async function waitForPort(port: number, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const socket = connect(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await sleep(25);
  }
  throw new Error(`Nothing listens on port ${port} after ${timeoutMs} ms`);
}
