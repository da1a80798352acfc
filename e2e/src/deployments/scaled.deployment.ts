import { join } from 'node:path';
import { type BlobStore, DirectoryBlobStore, S3BlobStore } from '@citewell/blob-store';
import { createTestDatabase, RedisServer, startS3Server } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';
import { QdrantVectorStore } from '@citewell/vector-store/qdrant';
import { Tenant } from '../client/tenant.js';
import {
  ADMIN_KEY,
  API_KEY,
  type CommandOutcome,
  createTemporaryDirectory,
  type Deployment,
  type Engines,
  type Environment,
  type RunningApi,
  type StartDeployment,
  runCitewell,
  waitUntilReady,
} from './deployment.js';

export const SCALED_APPS = ['api', 'worker-crawler', 'worker-parser', 'worker-indexer'] as const;
export type ScaledApp = (typeof SCALED_APPS)[number];

/** Redis, Qdrant, the API and the workers as separate processes. Redis and each app can be killed and started again. */
export class ScaledDeployment implements Deployment {
  readonly apiKey = API_KEY;
  readonly adminKey = ADMIN_KEY;
  private readonly apps = new Map<ScaledApp, RunningProcess>();
  private readonly others: RunningProcess[] = [];
  private readonly cleanup: (() => Promise<unknown>)[] = [];
  private qdrant: RunningProcess | undefined;
  private env: Environment = {};
  private address: string | undefined;
  private blobs: BlobStore | undefined;
  private redisServer: RedisServer | undefined;

  private constructor(private readonly directory: Awaited<ReturnType<typeof createTemporaryDirectory>>) {}

  /**
   * Starts the engines that `env` does not name, and the apps, and waits until they are ready. The database is one of the
   * test run's Postgres. One that `env` names is migrated, unless no app is started. Qdrant is the server that `QDRANT_URL` of the test run names, otherwise the in-memory one.
   *
   * @param env environment of the apps. With `S3_ENDPOINT` empty, blobs are in a directory
   * @param apps which apps to start
   */
  static async start(
    env: Environment = {},
    apps: readonly ScaledApp[] = SCALED_APPS,
  ): Promise<ScaledDeployment> {
    const deployment = new ScaledDeployment(await createTemporaryDirectory());
    try {
      await deployment.startEngines(env);
      if (env['DATABASE_URL'] !== undefined && apps.length > 0) await deployment.migrate();
      await Promise.all(apps.map((app) => deployment.startApp(app)));
      return deployment;
    } catch (error) {
      await deployment.stop();
      throw error;
    }
  }

  get origin(): string {
    if (this.address === undefined) throw new Error('The API was never ready');
    return this.address;
  }

  get baseUrl(): string {
    return `${this.origin}/api`;
  }

  get tenant(): Tenant {
    return Tenant.withKey(this.baseUrl, API_KEY);
  }

  get processes(): Readonly<Record<string, RunningProcess>> {
    return { ...Object.fromEntries(this.apps), ...(this.qdrant ? { qdrant: this.qdrant } : {}) };
  }

  /** The environment of the apps, without keys. */
  get environment(): Environment {
    return this.env;
  }

  get databaseUrl(): string {
    return this.env['DATABASE_URL'] ?? '';
  }

  get qdrantUrl(): string {
    return this.env['QDRANT_URL'] ?? '';
  }

  get largeBlobs(): BlobStore {
    this.blobs ??= this.openBlobs();
    return this.blobs;
  }

  get redis(): RedisServer {
    if (!this.redisServer) throw new Error('Redis is a server of the test');
    return this.redisServer;
  }

  app(name: ScaledApp): RunningProcess {
    const found = this.apps.get(name);
    if (!found) throw new Error(`${name} was not started`);
    return found;
  }

  /** Starts an app and waits until it is ready. @param env additional environment, for this start only */
  async startApp(app: ScaledApp, env: Environment = {}): Promise<void> {
    const started = this.launchApp(app, env);
    if (app !== 'api') return void (await started.waitForOutput(/"msg":"ready"/));
    this.address = await originOf(started);
    await waitUntilReady(this.address, [started]);
  }

  /** Names of the apps whose processes have ended. */
  get ended(): string[] {
    return [...this.apps.values(), ...this.others]
      .filter(({ isRunning }) => !isRunning)
      .map(({ name }) => name);
  }

