import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithParent } from '@citewell/observability/child-processes';
import pg from 'pg';
import { initialise, type PostgresBinaries, postgresBinaries, readPassword, USER } from './first-start.js';
import { launchUnprivileged } from './unprivileged.js';

/** Thrown when another process uses the data directory. */
export class DataDirectoryInUseError extends Error {
  constructor(directory: string) {
    super(
      `The data directory ${directory} is in use by another Citewell. Stop that one, or set CITEWELL_DATA_DIR.`,
    );
    this.name = 'DataDirectoryInUseError';
  }
}

export interface PostgresServerOptions {
  /** The data is in `<directory>/postgres`, the password beside it. */
  directory: string;
  maxConnections?: number;
  /** False only for tests: data may be lost with the power. Default true. */
  fsync?: boolean;
  /** Called with lines of the log of Postgres. */
  onLog?: (line: string) => void;
}

const DATABASE = 'citewell';
const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 10_000;
const RESTART_PAUSE_MS = 200;
/**
 * An advisory lock of the process that owns the data, held on a connection so that it ends with the process.
 */
const OWNER_LOCK = 7_204_918_116;

/**
 * A Postgres from the package registry, as a child process that is restarted when it dies. It stops when this process
 * ends, however that ends. A server that is left running nevertheless is replaced.
 */
export class PostgresServer {
  private child: ChildProcess | undefined;
  private owner: pg.Client | undefined;
  private stopping = false;

  private constructor(
    private readonly binaries: PostgresBinaries,
    private readonly data: string,
    private readonly password: string,
    readonly port: number,
    private readonly options: PostgresServerOptions,
  ) {}

