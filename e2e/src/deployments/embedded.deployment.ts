import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DirectoryBlobStore } from '@citewell/blob-store';
import { findRunningPostgres } from '@citewell/database/embedded';
import { prepareDataDirectory } from '@citewell/testing';
import { type ProcessEnd, RunningProcess } from '@citewell/testing/product';
import { EmbeddedVectorStore } from '@citewell/vector-store';
import { Tenant, until } from '../client/tenant.js';
import {
  ADMIN_KEY,
  API_KEY,
  type CommandOutcome,
  createTemporaryDirectory,
  type Deployment,
  type Engines,
  type Environment,
  runCitewell,
  waitUntilReady,
} from './deployment.js';

/** Those of `npm start`, which reduce memory and need CPU time. Only `npm run soak` measures memory. */
const NODE_OPTIONS =
  process.env['TEST_MEMORY'] === 'measured' ? ['--max-semi-space-size=1', '--heap-growing-percent=80'] : [];

/** What `npm start` starts. Its data directory and port stay the same over any number of kills and restarts. */
export class EmbeddedDeployment implements Deployment {
  readonly apiKey = API_KEY;
  readonly adminKey = ADMIN_KEY;
  readonly qdrantUrl = null;
  readonly startAnotherApi = null;
  readonly dataDirectory: string;
  readonly largeBlobs: DirectoryBlobStore;
  databaseUrl = '';
  private started: RunningProcess | undefined;
  private address: string | undefined;

  private constructor(
    private readonly directory: Awaited<ReturnType<typeof createTemporaryDirectory>>,
    private readonly env: Environment,
  ) {
    this.dataDirectory = env['CITEWELL_DATA_DIR'] ?? join(directory.path, 'data');
    this.largeBlobs = new DirectoryBlobStore(join(this.dataDirectory, 'blobs'));
  }

  /**
   * Does not start the process yet.
   *
   * @param options.isFirstStart without the empty database that the test run has created once
   */
  static async create(env: Environment = {}, { isFirstStart = false } = {}): Promise<EmbeddedDeployment> {
    const deployment = new EmbeddedDeployment(await createTemporaryDirectory(), env);
    if (!isFirstStart) await prepareDataDirectory(deployment.dataDirectory);
    return deployment;
  }

  /** The process that was started last. */
  get process(): RunningProcess {
    if (!this.started) throw new Error('The standalone process was not started');
    return this.started;
  }

  get processes(): Readonly<Record<string, RunningProcess>> {
    return { standalone: this.process };
  }

  get origin(): string {
    if (this.address === undefined) throw new Error('The standalone process was never ready');
    return this.address;
  }

  get baseUrl(): string {
    return `${this.origin}/api`;
  }

  get tenant(): Tenant {
    return Tenant.withKey(this.baseUrl, API_KEY);
  }

  /** Starts the process without waiting. @param env additional environment, for this start only */
  launch(env: Environment = {}): RunningProcess {
    const variables = {
      PORT: this.address === undefined ? '0' : new URL(this.address).port,
      CITEWELL_DATA_DIR: this.dataDirectory,
      CITEWELL_API_KEY: API_KEY,
      CITEWELL_ADMIN_KEY: ADMIN_KEY,
      MALLOC_ARENA_MAX: '2',
      ...this.env,
      ...env,
    };
    this.started = RunningProcess.start('standalone', 'apps/standalone/dist/main.js', {
      env: variables,
      nodeOptions: NODE_OPTIONS,
      logFile: join(this.directory.path, 'standalone.log'),
    });
    return this.started;
  }

  /** Starts the process and waits until it is ready. */
  async start(env: Environment = {}): Promise<void> {
    const standalone = this.launch(env);
    this.address = await standalone.waitForOutput(/Citewell is ready at (\S+)/);
    await waitUntilReady(this.origin, [standalone]);
    this.databaseUrl = (await findRunningPostgres(this.dataDirectory)) ?? '';
  }

  async kill(): Promise<void> {
    await this.process.kill();
  }

  async terminate(): Promise<ProcessEnd & { ms: number }> {
    return this.process.terminate();
  }

  /** Id of the embedded postmaster, from its PID file. */
  async postgresPid(): Promise<number> {
    const text = await readFile(join(this.dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
    return Number(text.split('\n')[0]);
  }

  async engines(): Promise<Engines> {
    return {
      databaseUrl: await until(() => findRunningPostgres(this.dataDirectory), 'the database'),
      vectorStore: new EmbeddedVectorStore({ directory: join(this.dataDirectory, 'vectors') }),
      largeBlobs: new DirectoryBlobStore(join(this.dataDirectory, 'blobs')),
    };
  }

  citewell(...args: readonly string[]): Promise<CommandOutcome> {
    return runCitewell({ CITEWELL_DATA_DIR: this.dataDirectory, ...this.env }, args);
  }

  async stop({ keepFiles = false }: { keepFiles?: boolean } = {}): Promise<void> {
    await this.started?.stop();
    if (!keepFiles) await this.directory.remove();
  }
}

/**
 * Starts what `npm start` starts, one process with everything embedded, on a temporary directory. The directory has an
 * empty database; `standalone.e2e.ts` tests starts without one.
 */
export async function startEmbedded(env: Environment = {}): Promise<EmbeddedDeployment> {
  const deployment = await EmbeddedDeployment.create(env);
  try {
    await deployment.start();
    return deployment;
  } catch (error) {
    await deployment.stop();
    throw error;
  }
}