  /** Starts another process of a worker and waits until it is ready. It ends with the deployment. */
  async startAnother(app: Exclude<ScaledApp, 'api'>, env: Environment): Promise<RunningProcess> {
    const process = this.launch(app, env);
    this.others.push(process);
    await process.waitForOutput(/"msg":"ready"/);
    return process;
  }

  /** Starts an app without waiting. The API keeps its port. */
  launchApp(app: ScaledApp, env: Environment = {}): RunningProcess {
    const port = this.address === undefined ? '0' : new URL(this.address).port;
    const launched = this.launch(app, { PORT: port, ...env });
    this.apps.set(app, launched);
    return launched;
  }

  readonly startAnotherApi = async (): Promise<RunningApi> => {
    const process = this.launch('api', { PORT: '0' });
    this.others.push(process);
    return { process, origin: await originOf(process) };
  };

  async engines(): Promise<Engines> {
    return {
      databaseUrl: this.databaseUrl,
      vectorStore: new QdrantVectorStore({ urls: [this.qdrantUrl] }),
      largeBlobs: this.openBlobs(),
    };
  }

  citewell(...args: readonly string[]): Promise<CommandOutcome> {
    return runCitewell(this.env, args);
  }

  /** Stops the apps concurrently, as an orchestrator does. */
  async stop({ keepFiles = false }: { keepFiles?: boolean } = {}): Promise<void> {
    await Promise.all([...this.apps.values(), ...this.others].map((app) => app.stop()));
    await this.blobs?.close();
    for (const undo of this.cleanup.splice(0).toReversed()) await undo();
    if (!keepFiles) await this.directory.remove();
  }

  private async startEngines(env: Environment): Promise<void> {
    const engines: Record<string, string> = { CITEWELL_DATA_DIR: this.directory.path };
    if (env['DATABASE_URL'] === undefined) {
      const database = await createTestDatabase({ migrated: true });
      this.cleanup.push(database.drop);
      engines['DATABASE_URL'] = database.url;
    }
    if (env['REDIS_URL'] === undefined) {
      const redis = await RedisServer.start();
      this.cleanup.push(() => redis.stop());
      this.redisServer = redis;
      engines['REDIS_URL'] = redis.url;
    }
    if (env['S3_ENDPOINT'] === undefined) {
      const s3 = await startS3Server();
      this.cleanup.push(() => s3.stop());
      engines['S3_ENDPOINT'] = s3.endpoint;
      engines['S3_BUCKET'] = s3.bucket;
      engines['S3_ACCESS_KEY_ID'] = s3.accessKeyId;
      engines['S3_SECRET_ACCESS_KEY'] = s3.secretAccessKey;
    }
    engines['QDRANT_URL'] = env['QDRANT_URL'] ?? process.env['QDRANT_URL'] ?? (await this.startQdrant());
    this.env = { ...engines, ...env };
  }

  private async migrate(): Promise<void> {
    const { code, output } = await this.citewell('migrate');
    if (code !== 0) throw new Error(`citewell migrate failed:\n${output}`);
  }

  private openBlobs(): BlobStore {
    const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket = '', CITEWELL_DATA_DIR: directory = '' } = this.env;
    const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = this.env;
    return endpoint
      ? new S3BlobStore({ endpoint, bucket, accessKeyId, secretAccessKey })
      : new DirectoryBlobStore(join(directory, 'blobs'));
  }

  private async startQdrant(): Promise<string> {
    const qdrant = RunningProcess.start('qdrant', 'packages/testing/dist/qdrant/main.js');
    this.cleanup.push(() => qdrant.stop());
    this.qdrant = qdrant;
    return qdrant.waitForOutput(/(http:\/\/\S+)/);
  }

  private launch(app: ScaledApp, env: Environment): RunningProcess {
    return RunningProcess.start(app, `apps/${app}/dist/main.js`, {
      env: { ...this.env, CITEWELL_API_KEY: API_KEY, CITEWELL_ADMIN_KEY: ADMIN_KEY, ...env },
      logFile: join(this.directory.path, `${app}.log`),
    });
  }
}

export const startScaled: StartDeployment = (env) => ScaledDeployment.start(env);

const originOf = (api: RunningProcess): Promise<string> => api.waitForOutput(/"url":"(http[^"]+)"/);
