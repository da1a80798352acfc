import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { DatasourceError } from '@citewell/contracts/http';
import type { EntityManager } from 'typeorm';
import type { PurgeKind } from '../purging/purge.entity.js';
import { newId } from '../connection/new-id.js';
import { WAKES_DISPATCHER } from './dispatch-channels.js';

/** States of a run that has not ended. A datasource has one such run at the most, which an index holds it to. */
export const UNDER_WAY_STATES = `('pending', 'queued', 'active')`;
export const UNDER_WAY = `state IN ${UNDER_WAY_STATES}`;

/** What ending a run for good sets, beside its state: nobody holds it any more. */
export const ENDED = `lease_owner = NULL, lease_until = NULL, finished_at = now()`;

/**
 * Ends the runs of these datasources that are under way; workers that hold them find out at their next heartbeat. The
 * caller holds the locks of the datasources, and has what the runs have written purged.
 *
 * @returns ids of the datasources whose run was ended
 */
export async function endRuns(
  manager: EntityManager,
  organizationId: string,
  datasourceIds: readonly string[],
  error: DatasourceError | null = null,
): Promise<string[]> {
  const [ended] = await manager.query<[{ datasource_id: string }[], number]>(
    `UPDATE runs SET state = 'cancelled', ${ENDED}, error = coalesce($3::jsonb, error)
      WHERE organization_id = $1 AND datasource_id = ANY($2) AND ${UNDER_WAY} RETURNING datasource_id`,
    [organizationId, datasourceIds, error === null ? null : JSON.stringify(error)],
  );
  return ended.map((row) => row.datasource_id);
}

/**
 * As {@link endRuns}, because somebody wants them to end: their datasources say so and are what they were before.
 *
 * @returns ids of the datasources whose run was ended
 */
export async function cancelRuns(
  manager: EntityManager,
  organizationId: string,
  datasourceIds: readonly string[],
): Promise<string[]> {
  const error = datasourceErrorOf('CANCELLED');
  const ended = await endRuns(manager, organizationId, datasourceIds, error);
  if (ended.length === 0) return ended;
  await manager.query(
    `UPDATE datasources SET error = $2::jsonb, updated_at = now(),
            status = CASE WHEN last_synch IS NULL THEN 'unsynched' ELSE 'synched' END
      WHERE id = ANY($1)`,
    [ended, JSON.stringify(error)],
  );
  await requestPurges(manager, organizationId, 'runs', ended);
  return ended;
}

/**
 * Has what is left of deleted things taken away, or of the runs of a datasource that neither serve nor are under way;
 * the dispatcher is woken for it. A purge of the same that nobody has begun does for both, as of now.
 */
export async function requestPurges(
  manager: EntityManager,
  organizationId: string,
  kind: PurgeKind,
  targetIds: readonly string[],
): Promise<void> {
  // Two arrays, not a row of parameters each: a site may have more pages than a statement has parameters.
  await manager.query(
    `WITH renewed AS (
       UPDATE purges SET created_at = now()
        WHERE organization_id = $1 AND kind = $2 AND target_id = ANY($4) AND round = 1 AND attempts = 0
       RETURNING target_id
     ), requested AS (
       INSERT INTO purges (id, organization_id, kind, target_id)
       SELECT purge_id, $1, $2, target_id FROM unnest($3::uuid[], $4::uuid[]) AS t (purge_id, target_id)
        WHERE NOT EXISTS (SELECT 1 FROM renewed WHERE renewed.target_id = t.target_id)
     )
     SELECT ${WAKES_DISPATCHER}`,
    [organizationId, kind, targetIds.map(() => newId()), targetIds],
  );
}
