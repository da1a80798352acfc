import {
  BlobDamagedError,
  type BlobEntry,
  BlobNotFoundError,
  type BlobStore,
  BlobStoreUnavailableError,
  verifyBlob,
} from '@citewell/blob-store';
import { isId, runBlobKey, type ServingRun, TenantScope } from '@citewell/database';
import { listServingRuns } from '@citewell/infrastructure';
import { type CheckContext, type Finding, findingsFor } from './check.js';

/** Keys per database query and per delete request. */
const BATCH_SIZE = 500;
/** Runs whose blobs are checked concurrently. */
const CONCURRENT_RUNS = 16;
/** A younger blob without a row may still be in the process of being written, if its datasource exists. */
const MIN_ORPHAN_AGE_MS = 24 * 60 * 60_000;

/** Which blobs of a serving run are missing or damaged. */
interface FaultyRun {
  run: ServingRun;
  /** The text, the outline or the list of chunks. They can be derived from the original content. */
  derived: boolean;
  /** The original content. */
  content: boolean;
  /** Keys of blobs that the store does not read. The blobs may be intact. */
  unreadable: string[];
}

/**
 * Checks that the blob store contains all blobs of the serving runs, that all blobs have their recorded size (with
 * `isDeep`, also their digest), and that no blob lacks a database row.
 */
export async function checkBlobs(context: CheckContext): Promise<Finding[]> {
  const { unknown, damaged } = await checkStoredBlobs(context);
  const faulty = await findFaultyRuns(context, damaged);
  const ownerless = await context.doctor.ownerlessBlobs();
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
    ...findingsFor('blobs that cannot be read', faulty.unreadable, (key) => key, {
      advice: 'Check the disk, and that the user of the service may read the files of the data directory.',
    }),
    ...findingsFor(
      'serving runs whose text, outline or list of chunks is missing or damaged',
      faulty.recoverable,
      ({ run }) => run.runId,
      { repair: (runs) => syncAgain(context, runs) },
    ),
    ...findingsFor(
      'datasources whose original content is missing or damaged',
      faulty.unrecoverable,
      ({ run }) => run.datasourceId,
      {
        advice: 'Their chunks still serve. Restore the blobs from a backup, or create the datasources again.',
      },
    ),
    ...findingsFor('other damaged blobs', [...damaged], (key) => key, {
      advice: 'Restore the blobs from a backup, or upload the archives again.',
    }),
  ];
}

/** Compares the stored blobs with their rows. */
async function checkStoredBlobs(context: CheckContext): Promise<{ unknown: string[]; damaged: Set<string> }> {
  const unknown: string[] = [];
  const damaged = new Set<string>();
  let batch: BlobEntry[] = [];
  const flush = async (): Promise<void> => {
    const rows = await context.blobRows.recorded(batch.map((entry) => entry.key));
    unknown.push(
      ...(await filterUnknown(
        context,
        batch.filter((entry) => !rows.has(entry.key)),
      )),
    );
    for (const { key, bytes } of batch) {
      const row = rows.get(key);
      if (row?.sha256 == null || !(context.isDeep || row.bytes !== bytes)) continue;
      // The blob may have been replaced since the listing.
      if ((await findBlobFault(context.blobStore, key, context.isDeep)) === 'damaged') damaged.add(key);
    }
    batch = [];
  };
  for await (const entry of context.blobStore.list('')) {
    // The bucket may be shared. Keys of Citewell start with two ids.
    if (!entry.key.split('/').slice(0, 2).every(isId)) continue;
    batch.push(entry);
    if (batch.length === BATCH_SIZE) await flush();
  }
  await flush();
  return { unknown, damaged };
}

async function filterUnknown(
  { blobStore, doctor }: CheckContext,
  withoutRow: readonly BlobEntry[],
): Promise<string[]> {
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

/** @param damaged keys of damaged blobs. Those of serving runs are removed from it */
async function findFaultyRuns(
  context: CheckContext,
  damaged: Set<string>,
): Promise<{ recoverable: FaultyRun[]; unrecoverable: FaultyRun[]; unreadable: string[] }> {
  const found: FaultyRun[] = [];
  let batch: ServingRun[] = [];
  const flush = async (): Promise<void> => {
    found.push(...(await Promise.all(batch.map((run) => faultsOf(context, damaged, run)))));
    batch = [];
  };
  for await (const run of listServingRuns(context.doctor)) {
    batch.push(run);
    if (batch.length === CONCURRENT_RUNS) await flush();
  }
  await flush();
  const faulty = found.filter(({ derived, content }) => derived || content);
  // A run that was replaced during the check no longer needs its blobs.
  const facts = await context.doctor.runs(faulty.map(({ run }) => run.runId));
  const serving = faulty.filter(({ run }) => facts.get(run.runId)?.role === 'serves');
  // A page can be fetched again. The content of a file or a text exists only in the blob store.
  const isRecoverable = ({ run, content }: FaultyRun): boolean => !content || run.type === 'web_page';
  return {
    recoverable: serving.filter(isRecoverable),
    unrecoverable: serving.filter((run) => !isRecoverable(run)),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
  };
}

async function faultsOf(
  { blobStore, blobRows }: CheckContext,
  damaged: Set<string>,
  run: ServingRun,
): Promise<FaultyRun> {
  const unreadable: string[] = [];
  const isFaulty = async (key: string): Promise<boolean> => {
    if (damaged.delete(key)) return true;
    const fault = await findBlobFault(blobStore, key, false);
    if (fault === 'unreadable') unreadable.push(key);
    return fault === 'missing' || fault === 'damaged';
  };
  const ofRun = { ...run, id: run.runId };
  const keys = (['text', 'outline', 'chunks'] as const).map((kind) => runBlobKey(ofRun, kind));
  // Few documents have tables.
  const tables = (await blobRows.recorded([runBlobKey(ofRun, 'tables')])).keys();
  const derived = await Promise.all([...keys, ...tables].map(isFaulty));
  const content = run.contentKey !== null && (await isFaulty(run.contentKey));
  return { run, derived: derived.includes(true), content, unreadable };
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
  faulty: readonly FaultyRun[],
): Promise<string> {
  await doctor.forgetFingerprints(faulty.map(({ run }) => run.runId));
  for (const { run } of faulty) {
    await datasources.sync(new TenantScope(run.organizationId, null, null, 'all'), run.datasourceId, 'sync');
  }
  return 'They are being synchronized again. Run "citewell doctor" again when this is finished.';
}

/** `damaged`: its size or digest is not the recorded one. `unreadable`: the store refuses to read it. */
type BlobFault = 'missing' | 'damaged' | 'unreadable';

/**
 * Opens a blob, which compares its size with the recorded one.
 *
 * @param isDeep reads the blob, which also compares its digest
 * @returns null for an intact blob
 */
async function findBlobFault(
  store: Pick<BlobStore, 'open'>,
  key: string,
  isDeep: boolean,
): Promise<BlobFault | null> {
  try {
    if (isDeep) await verifyBlob(store, key);
    else (await store.open(key, { start: 0, end: 0 })).destroy();
    return null;
  } catch (error) {
    if (error instanceof BlobNotFoundError) return 'missing';
    if (error instanceof BlobDamagedError) return 'damaged';
    // A disk that cannot read a sector fails in the middle of a file.
    if (error instanceof BlobStoreUnavailableError || (error instanceof Error && 'syscall' in error))
      return 'unreadable';
    throw error;
  }
}
