import { type Config, loadConfig } from '@citewell/config';
import {
  BlobRepository,
  type DataSource,
  DatasourceRepository,
  DoctorRepository,
  PurgeRepository,
  schemaIsCurrent,
} from '@citewell/database';
import { openBlobStore, openVectorStore, queueLocation } from '@citewell/infrastructure';
import { checkReadiness } from '@citewell/observability';
import { connectQueue } from '@citewell/queue';
import type { CheckContext } from '../doctor/check.js';
import { defineCommand } from '../define-command.js';
import { formatCheckResult, isEverythingRepaired } from '../doctor/format-check-result.js';
import { type CheckResult, runChecks } from '../doctor/run-checks.js';
import { type Output, standardOutput } from '../output.js';
import { withDatabase } from '../with-database.js';

const USAGE = 'citewell doctor [--repair] [--force]';
const HELP = `Checks the consistency of the database, the vector store and the blob store.
  --repair  repair the problems that can be repaired
  --force   with --repair: delete unknown data even if the database knows nothing in the store

The exit code is 0 if there is no problem or every problem was repaired, otherwise 1.`;
const OPTIONS = {
  repair: { type: 'boolean' },
  force: { type: 'boolean' },
} as const;

/** Resolves to the exit code: 0 if no problem is left, 1 if a problem is left. */
export const run = defineCommand(
  { usage: USAGE, help: HELP, options: OPTIONS, positionals: { maximum: 0 } },
  async (
    options,
    _positionals,
    { config = loadConfig(), output = standardOutput }: { config?: Config; output?: Output } = {},
  ) =>
    withDatabase(config, { command: 'doctor', ifMissing: 'refuse', poolSize: 4 }, (dataSource, url) =>
      checkInstallation(dataSource, url, config, options, output),
    ),
);

async function checkInstallation(
  dataSource: DataSource,
  url: string,
  config: Config,
  { repair = false, force = false }: { repair?: boolean; force?: boolean },
  output: Output,
): Promise<number> {
  const vectorStore = await openVectorStore(config);
  const blobStore = openBlobStore(config);
  const queue = connectQueue(queueLocation(config, url), 0);
  try {
    const { ready, checks } = await checkReadiness({
      schema: async () => {
        if (!(await schemaIsCurrent(dataSource))) throw new Error('older than this release');
      },
      queue: () => queue.ping(),
      vectors: () => vectorStore.ping(),
      blobs: () => blobStore.ping(),
    });
    if (!ready) {
      output.write(describeFailures(checks));
      return 1;
    }
    output.write('✔ schema and dependencies\n');
    const context: CheckContext = {
      doctor: new DoctorRepository(dataSource),
      datasources: new DatasourceRepository(dataSource),
      purges: new PurgeRepository(dataSource),
      blobRows: new BlobRepository(dataSource),
      vectorStore,
      blobStore,
      force,
    };
    const results: CheckResult[] = [];
    for await (const result of runChecks(context, repair)) {
      results.push(result);
      output.write(formatCheckResult(result));
    }
    return isEverythingRepaired(results) ? 0 : 1;
  } finally {
    await Promise.all([vectorStore.close(), blobStore.close(), queue.close()]);
  }
}

/** Formats the dependencies that are not ready. Without them no check can run. */
function describeFailures({ schema, ...dependencies }: Record<string, string>): string {
  const lines = Object.entries(dependencies)
    .filter(([, outcome]) => outcome !== 'ok')
    .map(([name, outcome]) => `✖ ${name}: ${outcome}\n`);
  if (schema !== 'ok') lines.unshift('✖ schema: older than this release. Run "citewell migrate".\n');
  return lines.join('');
}
