import { rm, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, waitForPort } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';

/** A Redis server that can be killed and started again on the same port, with or without its data. */
export class RedisProcess {
  private process: RunningProcess | undefined;

  private constructor(
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async start(directory: string): Promise<RedisProcess> {
    const redis = new RedisProcess(join(directory, 'redis'), await freePort());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async kill(): Promise<void> {
    await this.process?.kill();
  }

  async stop(): Promise<void> {
    await this.process?.terminate();
  }

  async restart({ empty = false }: { empty?: boolean } = {}): Promise<void> {
    if (empty) await rm(this.directory, { recursive: true, force: true });
    await mkdir(this.directory, { recursive: true });
    const settings = {
      port: `${this.port}`,
      bind: '127.0.0.1',
      dir: this.directory,
      appendonly: 'yes',
      'maxmemory-policy': 'noeviction',
    };
    this.process = RunningProcess.run('redis', 'redis-server', {
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      logFile: join(this.directory, '..', 'redis.log'),
    });
    await waitForPort(this.port);
  }

  /** Sends an inline command. @returns the first line of the reply */
  async command(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(`${line}\r\n`));
      socket.setEncoding('utf8');
      socket.once('data', (text: string) => {
        socket.destroy();
        resolve(text.split('\r\n')[0] ?? '');
      });
      socket.once('error', reject);
    });
  }
}
