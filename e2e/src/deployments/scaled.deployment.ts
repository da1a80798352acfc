import { join } from 'node:path';
import { createDataSource, migrate } from '@citewell/database';
import { migrateQueue } from '@citewell/queue';
import { startPostgres, startRedis } from '@citewell/testing';
import { RunningProcess } from './child-process.js';
import {
  ADMIN_KEY,
  API_KEY,
  type Deployment,
  type Environment,
  throwAwayDirectory,
  untilReady,
} from './deployment.js';

const WORKERS = ['worker-crawler', 'worker-parser', 'worker-indexer'] as const;

/**
 * Postgres, Redis and Qdrant, the API and the three workers, each a process of its own. Qdrant is the server that
 * `QDRANT_URL` of the test run names, else the in-memory one.
 */
export async function startScaled(env: Environment = {}): Promise<Deployment> {
  const cleanup: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const undo of cleanup.splice(0).toReversed()) await undo();
  };
  try {
    const directory = await throwAwayDirectory();
    cleanup.push(directory.remove);
    const postgres = await startPostgres();
    cleanup.push(() => postgres.stop());
    const databaseUrl = await postgres.createDatabase();
    await prepareDatabase(databaseUrl);
    const redis = await startRedis();
    cleanup.push(() => redis.stop());
    const qdrant = await qdrantServer();
    if (qdrant.process) cleanup.push(() => qdrant.process.stop());

    const common = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      QDRANT_URL: qdrant.url,
      CITEWELL_DATA_DIR: directory.path,
      ...env,
    };
    const api = RunningProcess.start('api', 'apps/api/dist/main.js', {
      ...common,
      PORT: '0',
      CITEWELL_API_KEY: API_KEY,
      CITEWELL_ADMIN_KEY: ADMIN_KEY,
    });
    const workers = WORKERS.map((name) => RunningProcess.start(name, `apps/${name}/dist/main.js`, common));
    const apps = [api, ...workers];
    // All at once, as an orchestrator does it.
    cleanup.push(() => Promise.all(apps.map((app) => app.stop())));

    const origin = await api.printed(/"url":"(http[^"]+)"/);
    await Promise.all(workers.map((worker) => worker.printed(/"msg":"ready"/)));
    await untilReady(origin, apps);
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
      blobDirectory: join(directory.path, 'blobs'),
      qdrantUrl: qdrant.url,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepareDatabase(url: string): Promise<void> {
  const dataSource = createDataSource({ url, poolSize: 2, applicationName: 'citewell-e2e' });
  await dataSource.initialize();
  try {
    await migrate(dataSource, () => migrateQueue(url));
  } finally {
    await dataSource.destroy();
  }
}

async function qdrantServer(): Promise<
  { url: string; process: RunningProcess } | { url: string; process: null }
> {
  const given = process.env.QDRANT_URL;
  if (given) return { url: given, process: null };
  const qdrant = RunningProcess.start('qdrant', 'packages/testing/dist/qdrant/main.js', {});
  return { url: await qdrant.printed(/(http:\/\/\S+)/), process: qdrant };
}
