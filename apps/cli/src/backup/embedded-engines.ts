import type { Config } from '@citewell/config';
import { UsageError } from '../usage-error.js';

/** @throws {@link UsageError} unless the database, the vectors and the blobs are in the data directory */
export function requireEmbeddedEngines(config: Config): void {
  const variables = (['DATABASE_URL', 'QDRANT_URL', 'S3_BUCKET'] as const).filter(
    (name) => config[name] !== undefined,
  );
  if (variables.length === 0) return;
  throw new UsageError(
    `Only a data directory can be backed up and restored, and ${variables.join(' and ')} names another place. ` +
      'Use the tools of those servers.',
  );
}
