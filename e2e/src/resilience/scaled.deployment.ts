import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryBlobStore } from '@citewell/blob-store';
import { createDataSource, migrate } from '@citewell/database';
import { createTestDatabase, freePort, type TestDatabase } from '@citewell/testing';
import { QdrantVectorStore } from '@citewell/vector-store/qdrant';
import { ProductClient, RunningProcess } from '@citewell/testing/product';
import type { Engines } from './inventory.js';
import { RedisProcess } from './redis.process.js';
import { QUICK_RECOVERY, secret } from './standalone.deployment.js';
import { waitUntil } from './wait-until.js';

export const SCALED_APPS = ['api', 'worker-crawler', 'worker-parser', 'worker-indexer'] as const;
export type ScaledApp = (typeof SCALED_APPS)[number];

type Environment = Readonly<Record<string, string>>;

/**
 * Postgres, Redis, Qdrant, the API and the workers as separate processes. Redis and each app can be killed
 * and started again individually. Qdrant is the server that `QDRANT_URL` names, otherwise the in-memory one
 * of the test package.
 */
export class ScaledDeployment {
  readonly client: ProductClient;
  private readonly apps = new Map<ScaledApp, RunningProcess>();

  private constructor(
    readonly directory: string,
    private readonly env: Environment,
    private readonly ports: ReadonlyMap<ScaledApp, number>,
    readonly redis: RedisProcess,
    private readonly database: TestDatabase,
    private readonly qdrant: RunningProcess | null,
  ) {
    this.client = new ProductClient(`http://127.0.0.1:${ports.get('api')}`, env['CITEWELL_API_KEY'] ?? '');
  }

  /**
   * Starts all servers and apps and waits until they are ready.
   *
   * @param env additional environment of the apps
   */
  static async start(env: Environment = {}): Promise<ScaledDeployment> {
    const directory = await mkdtemp(join(tmpdir(), 'citewell-scaled-'));
    const database = await createTestDatabase();
    const databaseUrl = database.url;
    await prepareDatabase(databaseUrl);
    const redis = await RedisProcess.start(directory);
    const qdrant = await startQdrant(directory);
    const settings = {
      ...QUICK_RECOVERY,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      QDRANT_URL: qdrant.url,
      CITEWELL_DATA_DIR: join(directory, 'data'),
      CITEWELL_API_KEY: secret(),
      CITEWELL_ADMIN_KEY: secret(),
      ...env,
    };
    const ports = new Map<ScaledApp, number>();
    for (const app of SCALED_APPS) ports.set(app, await freePort());
    const deployment = new ScaledDeployment(directory, settings, ports, redis, database, qdrant.process);
    await Promise.all(SCALED_APPS.map((app) => deployment.startApp(app)));
    return deployment;
  }

  /** Starts an app and waits until it is ready. @param env additional environment, for this start only */
  async startApp(app: ScaledApp, env: Environment = {}): Promise<void> {
    const started = this.launchApp(app, env);
    await waitUntil(`${app} ready`, async () => {
      if (!started.isRunning) throw new Error(`${app} ended; see the logs in ${this.directory}`);
      const { ok } = await fetch(`http://127.0.0.1:${this.ports.get(app)}/health/ready`);
      return ok ? true : null;
    });
  }

  /** Starts an app without waiting. */
  launchApp(app: ScaledApp, env: Environment = {}): RunningProcess {
    const launched = RunningProcess.start(app, `apps/${app}/dist/main.js`, {
      env: { ...this.env, [app === 'api' ? 'PORT' : 'WORKER_PORT']: `${this.ports.get(app)}`, ...env },
      logFile: join(this.directory, `${app}.log`),
    });
    this.apps.set(app, launched);
    return launched;
  }

  app(name: ScaledApp): RunningProcess {
    const found = this.apps.get(name);
    if (!found) throw new Error(`${name} was not started`);
    return found;
  }

  async engines(): Promise<Engines> {
    return {
      databaseUrl: this.env['DATABASE_URL'] ?? '',
      vectorStore: new QdrantVectorStore({ urls: [this.env['QDRANT_URL'] ?? ''] }),
      largeBlobs: new DirectoryBlobStore(join(this.env['CITEWELL_DATA_DIR'] ?? '', 'blobs')),
    };
  }

  async dispose({ keepFiles = false }: { keepFiles?: boolean } = {}): Promise<void> {
    await Promise.all([...this.apps.values()].map((app) => app.terminate()));
    await this.qdrant?.terminate();
    await this.redis.stop();
    await this.database.drop();
    if (!keepFiles) await rm(this.directory, { recursive: true, force: true });
  }
}

async function prepareDatabase(url: string): Promise<void> {
  const dataSource = await createDataSource({
    url,
    poolSize: 2,
    applicationName: 'citewell-test',
  }).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function startQdrant(directory: string): Promise<{ url: string; process: RunningProcess | null }> {
  const given = process.env['QDRANT_URL'];
  if (given) return { url: given, process: null };
  const port = await freePort();
  const server = RunningProcess.start('qdrant', 'packages/testing/dist/qdrant/main.js', {
    args: [`${port}`],
    logFile: join(directory, 'qdrant.log'),
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('Qdrant ready', async () => ((await fetch(`${url}/readyz`)).ok ? true : null));
  return { url, process: server };
}
