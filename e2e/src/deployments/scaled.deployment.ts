import { S3BlobStore } from '@citewell/blob-store';
import { createTestDatabase, startRedis, startS3Server } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';
import {
  ADMIN_KEY,
  API_KEY,
  type Deployment,
  type Environment,
  runCitewell,
  createTemporaryDirectory,
  waitUntilReady,
} from './deployment.js';

const WORKERS = ['worker-crawler', 'worker-parser', 'worker-indexer'] as const;

/**
 * Starts Redis, Qdrant, S3, the API and three workers, each in its own process, on a database of the test run's Postgres. Qdrant is the
 * server that `QDRANT_URL` of the test run names, otherwise the in-memory one. `citewell migrate` creates the
 * schema.
 */
export async function startScaled(env: Environment = {}): Promise<Deployment> {
  const cleanup: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const undo of cleanup.splice(0).toReversed()) await undo();
  };
  try {
    const directory = await createTemporaryDirectory();
    cleanup.push(directory.remove);
    const database = await createTestDatabase();
    cleanup.push(database.drop);
    const databaseUrl = database.url;
    const redis = await startRedis();
    cleanup.push(() => redis.stop());
    const s3 = await startS3Server();
    cleanup.push(() => s3.stop());
    const blobs = new S3BlobStore(s3);
    cleanup.push(() => blobs.close());
    const qdrant = await qdrantServer();
    if (qdrant.process) cleanup.push(() => qdrant.process.stop());

    const common = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      QDRANT_URL: qdrant.url,
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: s3.bucket,
      S3_ACCESS_KEY_ID: s3.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      CITEWELL_DATA_DIR: directory.path,
      ...env,
    };
    const citewell = (...args: readonly string[]) => runCitewell(common, args);
    const migrated = await citewell('migrate');
    if (migrated.code !== 0) throw new Error(`citewell migrate failed:\n${migrated.output}`);
    const startApi = (name: string): RunningProcess =>
      RunningProcess.start(name, 'apps/api/dist/main.js', {
        env: { ...common, PORT: '0', CITEWELL_API_KEY: API_KEY, CITEWELL_ADMIN_KEY: ADMIN_KEY },
      });
    const api = startApi('api');
    const workers = WORKERS.map((name) =>
      RunningProcess.start(name, `apps/${name}/dist/main.js`, { env: common }),
    );
    const apps = [api, ...workers];
    // Concurrently, as an orchestrator stops a deployment.
    cleanup.push(() => Promise.all(apps.map((app) => app.stop())));

    const origin = await originOf(api);
    await Promise.all(workers.map((worker) => worker.waitForOutput(/"msg":"ready"/)));
    await waitUntilReady(origin, apps);
    return {
      origin,
      baseUrl: `${origin}/api`,
      apiKey: API_KEY,
      adminKey: ADMIN_KEY,
      processes: {
        ...Object.fromEntries(apps.map((app) => [app.name, app])),
        ...(qdrant.process ? { qdrant: qdrant.process } : {}),
      },
      databaseUrl,
      largeBlobs: blobs,
      qdrantUrl: qdrant.url,
      citewell,
      startAnotherApi: async () => {
        const another = startApi('another api');
        cleanup.push(() => another.stop());
        return { process: another, origin: await originOf(another) };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function qdrantServer(): Promise<
  { url: string; process: RunningProcess } | { url: string; process: null }
> {
  const given = process.env.QDRANT_URL;
  if (given) return { url: given, process: null };
  const qdrant = RunningProcess.start('qdrant', 'packages/testing/dist/qdrant/main.js');
  return { url: await qdrant.waitForOutput(/(http:\/\/\S+)/), process: qdrant };
}

const originOf = (api: RunningProcess): Promise<string> => api.waitForOutput(/"url":"(http[^"]+)"/);
