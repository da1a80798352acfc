import { ARCHIVE_TYPE } from '@citewell/contracts/http';
import { sql } from '../connection/sql.js';
import type { DatasourceEntity } from './datasource.entity.js';

/** Whether a datasource is a group: it has no text of its own, its pages or files have. */
export function isGroup({ type, mimeType }: Pick<DatasourceEntity, 'type' | 'mimeType'>): boolean {
  return type === 'web_site' || mimeType === ARCHIVE_TYPE;
}

/** As {@link isGroup}, a condition on `datasources d`. */
export const IS_GROUP = sql`(d.type = 'web_site' OR d.mime_type IS NOT DISTINCT FROM ${ARCHIVE_TYPE})`;
