import { newId } from '../../connection/new-id.js';
import { type Executor, queryRows, sql } from '../../connection/sql.js';
import { WAKE_DISPATCHER } from './dispatch-channels.js';
import type { PurgeKind } from '../../schema/ingestion.entities.js';

/**
 * Requests purges and wakes the dispatcher. A purge of the same target that nobody has begun is renewed
 * instead, so that it covers both requests.
 */
export async function requestPurges(
  manager: Executor,
  organizationId: string,
  kind: PurgeKind,
  targetIds: readonly string[],
): Promise<void> {
  // Arrays, not one parameter for each target: a site may have more pages than a statement may have
  // parameters.
  await queryRows(
    manager,
    sql`WITH renewed AS (
          UPDATE purges SET created_at = now()
           WHERE organization_id = ${organizationId} AND kind = ${kind} AND target_id = ANY(${targetIds}::uuid[])
             AND round = 1 AND batch_id IS NULL AND not_before <= now()
          RETURNING target_id
        ), requested AS (
          INSERT INTO purges (id, organization_id, kind, target_id)
          SELECT purge_id, ${organizationId}, ${kind}, target_id
            FROM unnest(${targetIds.map(() => newId())}::uuid[], ${targetIds}::uuid[]) AS t (purge_id, target_id)
           WHERE NOT EXISTS (SELECT 1 FROM renewed WHERE renewed.target_id = t.target_id)
        )
        SELECT ${WAKE_DISPATCHER}`,
  );
}
