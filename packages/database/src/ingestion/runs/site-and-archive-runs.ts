import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import { type Executor, sql } from '../../connection/sql.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import type { DatasourceEntity } from '../../schema/content.entities.js';
import { deleteDatasources } from './delete-datasources.js';

// While a file replaces an archive, or the reverse, the type of the datasource is already the new one. The type of what
// serves is that of the serving run.

/** Whether a datasource serves as a group: it has no text of its own, its pages or files have. */
export function isGroup({
  datasource,
  serving,
}: {
  datasource: Pick<DatasourceEntity, 'type'>;
  serving: Pick<RunEntity, 'contentType'> | null;
}): boolean {
  return datasource.type === 'web_site' || serving?.contentType === ARCHIVE_TYPE;
}

/** As {@link isGroup}, a condition on `datasources d` and their serving runs `r`. */
export const IS_GROUP = sql`(d.type = 'web_site' OR r.content_type IS NOT DISTINCT FROM ${ARCHIVE_TYPE})`;

/**
 * Deletes the files of archives that other files replace. The caller holds the locks of the datasources.
 *
 * @param runs that succeed, and are not those of groups
 */
export async function deleteReplacedFiles(
  manager: Executor,
  organizationId: string,
  runs: readonly RunEntity[],
): Promise<void> {
  const ids = runs.filter(({ groupId }) => groupId === null).map(({ datasourceId }) => datasourceId);
  if (ids.length > 0) await deleteDatasources(manager, organizationId, sql`group_id = ANY(${ids})`);
}
