import type { BlobEntry } from '@citewell/blob-store';
import { isId, runBlobKey, type ServingRun, TenantScope } from '@citewell/database';
import type { CheckContext } from './check.js';
import { type Finding, findingsFor } from './finding.js';
import { listServingRuns } from './list-serving-runs.js';

/** Keys per database query and per delete request. */
const BATCH_SIZE = 500;
/** Runs whose blobs are checked concurrently. */
const CONCURRENT_RUNS = 16;
/** A younger blob without a row may still be in the process of being written, if its datasource exists. */
const MIN_ORPHAN_AGE_MS = 24 * 60 * 60_000;

/** Which blobs of a serving run are missing. */
interface MissingBlobs {
  run: ServingRun;
  /** The text, the outline or the list of chunks. They can be derived from the original content. */
  derived: boolean;
  /** The original content. */
  content: boolean;
}

/** Checks that the blob store contains all blobs of the serving runs, and no blob without a database row. */
export async function checkBlobs(context: CheckContext): Promise<Finding[]> {
  const [unknown, missing, ownerless] = [
    await findUnknownBlobs(context),
    await findMissingBlobs(context),
    await context.doctor.ownerlessBlobs(),
  ];
  const isForeign = !context.force && (await context.doctor.isEmpty());
  return [
    ...findingsFor(
      'blobs without a database row',
      unknown,
      (key) => key,
      isForeign
        ? {
            advice:
              'The database has no organizations. If it belongs to this blob store, use --repair --force.',
          }
        : { repair: (keys) => removeBlobs(context, keys) },
    ),
    ...findingsFor('blobs of deleted datasources', ownerless, (key) => key, {
      repair: (keys) => removeBlobs(context, keys),
    }),
    ...findingsFor(
      'serving runs without their text, outline or list of chunks',
      missing.recoverable,
      ({ run }) => run.runId,
      { repair: (runs) => syncAgain(context, runs) },
    ),
    ...findingsFor(
      'datasources without their original content',
      missing.unrecoverable,
      ({ run }) => run.datasourceId,
      {
        advice: 'Their chunks still serve. Restore the blobs from a backup, or create the datasources again.',
      },
    ),
  ];
}

async function findUnknownBlobs(context: CheckContext): Promise<string[]> {
  const unknown: string[] = [];
  let batch: BlobEntry[] = [];
  const flush = async (): Promise<void> => {
    unknown.push(...(await filterUnknown(context, batch)));
    batch = [];
  };
  for await (const entry of context.blobStore.list('')) {
    // The bucket may be shared. Keys of Citewell start with two ids.
    if (!entry.key.split('/').slice(0, 2).every(isId)) continue;
    batch.push(entry);
    if (batch.length === BATCH_SIZE) await flush();
  }
  await flush();
  return unknown;
}

async function filterUnknown(
  { blobRows, blobStore, doctor }: CheckContext,
  entries: readonly BlobEntry[],
): Promise<string[]> {
  const known = await blobRows.known(entries.map((entry) => entry.key));
  const withoutRow = entries.filter((entry) => !known.has(entry.key));
  const existing = await doctor.existingDatasources(withoutRow.map(datasourceIdOf));
  const orphans = withoutRow.filter(
    (entry) =>
      !existing.has(datasourceIdOf(entry)) || entry.modifiedAt.getTime() < Date.now() - MIN_ORPHAN_AGE_MS,
  );
  // A purge deletes the blob before its row. If a purge ran since the listing, the blob no longer exists.
  const unknown: string[] = [];
  for (const { key } of orphans) if (await blobStore.stat(key)) unknown.push(key);
  return unknown;
}

function datasourceIdOf({ key }: BlobEntry): string {
  return key.split('/')[1] ?? '';
}

async function findMissingBlobs(
  context: CheckContext,
): Promise<{ recoverable: MissingBlobs[]; unrecoverable: MissingBlobs[] }> {
  const found: MissingBlobs[] = [];
  let batch: ServingRun[] = [];
  const flush = async (): Promise<void> => {
    const checked = await Promise.all(batch.map((run) => missingBlobsOf(context, run)));
    found.push(...checked.filter(({ derived, content }) => derived || content));
    batch = [];
  };
  for await (const run of listServingRuns(context)) {
    batch.push(run);
    if (batch.length === CONCURRENT_RUNS) await flush();
  }
  await flush();
  // A run that was replaced during the check no longer needs its blobs.
  const facts = await context.doctor.runs(found.map(({ run }) => run.runId));
  const serving = found.filter(({ run }) => facts.get(run.runId)?.role === 'serves');
  // A page can be fetched again. The content of a file or a text exists only in the blob store.
  const isRecoverable = ({ run, content }: MissingBlobs): boolean => !content || run.type === 'web_page';
  return {
    recoverable: serving.filter(isRecoverable),
    unrecoverable: serving.filter((missing) => !isRecoverable(missing)),
  };
}

async function missingBlobsOf({ blobStore }: CheckContext, run: ServingRun): Promise<MissingBlobs> {
  const key = { ...run, id: run.runId };
  const derivedStats = await Promise.all(
    (['text', 'outline', 'chunks'] as const).map((kind) => blobStore.stat(runBlobKey(key, kind))),
  );
  return {
    run,
    derived: derivedStats.includes(null),
    content: run.contentKey !== null && (await blobStore.stat(run.contentKey)) === null,
  };
}

async function removeBlobs({ blobStore, blobRows }: CheckContext, keys: readonly string[]): Promise<string> {
  for (let from = 0; from < keys.length; from += BATCH_SIZE) {
    const batch = keys.slice(from, from + BATCH_SIZE);
    await blobStore.delete(batch);
    await blobRows.forget(batch);
  }
  return 'They are deleted.';
}

async function syncAgain(
  { doctor, datasources }: CheckContext,
  missing: readonly MissingBlobs[],
): Promise<string> {
  await doctor.forgetFingerprints(missing.map(({ run }) => run.runId));
  for (const { run } of missing) {
    await datasources.sync(new TenantScope(run.organizationId), run.datasourceId, 'sync');
  }
  return 'They are being synchronized again. Run "citewell doctor" again when this is finished.';
}
