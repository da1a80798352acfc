import { IngestionError } from '@citewell/contracts/errors';
import type { DatasourceError } from '@citewell/contracts/schemas';
import { execute, type Executor, queryRows, sql } from '../../connection/sql.js';
import { commitBlobs, type WrittenBlob } from '../../content/blobs/blob.repository.js';
import type { DocumentSentences } from '../../schema/content.entities.js';
import type { RunCounts, RunEntity } from '../../schema/ingestion.entities.js';
import { SET_SERVED } from './datasource-status.js';
import { WAKE_DISPATCHER } from './dispatch.js';
import { LeaseLostError } from './lease.js';
import { endReindexing, requestPurges, SET_FINISHED } from './out-of-service.js';
import { recordServed } from './record-changes.js';
import { deleteReplacedFiles } from './site-and-archive-runs.js';
import { startReindexing } from './start-run.js';

/** A run that is to serve, with its counts. */
export interface Switch {
  readonly run: RunEntity;
  readonly counts: RunCounts;
  /** What a reader has to know, unless the run has a warning already. */
  readonly warning: DatasourceError | null;
  /** The vectors of the embedding model follow, in a reindex. */
  readonly isEmbeddedLater: boolean;
  /** The sentences in which its text differs from the one that it replaces, if both are known. */
  readonly changed: DocumentSentences | null;
  /** Blobs of the run that nothing refers to yet. */
  readonly blobs: readonly WrittenBlob[];
}

/**
 * The switch of runs of one organization, all or none; see `RunLifecycleRepository.serve`.
 *
 * @returns the revisions of the runs, in order
 * @throws {@link LeaseLostError} when the owner has lost a lease, or a datasource was deleted meanwhile
 * @throws IngestionError `USAGE_LIMIT` when the organization may not store that much
 */
export async function serveRuns(
  manager: Executor,
  owner: string,
  organizationId: string,
  switches: readonly Switch[],
): Promise<number[]> {
  const runs = switches.map(({ run }) => run);
  const replacedRuns = await lockDatasources(manager, organizationId, runs);
  const served = await switchRuns(manager, owner, switches);
  // A reindex that has not ended reads a text that serves no longer.
  const replaced = runs
    .filter(({ trigger }) => trigger !== 'reindex')
    .map(({ datasourceId }) => datasourceId);
  await endReindexing(manager, organizationId, replaced);
  await commitBlobs(
    manager,
    organizationId,
    switches.flatMap(({ blobs }) => blobs),
  );
  const [first] = runs;
  if (first !== undefined && served.length < runs.length) throw new LeaseLostError(first.id);
  const embeddedLater = switches.filter(({ isEmbeddedLater }) => isEmbeddedLater);
  await startReindexing(
    manager,
    embeddedLater.map(({ run }) => run.datasourceId),
    'embedding',
  );
  if (replacedRuns.size > 0) await requestPurges(manager, organizationId, 'runs', [...replacedRuns.keys()]);
  await recordServed(manager, organizationId, switches, replacedRuns);
  // Before the characters are counted, so that those of the files do not count against the limit.
  await deleteReplacedFiles(manager, organizationId, runs);
  await countStorage(manager, organizationId, runs, replacedRuns);
  const revisions = new Map(served.map(({ id, revision }) => [id, revision]));
  return runs.map(({ id }) => {
    const revision = revisions.get(id);
    if (revision === undefined) throw new LeaseLostError(id);
    return revision;
  });
}

