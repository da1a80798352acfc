import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3BlobStore } from '@citewell/blob-store';
import { QdrantVectorStore } from '@citewell/vector-store/qdrant';
import { freePort } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';
import { ApiClient } from '../../client/api-client.js';
import {
  ADMIN_KEY,
  API_KEY,
  type CommandOutcome,
  type Engines,
  runCitewell,
  waitUntilReady,
} from '../../deployments/deployment.js';
import {
  Dependency,
  modelServer,
  postgresServer,
  qdrantServer,
  redisServer,
  s3Server,
} from './dependency.js';

const QDRANT_BINARY = process.env['QDRANT_BINARY'];
const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';
const BUCKET = 'citewell-faults';
/** s3rver accepts no other credentials. */
const S3_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const WORKERS = ['worker-crawler', 'worker-parser', 'worker-indexer'] as const;

export interface Dependencies {
  readonly postgres: Dependency;
  readonly redis: Dependency;
  readonly s3: Dependency;
  readonly qdrant: Dependency;
  readonly model: Dependency;
}

/** Two API processes and two workers of each kind, whose dependencies can fail. */
export class FaultyDeployment {
  private constructor(
    private readonly directory: string,
    readonly dependencies: Dependencies,
    private readonly env: Readonly<Record<string, string>>,
    private readonly processes: readonly RunningProcess[],
    /** One for each API process. */
    readonly apis: readonly ApiClient[],
    /** Has the offset in seconds of the clocks that jump. Null without libfaketime. */
    readonly clockFile: string | null,
  ) {}

  /** Logs of the processes are in the directory, which is removed if the test has passed. */
  static async start(): Promise<FaultyDeployment> {
    const directory = await mkdtemp(join(tmpdir(), 'citewell-faults-'));
    const dependencies = {
      postgres: await Dependency.create('postgres', directory, postgresServer, 1_500),
      redis: await Dependency.create('redis', directory, redisServer, 128),
      s3: await Dependency.create('s3', directory, s3Server(BUCKET), 512),
      qdrant: await Dependency.create('qdrant', directory, qdrantServer(QDRANT_BINARY), 1_000),
      model: await Dependency.create('model', directory, modelServer, 1),
    };
    const { postgres, redis, s3, qdrant, model } = dependencies;
    const env = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      QDRANT_URL: qdrant.url,
      S3_ENDPOINT: s3.url,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'scripted',
      CHAT_MODEL: 'test-chat',
      CHAT_IDLE_TIMEOUT_MS: '15000',
      CITEWELL_DATA_DIR: join(directory, 'data'),
      ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
      CRAWL_DELAY_MS: '200',
      CRAWL_CONCURRENCY_PER_HOST: '2',
      RATE_LIMIT_PER_MINUTE: '0',
    };
    await mkdir(env.CITEWELL_DATA_DIR);
    const migrated = await runCitewell(env, ['migrate']);
    if (migrated.code !== 0) throw new Error(`citewell migrate failed:\n${migrated.output}`);
    const clockFile = existsSync(FAKETIME) ? join(directory, 'clock') : null;
    const jumping: Record<string, string> =
      clockFile === null
        ? {}
        : {
            LD_PRELOAD: FAKETIME,
            FAKETIME_TIMESTAMP_FILE: clockFile,
            FAKETIME_CACHE_DURATION: '1',
            // Timers are those of a machine whose clock was set.
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          };
    if (clockFile !== null) await writeFile(clockFile, '+0');
    const launch = (app: string, number: number, own: Record<string, string>): RunningProcess =>
      RunningProcess.start(`${app} ${number}`, `apps/${app}/dist/main.js`, {
        env: { ...env, ...own },
        logFile: join(directory, `${app}-${number}.log`),
      });
    const workers = WORKERS.flatMap((app) => [launch(app, 1, jumping), launch(app, 2, {})]);
    const ports = [await freePort(), await freePort()];
    const keys = { CITEWELL_API_KEY: API_KEY, CITEWELL_ADMIN_KEY: ADMIN_KEY };
    const apis = ports.map((port, index) => launch('api', index + 1, { ...keys, PORT: `${port}` }));
    const processes = [...apis, ...workers];
    for (const port of ports) await waitUntilReady(`http://127.0.0.1:${port}`, processes);
    await Promise.all(workers.map((worker) => worker.waitForOutput(/"msg":"ready"/)));
    const clients = ports.map((port) => new ApiClient(`http://127.0.0.1:${port}/api`, API_KEY));
    return new FaultyDeployment(directory, dependencies, env, processes, clients, clockFile);
  }

  /** Whether Qdrant keeps its data when it is killed. */
  get hasQdrant(): boolean {
    return QDRANT_BINARY !== undefined;
  }

  get databaseUrl(): string {
    return this.dependencies.postgres.url;
  }

  /** Names of processes that have ended. */
  get ended(): string[] {
    return this.processes.filter(({ isRunning }) => !isRunning).map(({ name }) => name);
  }

  citewell(...args: readonly string[]): Promise<CommandOutcome> {
    return runCitewell(this.env, args);
  }

  async engines(): Promise<Engines> {
    const { qdrant, s3 } = this.dependencies;
    return {
      databaseUrl: this.databaseUrl,
      vectorStore: new QdrantVectorStore({ urls: [qdrant.url] }),
      largeBlobs: new S3BlobStore({ ...S3_KEYS, endpoint: s3.url, bucket: BUCKET }),
    };
  }

  async stop({ keepFiles }: { keepFiles: boolean }): Promise<void> {
    await Promise.all(this.processes.map((app) => app.stop()));
    for (const dependency of Object.values(this.dependencies)) await dependency.stop();
    if (!keepFiles) await rm(this.directory, { recursive: true, force: true });
  }
}
