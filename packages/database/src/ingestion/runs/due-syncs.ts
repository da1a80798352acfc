import { sql } from '../../connection/sql.js';
import { UNFINISHED } from './unfinished.js';

/**
 * A query for the ids of datasources that are due: by their schedule, or because a sync was requested during
 * a run that has ended.
 */
export const DUE_SYNCS = sql`
  SELECT id FROM datasources WHERE next_sync_at <= now() AND deleted_at IS NULL
  UNION ALL
  SELECT id FROM datasources d WHERE requested_sync IS NOT NULL AND deleted_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM runs WHERE datasource_id = d.id AND ${UNFINISHED})`;