/** The runs succeed and serve from now on. @returns those whose lease this process held */
async function switchRuns(
  manager: Executor,
  owner: string,
  switches: readonly Switch[],
): Promise<{ id: string; revision: number }[]> {
  return queryRows(
    manager,
    sql`WITH held AS (
          SELECT * FROM unnest(
            ${switches.map(({ run }) => run.id)}::uuid[],
            ${switches.map(({ run }) => run.delivery)}::int[],
            ${switches.map(({ counts }) => JSON.stringify(counts))}::jsonb[],
            ${switches.map(({ warning }) => warning && JSON.stringify(warning))}::jsonb[]
          ) AS held (id, delivery, counts, warning)
        ), served AS (
          UPDATE runs SET state = 'succeeded', ${SET_FINISHED}, error = NULL, counts = held.counts,
                 warning = coalesce(runs.warning, held.warning),
                 revision = CASE WHEN trigger = 'reindex' THEN 0 ELSE 1 END
                   + (SELECT coalesce(max(o.revision), 0) FROM runs o
                       WHERE o.organization_id = runs.organization_id
                         AND o.datasource_id = runs.datasource_id)
            FROM held
           WHERE runs.id = held.id AND runs.delivery = held.delivery AND lease_owner = ${owner}
             AND state = 'active'
          RETURNING runs.id, revision, space, datasource_id, trigger, runs.warning
        ), shown AS (
          UPDATE datasources d SET serving_run_id = served.id, ${SET_SERVED},
                 reindexed_run_id = CASE
                   WHEN served.trigger = 'reindex' THEN served.id
                   WHEN (SELECT r.space FROM runs r WHERE r.id = d.reindexed_run_id) <> served.space
                   THEN d.reindexed_run_id END
            FROM served WHERE d.id = served.datasource_id RETURNING d.datastore_id, served.space
        ), searched AS (
          UPDATE datastores s SET spaces = array_append(s.spaces, shown.space) FROM shown
           WHERE s.id = shown.datastore_id AND shown.space IS NOT NULL AND NOT s.spaces @> ARRAY[shown.space]
        )
        SELECT id, revision, ${WAKE_DISPATCHER} FROM served`,
  );
}

/**
 * Locks the datasources, with the files of archives that they replace, in the order of their ids.
 *
 * @returns the runs that serve now, by datasource
 */
async function lockDatasources(
  manager: Executor,
  organizationId: string,
  runs: readonly RunEntity[],
): Promise<Map<string, string>> {
  const ids = new Set(runs.map(({ datasourceId }) => datasourceId));
  // Two runs of one datasource switch one after the other.
  if (ids.size < runs.length) throw new Error('A datasource cannot switch twice in one transaction');
  const locked = await queryRows<{ id: string; serving_run_id: string | null }>(
    manager,
    sql`SELECT id, serving_run_id FROM datasources
         WHERE organization_id = ${organizationId} AND (id = ANY(${[...ids]}) OR group_id = ANY(${[...ids]}))
           AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
  );
  const rows = locked.filter(({ id }) => ids.has(id));
  const living = new Set(rows.map(({ id }) => id));
  const deleted = runs.find(({ datasourceId }) => !living.has(datasourceId));
  if (deleted !== undefined) throw new LeaseLostError(deleted.id);
  return new Map(rows.flatMap((row) => (row.serving_run_id ? [[row.id, row.serving_run_id]] : [])));
}

/**
 * Adds the characters of the runs to what the organization stores, and subtracts those of the runs they
 * replace.
 */
async function countStorage(
  manager: Executor,
  organizationId: string,
  runs: readonly RunEntity[],
  replacedRuns: ReadonlyMap<string, string>,
): Promise<void> {
  const characters = runs.reduce((sum, run) => sum + run.characters, 0);
  const counted = await execute(
    manager,
    sql`WITH change AS (
          SELECT ${characters}::bigint - coalesce((
            SELECT sum(characters) FROM runs WHERE id = ANY(${[...replacedRuns.values()]})), 0) AS characters
        )
        UPDATE organizations o SET stored_characters = o.stored_characters + change.characters FROM change
         WHERE o.id = ${organizationId} AND (change.characters <= 0 OR o.limit_stored_characters IS NULL
                              OR o.stored_characters + change.characters <= o.limit_stored_characters)`,
  );
  if (counted === 0) throw new IngestionError('USAGE_LIMIT');
}
