import { join } from 'node:path';
import { DirectoryBlobStore } from '@citewell/blob-store';
import { findRunningPostgres } from '@citewell/database/embedded';
import { prepareDataDirectory } from '@citewell/testing';
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

/** Those of `npm start`, which reduce memory and need CPU time. Only `npm run soak` measures memory. */
const NODE_OPTIONS =
  process.env['TEST_MEMORY'] === 'measured' ? ['--max-semi-space-size=1', '--heap-growing-percent=80'] : [];

/** Starts the standalone process on a free port, and does not wait until it is ready. */
export function spawnStandalone(dataDirectory: string, env: Environment = {}): RunningProcess {
  const variables = {
    PORT: '0',
    CITEWELL_DATA_DIR: dataDirectory,
    CITEWELL_API_KEY: API_KEY,
    CITEWELL_ADMIN_KEY: ADMIN_KEY,
    MALLOC_ARENA_MAX: '2',
    ...env,
  };
  return RunningProcess.start('standalone', 'apps/standalone/dist/main.js', {
    env: variables,
    nodeOptions: NODE_OPTIONS,
  });
}

/** The address that the standalone process prints when it is ready. */
export async function originOf(standalone: RunningProcess): Promise<string> {
  return standalone.waitForOutput(/Citewell is ready at (\S+)/);
}

/**
 * Starts what `npm start` starts, one process with everything embedded, on a temporary directory. The directory has an
 * empty database; `standalone.e2e.ts` tests starts without one.
 */
export async function startEmbedded(env: Environment = {}): Promise<Deployment> {
  const directory = await createTemporaryDirectory();
  await prepareDataDirectory(directory.path);
  const standalone = spawnStandalone(directory.path, env);
  try {
    const origin = await originOf(standalone);
    await waitUntilReady(origin, [standalone]);
    return {
      origin,
      baseUrl: `${origin}/api`,
      apiKey: API_KEY,
      adminKey: ADMIN_KEY,
      processes: { standalone },
      databaseUrl: (await findRunningPostgres(directory.path)) ?? '',
      largeBlobs: new DirectoryBlobStore(join(directory.path, 'blobs')),
      qdrantUrl: null,
      citewell: (...args) => runCitewell({ CITEWELL_DATA_DIR: directory.path, ...env }, args),
      startAnotherApi: null,
      async stop() {
        await standalone.stop();
        await directory.remove();
      },
    };
  } catch (error) {
    await standalone.stop('SIGKILL');
    await directory.remove();
    throw error;
  }
}
