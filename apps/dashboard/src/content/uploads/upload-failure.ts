import type { DuplicateReason } from '@citewell/contracts/messages';
import { CitewellError } from '@citewell/sdk';

/** The file of the library that has the name or the bytes of an upload. */
export interface Duplicate {
  readonly reason: DuplicateReason;
  readonly datasourceId: string;
}

/** What an upload would repeat; null if it failed for another reason. */
export function duplicateOf(error: unknown): Duplicate | null {
  if (!(error instanceof CitewellError) || error.code !== 'CONFLICT') return null;
  for (const { reason, values } of error.details) {
    const datasourceId = values?.['datasourceId'];
    if ((reason === 'SAME_NAME' || reason === 'SAME_CONTENT') && datasourceId !== undefined)
      return { reason, datasourceId };
  }
  return null;
}

const PAYMENT_REQUIRED = 402;
const TOO_MANY_REQUESTS = 429;

/** Whether the same request may succeed later: unless the server refused this file. */
export function canRetry(error: unknown): boolean {
  if (!(error instanceof CitewellError)) return true;
  const { status } = error;
  return status < 400 || status === PAYMENT_REQUIRED || status === TOO_MANY_REQUESTS || status >= 500;
}
