import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, loadConfig } from '@citewell/config';
import {
  BlobRepository,
  type DataSource,
  DatasourceRepository,
  DoctorRepository,
  PurgeRepository,
  RebuildRepository,
  schemaIsCurrent,
} from '@citewell/database';
import {
  dataDirectory,
  fullDisksOf,
  openBlobStore,
  openVectorStore,
  queueLocation,
} from '@citewell/infrastructure';
import { checkReadiness } from '@citewell/observability';
import { connectQueue } from '@citewell/queue';
import { type VectorStore, VectorStoreUnavailableError } from '@citewell/vector-store';
import type { CheckContext } from '../doctor/check.js';
import { defineCommand } from '../define-command.js';
import {
  checkEntries,
  dependencyEntries,
  formatEntry,
  okEntry,
  type ReportEntry,
  stepFor,
} from '../doctor/report.js';
import { runChecks } from '../doctor/run-checks.js';
import { type Output, standardOutput } from '../terminal/output.js';
import { withDatabase } from '../with-database.js';

const USAGE = 'citewell doctor [--deep] [--repair] [--force] [--json]';
const HELP = `Checks the consistency of the database, the vector store and the blob store.
  --deep    also read all blobs, and compare their digests with those that were recorded
  --repair  repair the problems that can be repaired
  --force   with --repair: delete unknown data even if the database knows nothing in the store
  --json    one JSON object: {"ok": true, "checks": [{"name", "state", "message", "ids", "nextStep"}]}.
            The state is ok, problem or repaired

The exit code is 0 if there is no problem or every problem was repaired, otherwise 1.`;
const OPTIONS = {
  deep: { type: 'boolean' },
  repair: { type: 'boolean' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** Resolves to the exit code: 0 if no problem is left, 1 if a problem is left. */
export const run = defineCommand(
  { usage: USAGE, help: HELP, options: OPTIONS, positionals: { maximum: 0 } },
  async (
    { deep = false, repair = false, force = false, json: isJson = false },
    _positionals,
    { config = loadConfig(), output = standardOutput }: { config?: Config; output?: Output } = {},
  ) =>
    withDatabase(config, { command: 'doctor', ifMissing: 'refuse', poolSize: 4 }, async (dataSource, url) => {
      const checks: ReportEntry[] = [];
      for await (const entry of checkInstallation(dataSource, url, config, { deep, repair, force })) {
        checks.push(entry);
        if (!isJson) output.write(formatEntry(entry));
      }
      const ok = checks.every(({ state }) => state !== 'problem');
      if (isJson) output.write(`${JSON.stringify({ ok, checks })}\n`);
      return ok ? 0 : 1;
    }),
);

async function* checkInstallation(
  dataSource: DataSource,
  url: string,
  config: Config,
  { deep, repair, force }: { deep: boolean; repair: boolean; force: boolean },
): AsyncGenerator<ReportEntry> {
  const vectorStore = await openVectorStore(config, { setsDamagedFileAside: repair });
  const blobStore = openBlobStore(config, dataSource);
  const queue = connectQueue(queueLocation(config, url), 0);
  try {
    for (const message of fullDisksOf(dataDirectory(config)))
      yield {
        name: 'disk',
        state: 'problem',
        message,
        ids: [],
        nextStep: stepFor('disk', 'has a full disk'),
      };
    const damage = await checkVectorFile(vectorStore, repair);
    if (damage !== null) yield damage;
    const { ready, checks } = await checkReadiness({
      schema: async () => {
        if (!(await schemaIsCurrent(dataSource).catch(() => false)))
          throw Object.assign(new Error('the schema is older'), { reason: 'older than this release' });
      },
      queue: () => queue.ping(),
      vectors: () => vectorStore.ping(),
      blobs: () => blobStore.ping(),
    });
    if (!ready) {
      yield* dependencyEntries(checks);
      return;
    }
    yield okEntry('schema and dependencies');
    const context: CheckContext = {
      doctor: new DoctorRepository(dataSource),
      datasources: new DatasourceRepository(dataSource),
      purges: new PurgeRepository(dataSource),
      rebuilds: new RebuildRepository(dataSource),
      blobRows: new BlobRepository(dataSource),
      vectorStore,
      blobStore,
      isDeep: deep,
      force,
    };
    for await (const result of runChecks(context, repair)) yield* checkEntries(result);
  } finally {
    await Promise.all([vectorStore.close(), blobStore.close(), queue.close()]);
  }
}

const PAUSE_MS = 50;
const ATTEMPTS = 100;

/**
 * Reads the file of the embedded vector store.
 *
 * @param repair a damaged file is set aside by the store
 * @returns null for an intact store, and for one that is unavailable for another reason
 */
async function checkVectorFile(vectorStore: VectorStore, repair: boolean): Promise<ReportEntry | null> {
  try {
    await vectorStore.check();
    return null;
  } catch (error) {
    if (!(error instanceof VectorStoreUnavailableError) || error.reason !== 'is damaged') return null;
    const entry = { name: 'vector file', message: error.message, ids: [] };
    if (!repair)
      return {
        ...entry,
        state: 'problem',
        nextStep:
          'Use --repair, or restart the service: the file is set aside, and its data are rebuilt from the documents.',
      };
    await waitUntilReplaced(vectorStore);
    return {
      ...entry,
      state: 'repaired',
      nextStep: `The damaged file is now ${vectorStore.lastDamage?.file}. The service rebuilds its data.`,
    };
  }
}

async function waitUntilReplaced(vectorStore: VectorStore): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await vectorStore.ping();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
