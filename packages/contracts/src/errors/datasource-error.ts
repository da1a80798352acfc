import type { DatasourceError } from '../http/content/datasources.schema.js';
import { INGESTION_ERRORS, type IngestionError, type IngestionErrorCode } from './ingestion-errors.js';

/**
 * The error that a datasource shows. It is retryable unless its class is `permanent`: also after a cancelled
 * run, a sync starts a new one.
 *
 * @param reason the raised error, or only its code
 * @param detail replaces the sentence of the reason. It is
 * shown to the user, so it contains no internal text.
 */
export function datasourceErrorOf(
  reason: IngestionError | IngestionErrorCode,
  detail?: string,
): DatasourceError {
  const { code, failure, sentence } =
    typeof reason === 'string' ? { code: reason, ...INGESTION_ERRORS[reason] } : reason;
  return { code, message: detail ?? sentence, retryable: failure !== 'permanent' };
}
