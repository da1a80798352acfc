import { parseArgs } from 'node:util';
import { type Config, loadConfig } from '@citewell/config';
import {
  BlobRepository,
  createDataSource,
  type DataSource,
  DatasourceRepository,
  DoctorRepository,
  PurgeRepository,
  schemaIsCurrent,
} from '@citewell/database';
import { openBlobStore, openVectorStore, queueLocation } from '@citewell/infrastructure';
import { checkReadiness } from '@citewell/observability';
import { connectQueue } from '@citewell/queue';
import { withDatabase } from '../database-access.js';
import { type Examined, examine } from '../doctor/examination.js';
import type { Patient } from '../doctor/finding.js';
import { isSettled, reportOf } from '../doctor/report.js';
import { type Output, standardOutput } from '../output.js';

const USAGE = `Usage: citewell doctor [--repair] [--force]

Compares the database with the vector store, the blob store and itself.
  --repair  mends what can be mended
  --force   with --repair: deletes also where nothing in a store is known to the database

Exit code: 0 when nothing was found, or everything was mended; 1 when something is left.
`;
const OPTIONS = {
  repair: { type: 'boolean' },
  force: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** @returns the exit code: 0 healthy or mended, 1 something is left, 2 wrong arguments */
export async function run(
  args: string[],
  { config = loadConfig(), output = standardOutput }: { config?: Config; output?: Output } = {},
): Promise<number> {
  const options = optionsOf(args);
  if (!options || options.help) {
    output.write(USAGE);
    return options ? 0 : 2;
  }
  return withDatabase(config, 'refuse', async (url) => {
    const dataSource = await createDataSource({
      url,
      poolSize: 4,
      applicationName: 'citewell-doctor',
    }).initialize();
    try {
      return await look(dataSource, url, config, options, output);
    } finally {
      await dataSource.destroy();
    }
  });
}

function optionsOf(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values;
  } catch {
    return null;
  }
}

async function look(
  dataSource: DataSource,
  url: string,
  config: Config,
  { repair = false, force = false }: { repair?: boolean; force?: boolean },
  output: Output,
): Promise<number> {
  const [vectorStore, blobStore, queue] = [
    openVectorStore(config),
    openBlobStore(config),
    connectQueue(queueLocation(config, url), 0),
  ];
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
      output.write(unreachable(checks));
      return 1;
    }
    output.write('✔ schema and dependencies\n');
    const patient: Patient = {
      doctor: new DoctorRepository(dataSource),
      datasources: new DatasourceRepository(dataSource),
      purges: new PurgeRepository(dataSource),
      blobRows: new BlobRepository(dataSource),
      vectorStore,
      blobStore,
      force,
    };
    const examined: Examined[] = [];
    for await (const part of examine(patient, repair)) {
      examined.push(part);
      output.write(reportOf(part));
    }
    return isSettled(examined) ? 0 : 1;
  } finally {
    await Promise.all([vectorStore.close(), blobStore.close(), queue.close()]);
  }
}

/** Without its dependencies nothing can be compared. */
function unreachable({ schema, ...dependencies }: Record<string, string>): string {
  const lines = Object.entries(dependencies)
    .filter(([, outcome]) => outcome !== 'ok')
    .map(([name, outcome]) => `✖ ${name}: ${outcome}\n`);
  if (schema !== 'ok') lines.unshift('✖ schema: older than this release; run "citewell migrate"\n');
  return lines.join('');
}
