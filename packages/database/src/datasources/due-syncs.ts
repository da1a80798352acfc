import { UNDER_WAY } from '../runs/under-way.js';

/** SQL for the ids of datasources whose time has come, or of which a sync was asked during a run that has ended. */
export const DUE_SYNCS = `
  SELECT id FROM datasources WHERE next_sync_at <= now() AND deleted_at IS NULL
  UNION ALL
  SELECT id FROM datasources d WHERE sync_asked AND deleted_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM runs WHERE datasource_id = d.id AND ${UNDER_WAY})`;