  /**
   * Starts the server, and creates its data if there is none.
   *
   * @throws {@link DataDirectoryInUseError} when a living process uses the directory
   */
  static async start(options: PostgresServerOptions): Promise<PostgresServer> {
    const binaries = await postgresBinaries();
    const data = join(options.directory, 'postgres');
    await mkdir(options.directory, { recursive: true, mode: 0o700 });
    const password = await readPassword(options.directory);
    await initialise(binaries, data, options.directory, password);
    await takeOver(data, password, options.directory);
    const server = new PostgresServer(binaries, data, password, await freePort(), options);
    try {
      await server.launch();
      await server.createDatabase();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get url(): string {
    return this.urlOf(DATABASE);
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  urlOf(database: string): string {
    return `postgres://${USER}:${this.password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Ends open transactions, writes a checkpoint and stops. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.owner?.end().catch(() => undefined);
    const { child } = this;
    const runs = child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
    if (!runs) return;
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }

  private async launch(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: '',
      max_connections: this.options.maxConnections ?? 60,
      shared_buffers: '64MB',
      jit: 'off',
      fsync: this.options.fsync === false ? 'off' : 'on',
      max_wal_size: '512MB',
      // After a checkpoint on a full disk, not more than this stays reserved for the log.
      min_wal_size: '32MB',
      autovacuum_max_workers: 1,
      max_worker_processes: 2,
      // These two save processes that a small server does not need.
      max_logical_replication_workers: 0,
      io_method: 'sync',
      max_parallel_workers_per_gather: 0,
      log_min_messages: 'warning',
      log_checkpoints: 'off',
    };
    const args = [
      '-D',
      this.data,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const launch = await launchUnprivileged(this.binaries.postgres, args, [this.data]);
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      // `stop` found no child to stop.
      if (this.stopping) return;
      const log: string[] = [];
      this.child = this.spawn(launch, log);
      if (await this.becomesReady(this.child, deadline)) break;
      // Throws when another process has started its server on the data meanwhile.
      await takeOver(this.data, this.password, this.options.directory);
      // The data is locked until the backends of a killed server have ended.
      if (Date.now() > deadline)
        throw new Error(`The embedded Postgres does not start: ${log.slice(-5).join(' ')}`);
      await sleep(RESTART_PAUSE_MS);
    }
    if (this.stopping) return;
    this.owner = await this.own();
    this.superviseChild(this.child);
  }

  private spawn(launch: Awaited<ReturnType<typeof launchUnprivileged>>, log: string[]): ChildProcess {
    const child = spawn(launch.command, launch.arguments, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { LC_ALL: 'C' },
      // Ctrl-C reaches the whole process group of the terminal, and Postgres has to stop after the apps that
      // use it.
      detached: true,
      ...(launch.uid === undefined ? {} : { uid: launch.uid }),
      ...(launch.gid === undefined ? {} : { gid: launch.gid }),
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter((part) => part.trim() !== '')) {
        log.push(line);
        if (log.length > 50) log.shift();
        this.options.onLog?.(line);
      }
    });
    child.on('error', (error) => log.push(error.message));
    endWithParent(child, 'INT');
    return child;
  }

  private async becomesReady(child: ChildProcess, deadline: number): Promise<boolean> {
    while (Date.now() < deadline) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return false;
      const client = await connect(this.urlOf('postgres'));
      if (client) {
        await client.end();
        return true;
      }
      await sleep(20);
    }
    return false;
  }

  private async own(): Promise<pg.Client> {
    const client = await connect(this.urlOf('postgres'));
    if (!client || !(await takeOwnerLock(client).catch(() => false)))
      throw new DataDirectoryInUseError(this.options.directory);
    return client;
  }

  private superviseChild(child: ChildProcess): void {
    child.once('exit', () => {
      if (this.stopping) return;
      void this.owner?.end().catch(() => undefined);
      const restart = (): void => {
        if (this.stopping) return;
        this.launch().catch((error: unknown) => {
          this.options.onLog?.(`The embedded Postgres could not be restarted: ${String(error)}`);
          setTimeout(restart, 5_000);
        });
      };
      setTimeout(restart, RESTART_PAUSE_MS);
    });
  }

  private async createDatabase(): Promise<void> {
    const client = await connect(this.urlOf('postgres'));
    if (!client) throw new Error('The embedded Postgres does not answer');
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE}`);
    await client.end();
  }
}

/**
 * The URL of the server that runs on a data directory, for tools that use the database of another process.
 *
 * @returns null when none is running
 */
export async function findRunningPostgres(directory: string): Promise<string | null> {
  const postmaster = await readPostmaster(join(directory, 'postgres'));
  const password = await readFile(join(directory, 'postgres.password'), 'utf8').catch(() => null);
  if (postmaster === null || password === null) return null;
  const url = `postgres://${USER}:${password}@127.0.0.1:${postmaster.port}/${DATABASE}`;
  const client = await connect(url);
  await client?.end();
  return client ? url : null;
}

/** Stops a server that a killed process left running on the data. The server may also end by itself meanwhile. */
async function takeOver(data: string, password: string, directory: string): Promise<void> {
  const postmaster = await readPostmaster(data);
  if (postmaster === null) return;
  const { pid, port } = postmaster;
  const client = await connect(`postgres://${USER}:${password}@127.0.0.1:${port}/postgres`);
  if (!client) return;
  if (!(await takeOwnerLock(client).catch(() => false))) {
    await client.end();
    throw new DataDirectoryInUseError(directory);
  }
  // The server has accepted the password of this data, so the process in the file is this server.
  client.on('error', () => undefined);
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  for (
    let signal: NodeJS.Signals | 0 = 'SIGINT';
    sendSignal(pid, signal) && Date.now() < deadline;
    signal = 0
  )
    await sleep(20);
}

/** @returns false if the process has ended. Signal 0 only asks. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Lines 1 and 4 of `postmaster.pid` (PostgreSQL, miscadmin.h). Null if there is no file, or no port in it yet. */
async function readPostmaster(data: string): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n').map(Number);
  const [pid = 0, , , port = 0] = lines;
  return pid > 0 && port > 0 ? { pid, port } : null;
}

async function connect(url: string): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch {
    // If only the login failed, the connection is still open.
    client.end().catch(() => undefined);
    return null;
  }
}

async function takeOwnerLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    OWNER_LOCK,
  ]);
  return rows[0]?.taken === true;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
