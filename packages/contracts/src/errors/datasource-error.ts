import type { DatasourceError } from '../http/datasources.schema.js';
import { INGESTION_ERRORS, type IngestionError, type IngestionErrorCode } from './ingestion-errors.js';

/**
 * The error that a datasource shows. Trying again is worth it for its user unless the class is `permanent`: a sync
 * after a cancelled run starts another one.
 *
 * @param reason what was raised, or only its code
 * @param detail takes the place of the reason's own sentence; shown to the user, so no inner text
 */
export function datasourceErrorOf(
  reason: IngestionError | IngestionErrorCode,
  detail?: string,
): DatasourceError {
  const { code, failure, sentence } =
    typeof reason === 'string' ? { code: reason, ...INGESTION_ERRORS[reason] } : reason;
  return { code, message: detail ?? sentence, retryable: failure !== 'permanent' };
}
