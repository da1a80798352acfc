import type { BlobEntry } from '@citewell/blob-store';
import { isId, runBlobKey, type ServingRun, TenantScope } from '@citewell/database';
import { type Finding, findingOf, type Patient } from './finding.js';
import { servingRuns } from './serving-runs.js';

const BATCH = 500;
/** Requests under way at once. */
const AT_ONCE = 16;
/** A blob without a row that is younger may be one that is being written, if its datasource exists. */
const YOUNG_MS = 24 * 60 * 60_000;

/** What a serving run lacks. */
interface Lack {
  run: ServingRun;
  /** Its text, outline or list of chunks: made from the content. */
  derived: boolean;
  /** The bytes that it was made from. */
  content: boolean;
}

/** The blob store has what serving runs need, and nothing that no row names. */
export async function checkBlobs(patient: Patient): Promise<Finding[]> {
  const [unknown, { lost, derived }, ownerless] = [
    await unknownBlobs(patient),
    await lacks(patient),
    await patient.doctor.ownerlessBlobs(),
  ];
  const isForeign = !patient.force && (await patient.doctor.isEmpty());
  return [
    ...findingOf(
      'blobs are in no table',
      unknown,
      (key) => key,
      isForeign
        ? {
            advice:
              'This database has no organizations at all. If it and the blobs do belong together, use --force.',
          }
        : { repair: (keys) => removeBlobs(patient, keys) },
    ),
    ...findingOf('blobs belong to datasources that are gone', ownerless, (key) => key, {
      repair: (keys) => removeBlobs(patient, keys),
    }),
    ...findingOf('serving runs lack their text, outline or list of chunks', derived, ({ run }) => run.runId, {
      repair: (runs) => readAnew(patient, runs),
    }),
    ...findingOf('datasources have lost their original bytes', lost, ({ run }) => run.datasourceId, {
      advice: 'Their chunks still answer. Upload them again, or restore the blobs from a backup.',
    }),
  ];
}

async function unknownBlobs(patient: Patient): Promise<string[]> {
  const unknown: string[] = [];
  let batch: BlobEntry[] = [];
  const flush = async (): Promise<void> => {
    unknown.push(...(await unknownAmong(patient, batch)));
    batch = [];
  };
  for await (const entry of patient.blobStore.list('')) {
    // A bucket may have objects of others in it: ours begin with two ids.
    if (!entry.key.split('/').slice(0, 2).every(isId)) continue;
    batch.push(entry);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return unknown;
}

async function unknownAmong(
  { blobRows, blobStore, doctor }: Patient,
  entries: readonly BlobEntry[],
): Promise<string[]> {
  const known = await blobRows.known(entries.map((entry) => entry.key));
  const suspects = entries.filter((entry) => !known.has(entry.key));
  const living = await doctor.existingDatasources(suspects.map(datasourceOf));
  const condemned = suspects.filter(
    (entry) => !living.has(datasourceOf(entry)) || entry.modifiedAt.getTime() < Date.now() - YOUNG_MS,
  );
  // A row goes after its blob: what was purged between the two looks is not there any more.
  const unknown: string[] = [];
  for (const { key } of condemned) if (await blobStore.stat(key)) unknown.push(key);
  return unknown;
}

function datasourceOf({ key }: BlobEntry): string {
  return key.split('/')[1] ?? '';
}

async function lacks(patient: Patient): Promise<{ lost: Lack[]; derived: Lack[] }> {
  const found: Lack[] = [];
  let batch: ServingRun[] = [];
  const flush = async (): Promise<void> => {
    const looked = await Promise.all(batch.map((run) => lackOf(patient, run)));
    found.push(...looked.filter((lack) => lack.derived || lack.content));
    batch = [];
  };
  for await (const run of servingRuns(patient)) {
    batch.push(run);
    if (batch.length === AT_ONCE) await flush();
  }
  await flush();
  // What was replaced meanwhile has lost its blobs rightly.
  const now = await patient.doctor.runs(found.map(({ run }) => run.runId));
  const real = found.filter(({ run }) => now.get(run.runId)?.role === 'serves');
  // A page can be fetched again; a file has no other source.
  const isLost = ({ run, content }: Lack): boolean => content && run.type !== 'web_page';
  return { lost: real.filter(isLost), derived: real.filter((lack) => !isLost(lack)) };
}

async function lackOf({ blobStore }: Patient, run: ServingRun): Promise<Lack> {
  const key = { ...run, id: run.runId };
  const made = await Promise.all(
    (['text', 'outline', 'chunks'] as const).map((kind) => blobStore.stat(runBlobKey(key, kind))),
  );
  return {
    run,
    derived: made.includes(null),
    content: run.contentKey !== null && (await blobStore.stat(run.contentKey)) === null,
  };
}

async function removeBlobs({ blobStore, blobRows }: Patient, keys: readonly string[]): Promise<string> {
  for (let from = 0; from < keys.length; from += BATCH) {
    const batch = keys.slice(from, from + BATCH);
    await blobStore.delete(batch);
    await blobRows.forget(batch);
  }
  return 'they are deleted';
}

async function readAnew({ doctor, datasources }: Patient, lacking: readonly Lack[]): Promise<string> {
  await doctor.forgetFingerprints(lacking.map(({ run }) => run.runId));
  for (const { run } of lacking) {
    await datasources.sync(new TenantScope(run.organizationId), run.datasourceId, 'sync');
  }
  return 'they are being read anew; look again when that is done';
}
