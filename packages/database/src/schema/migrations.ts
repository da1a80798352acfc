import { InitialSchema1795968000000 } from './1795968000000-initial-schema.migration.js';
import { Gaps1796057994623 } from './1796057994623-gaps.migration.js';
import { AgentOfAllDatastores1796064000000 } from './1796064000000-agent-of-all-datastores.migration.js';
import { DocumentChanges1796068800000 } from './1796068800000-document-changes.migration.js';
import { WeeklyGapMail1796073300000 } from './1796073300000-weekly-gap-mail.migration.js';
import { Sources1796140800000 } from './1796140800000-sources.migration.js';

/** In the order in which they are applied. */
export const MIGRATIONS = [
  InitialSchema1795968000000,
  Gaps1796057994623,
  AgentOfAllDatastores1796064000000,
  DocumentChanges1796068800000,
  WeeklyGapMail1796073300000,
  Sources1796140800000,
];

export const INITIAL_MIGRATION = InitialSchema1795968000000.name;

/** Versions before the initial migration had many migrations. The last of these led to the same schema. */
export const LAST_EARLIER_MIGRATION = 'TimedOutBlobs1795859000000';

/** Backups with these schemas can be restored, too: later migrations have only added tables, and columns with defaults. */
export const FITTING_SCHEMAS: readonly string[] = [
  LAST_EARLIER_MIGRATION,
  INITIAL_MIGRATION,
  Gaps1796057994623.name,
  AgentOfAllDatastores1796064000000.name,
  DocumentChanges1796068800000.name,
  WeeklyGapMail1796073300000.name,
];

/** How the content of an earlier version comes into a database of this one. */
export const TO_COPY_EARLIER =
  `Start the last version with the migration ${LAST_EARLIER_MIGRATION} on the old data, make a backup with it ` +
  '("npm run citewell -- backup <file>"), and restore the backup with this version into an empty data directory ' +
  '("npm run citewell -- restore <file>").';

/** When a migration was written, in ms since 1970: the end of its name. */
export function timeOf(migration: string): number {
  return Number(migration.slice(-13));
}
