import { spawnSync } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresServer } from '@citewell/database/embedded';
import { freePort, RedisServer, waitForPort } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';
import type { Environment } from './deployment.js';
import { descendantsOf } from './processes.js';
import { EngineGate } from './engine-gate.js';

/** Environment variables of the product with servers behind their gates. s3rver accepts no other credentials. */
export function environmentOf(
  servers: Readonly<Record<'postgres' | 'redis' | 's3', Dependency>>,
): Environment {
  return {
    DATABASE_URL: servers.postgres.url,
    REDIS_URL: servers.redis.url,
    S3_ENDPOINT: servers.s3.url,
    S3_BUCKET: BUCKET,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
}

/** A server that the product needs, behind a gate. */
export class Dependency {
  private constructor(
    readonly name: string,
    readonly gate: EngineGate,
    readonly url: string,
    private readonly server: Server,
    private readonly directory: string,
    private readonly hasDisk: boolean,
  ) {}

  /** The URL of the server without the gate. */
  get serverUrl(): string {
    return this.server.url;
  }

  /**
   * @param start starts the server with its data in a directory, which is empty at first
   * @param megabytes size of a disk of its own. Default: the server has none
   */
  static async create(
    name: string,
    parent: string,
    start: (directory: string) => Promise<Server>,
    megabytes?: number,
  ): Promise<Dependency> {
    const directory = join(parent, name);
    await mkdir(directory, { recursive: true });
    const hasDisk = HAS_SMALL_DISKS && megabytes !== undefined;
    if (hasDisk) run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory);
    const server = await start(directory);
    const gate = await EngineGate.before(portOf(server.url));
    return new Dependency(name, gate, gate.urlFor(server.url), server, directory, hasDisk);
  }

  async kill(): Promise<void> {
    await this.gate.close();
    await this.server.kill();
  }

  /** Starts the killed server with its data. */
  async restart(): Promise<void> {
    await this.restartServer();
    await this.gate.open();
  }

  /** Stops all processes of the server, or lets them go on. */
  async signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { pid } = this.server;
    for (const each of [pid, ...(await descendantsOf(pid))]) process.kill(each, signal);
  }

  /** Leaves no space on the disk of the server. */
  async fillDisk(): Promise<void> {
    const { bavail, bsize } = await statfs(this.directory);
    const ballast = await open(this.ballast, 'w');
    const zeros = Buffer.alloc(1024 * 1024);
    try {
      for (let left = bavail * bsize; left > 0; left -= zeros.length) await ballast.write(zeros);
    } catch {
      // No space is left.
    }
    await ballast.close();
  }

  /** A server that has ended meanwhile is started again, as a supervisor does. */
  async emptyDisk(): Promise<void> {
    await rm(this.ballast);
    if (!this.server.isRunning) await this.restartServer();
  }

  async stop(): Promise<void> {
    await this.gate.close();
    await this.server.stop();
    if (this.hasDisk) run('umount', '-l', this.directory);
  }

  private async restartServer(): Promise<void> {
    await this.server.restart();
    this.gate.enginePort = portOf(this.server.url);
  }

  private get ballast(): string {
    return join(this.directory, 'ballast');
  }
}

/** Whether each server can have a small disk of its own, which only root can mount. */
export const HAS_SMALL_DISKS =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('mount', ['--help']).status === 0;

/** A server whose process a test controls. */
export interface Server {
  /** May change with a restart. */
  readonly url: string;
  readonly pid: number;
  readonly isRunning: boolean;
  kill(): Promise<void>;
  /** Starts the killed server again. */
  restart(): Promise<void>;
  stop(): Promise<unknown>;
}

export async function postgresServer(directory: string): Promise<Server> {
  const server = await PostgresServer.start({ directory, fsync: false, maxConnections: 400 });
  const running: Server = {
    url: server.url,
    get pid() {
      if (server.pid === undefined) throw new Error('Postgres does not run');
      return server.pid;
    },
    // It starts again by itself, at once and after a failed attempt.
    isRunning: true,
    async kill() {
      process.kill(this.pid, 'SIGKILL');
    },
    restart: () => waitForPort(server.port),
    stop: () => server.stop(),
  };
  return running;
}

export const redisServer = (directory: string): Promise<Server> => RedisServer.start({ dir: directory });

const BUCKET = 'citewell-faults';

/** s3rver, with one bucket. */
export async function s3Server(directory: string): Promise<Server> {
  return processServer(async () => {
    // s3rver needs the legacy provider for its continuation tokens.
    const nodeOptions = ['--openssl-legacy-provider', '--no-warnings'];
    const args = [directory, BUCKET];
    const process = RunningProcess.start('s3', 'packages/testing/dist/s3/main.js', { nodeOptions, args });
    return { process, url: await process.waitForOutput(/(http:\S+)/) };
  });
}

/** @param binary the program of Qdrant. Without it, the stand-in, which loses its data with its process */
export function qdrantServer(binary: string | undefined): (directory: string) => Promise<Server> {
  return async (directory) => {
    const port = await freePort();
    const grpc = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      QDRANT__SERVICE__HOST: '127.0.0.1',
      QDRANT__SERVICE__HTTP_PORT: `${port}`,
      QDRANT__SERVICE__GRPC_PORT: `${grpc}`,
      QDRANT__STORAGE__STORAGE_PATH: join(directory, 'storage'),
      QDRANT__STORAGE__SNAPSHOTS_PATH: join(directory, 'snapshots'),
      QDRANT__TELEMETRY_DISABLED: 'true',
      QDRANT__LOG_LEVEL: 'WARN',
    };
    return processServer(async () => {
      const process =
        binary === undefined
          ? RunningProcess.start('qdrant', 'packages/testing/dist/qdrant/main.js', { args: [`${port}`] })
          : RunningProcess.run('qdrant', binary, { env });
      await waitForPort(port, 60_000);
      return { process, url };
    });
  };
}

export async function modelServer(): Promise<Server> {
  return processServer(async () => {
    const process = RunningProcess.start('model', 'e2e/dist/operations/faults/model-server.main.js');
    return { process, url: await process.waitForOutput(/(http:\S+)/) };
  });
}

async function processServer(
  start: () => Promise<{ process: RunningProcess; url: string }>,
): Promise<Server> {
  let running = await start();
  return {
    get url() {
      return running.url;
    },
    get pid() {
      return running.process.pid;
    },
    get isRunning() {
      return running.process.isRunning;
    },
    kill: () => running.process.kill(),
    async restart() {
      running = await start();
    },
    stop: () => running.process.stop(),
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function run(command: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args);
  if (status !== 0) throw new Error(`${command}: ${stderr.toString().trim()}`);
}
