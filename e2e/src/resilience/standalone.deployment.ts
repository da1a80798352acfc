import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryBlobStore } from '@citewell/blob-store';
import { freePort, prepareDataDirectory } from '@citewell/testing';
import { EmbeddedVectorStore } from '@citewell/vector-store';
import { findRunningPostgres } from '@citewell/database/embedded';
import { ProductClient, RunningProcess, type ProcessEnd } from '@citewell/testing/product';
import type { Engines } from './inventory.js';
import { waitUntil } from './wait-until.js';

/** Short leases, so that runs interrupted by a kill are resumed within seconds. */
export const QUICK_RECOVERY = { LEASE_SECONDS: '3', RATE_LIMIT_PER_MINUTE: '0' };

/**
 * The standalone process. Its data directory and port stay the same over any number of kills and restarts.
 */
export class StandaloneDeployment {
  readonly client: ProductClient;
  private process: RunningProcess | undefined;

  private constructor(
    readonly directory: string,
    private readonly port: number,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.client = new ProductClient(`http://127.0.0.1:${port}`, env['CITEWELL_API_KEY'] ?? '');
  }

  /** Does not start the process yet. @param env environment, added to {@link QUICK_RECOVERY} */
  static async create(env: Readonly<Record<string, string>> = {}): Promise<StandaloneDeployment> {
    const directory = await mkdtemp(join(tmpdir(), 'citewell-resilience-'));
    await prepareDataDirectory(join(directory, 'data'));
    const keys = { CITEWELL_API_KEY: secret(), CITEWELL_ADMIN_KEY: secret() };
    return new StandaloneDeployment(directory, await freePort(), { ...QUICK_RECOVERY, ...keys, ...env });
  }

  /** A client with the admin key. */
  get admin(): ProductClient {
    return new ProductClient(this.client.origin, this.env['CITEWELL_ADMIN_KEY'] ?? '');
  }

  get dataDirectory(): string {
    return join(this.directory, 'data');
  }

  get pid(): number {
    if (!this.process) throw new Error('The standalone process is not running');
    return this.process.pid;
  }

  get isRunning(): boolean {
    return this.process?.isRunning === true;
  }

  /**
   * Starts the process and waits until it is ready.
   *
   * @param env additional environment, for this start only
   */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.launch(env);
    await this.waitUntilReady();
  }

  /** Starts the process without waiting. */
  async launch(env: Readonly<Record<string, string>> = {}): Promise<RunningProcess> {
    this.process = RunningProcess.start('standalone', 'apps/standalone/dist/main.js', {
      env: { ...this.env, PORT: `${this.port}`, CITEWELL_DATA_DIR: this.dataDirectory, ...env },
      logFile: join(this.directory, 'standalone.log'),
    });
    return this.process;
  }

  async waitUntilReady(): Promise<void> {
    await waitUntil('standalone ready', async () => {
      if (!this.isRunning) throw new Error(`The standalone process ended; see the log in ${this.directory}`);
      return (await this.client.isReady()) ? true : null;
    });
  }

  async kill(): Promise<void> {
    await this.process?.kill();
  }

  /** Resolves when the process has ended by itself. */
  async ended(): Promise<ProcessEnd> {
    if (!this.process) throw new Error('The standalone process is not running');
    return this.process.ended;
  }

  async terminate(): Promise<ProcessEnd & { ms: number }> {
    if (!this.process) throw new Error('The standalone process is not running');
    return this.process.terminate();
  }

  /** Id of the embedded postmaster, from its PID file. */
  async postgresPid(): Promise<number> {
    const text = await readFile(join(this.dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
    return Number(text.split('\n')[0]);
  }

  /** Ids of the running parser processes. */
  async parserPids(): Promise<number[]> {
    return (await childrenOf(this.pid))
      .filter(({ command }) => command.includes('parse-child'))
      .map(({ pid }) => pid);
  }

  /** Opens the stores of the deployment, which must be running. The caller closes them. */
  async engines(): Promise<Engines> {
    const databaseUrl = await waitUntil('database', () => findRunningPostgres(this.dataDirectory));
    return {
      databaseUrl,
      vectorStore: new EmbeddedVectorStore({ directory: join(this.dataDirectory, 'vectors') }),
      largeBlobs: new DirectoryBlobStore(join(this.dataDirectory, 'blobs')),
    };
  }

  /**
   * Stops the process and deletes its directory.
   *
   * @param options.keepFiles keeps the directory, for failed tests
   */
  async dispose(options: { keepFiles?: boolean } = {}): Promise<void> {
    if (this.isRunning) await this.process?.terminate();
    if (!options.keepFiles) await rm(this.directory, { recursive: true, force: true });
  }
}

export function secret(): string {
  return `cw_${randomBytes(20).toString('hex')}`;
}

/** Direct children of a process, from `/proc` (Linux). */
async function childrenOf(parent: number): Promise<{ pid: number; command: string }[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      try {
        const stat = await readFile(`/proc/${name}/stat`, 'latin1');
        // The second field is the command in parentheses, which may contain spaces.
        const [, parentId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (Number(parentId) !== parent) return [];
        return [{ pid: Number(name), command: await readFile(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}
