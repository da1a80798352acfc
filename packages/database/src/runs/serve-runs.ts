import { IngestionError } from '@citewell/contracts/errors';
import type { EntityManager } from 'typeorm';
import type { RunCounts, RunEntity } from './run.entity.js';
import { keepBlobs, type WrittenBlob } from '../blobs/blob.repository.js';
import { WAKES_DISPATCHER } from './dispatch-channels.js';
import { LEASES_ARE_OURS, LeaseLostError } from './lease.js';
import { ENDED, requestPurges } from './under-way.js';

/** A run that is to come to serve, with what it brought in. */
export interface Switch {
  readonly run: RunEntity;
  readonly counts: RunCounts;
  /** Blobs of it that nothing refers to yet. */
  readonly blobs: readonly WrittenBlob[];
}

/**
 * The switch of runs of one organization, all or none; see `RunLifecycleRepository.serve`.
 *
 * @returns the revisions that they became, in order
 * @throws {@link LeaseLostError} when a lease is no longer the owner's, or a datasource was deleted meanwhile
 * @throws IngestionError `USAGE_LIMIT` when the organization may not store that much
 */
export async function serveRuns(
  manager: EntityManager,
  owner: string,
  organizationId: string,
  switches: readonly Switch[],
): Promise<number[]> {
  const runs = switches.map(({ run }) => run);
  const replacedRuns = await lockDatasources(manager, organizationId, runs);
  await countStorage(manager, organizationId, runs, replacedRuns);
  const served = await manager.query<{ id: string; revision: number }[]>(
    `WITH ours AS (
       SELECT * FROM unnest($2::uuid[], $3::int[], $4::jsonb[]) AS ours (id, delivery, counts)
     ), served AS (
       UPDATE runs SET state = 'succeeded', ${ENDED}, error = NULL, counts = ours.counts,
              revision = 1 + (SELECT coalesce(max(o.revision), 0) FROM runs o
                               WHERE o.organization_id = runs.organization_id AND o.datasource_id = runs.datasource_id)
         FROM ours WHERE ${LEASES_ARE_OURS} RETURNING runs.id, revision, space, datasource_id
     ), shown AS (
       UPDATE datasources d SET serving_run_id = served.id, status = 'synched', error = NULL, last_synch = now(), updated_at = now()
         FROM served WHERE d.id = served.datasource_id RETURNING d.datastore_id, served.space
     ), noted AS (
       UPDATE datastores s SET spaces = array_append(s.spaces, shown.space) FROM shown
        WHERE s.id = shown.datastore_id AND shown.space IS NOT NULL AND NOT s.spaces @> ARRAY[shown.space]
     )
     SELECT id, revision, ${WAKES_DISPATCHER} FROM served`,
    [
      owner,
      runs.map(({ id }) => id),
      runs.map(({ delivery }) => delivery),
      switches.map(({ counts }) => JSON.stringify(counts)),
    ],
  );
  await keepBlobs(
    manager,
    organizationId,
    switches.flatMap(({ blobs }) => blobs),
  );
  // Two deliveries of one run may be asked for: one of them is late.
  const [first] = runs;
  if (first !== undefined && served.length < runs.length) throw new LeaseLostError(first.id);
  if (replacedRuns.size > 0) await requestPurges(manager, organizationId, 'runs', [...replacedRuns.keys()]);
  const revisions = new Map(served.map(({ id, revision }) => [id, revision]));
  return runs.map(({ id }) => {
    const revision = revisions.get(id);
    if (revision === undefined) throw new LeaseLostError(id);
    return revision;
  });
}

/** In the order of their ids. @returns the runs that serve now, by datasource */
async function lockDatasources(
  manager: EntityManager,
  organizationId: string,
  runs: readonly RunEntity[],
): Promise<Map<string, string>> {
  const rows = await manager.query<{ id: string; serving_run_id: string | null }[]>(
    `SELECT id, serving_run_id FROM datasources
      WHERE organization_id = $1 AND id = ANY($2) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
    [organizationId, runs.map(({ datasourceId }) => datasourceId)],
  );
  const living = new Set(rows.map(({ id }) => id));
  const late = runs.find(({ datasourceId }) => !living.has(datasourceId));
  if (late !== undefined) throw new LeaseLostError(late.id);
  return new Map(rows.flatMap((row) => (row.serving_run_id ? [[row.id, row.serving_run_id]] : [])));
}

/** What comes to serve counts into what the organization stores; what served before does no longer. */
async function countStorage(
  manager: EntityManager,
  organizationId: string,
  runs: readonly RunEntity[],
  replacedRuns: ReadonlyMap<string, string>,
): Promise<void> {
  const characters = runs.reduce((sum, run) => sum + run.characters, 0);
  const [, counted] = await manager.query<[unknown[], number]>(
    `WITH change AS (SELECT $2::bigint - coalesce((SELECT sum(characters) FROM runs WHERE id = ANY($3)), 0) AS characters)
     UPDATE organizations o SET stored_characters = o.stored_characters + change.characters FROM change
      WHERE o.id = $1 AND (change.characters <= 0 OR o.limit_stored_characters IS NULL
                           OR o.stored_characters + change.characters <= o.limit_stored_characters)`,
    [organizationId, characters, [...replacedRuns.values()]],
  );
  if (counted === 0) throw new IngestionError('USAGE_LIMIT');
}
