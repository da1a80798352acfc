import { ConfigError } from '@citewell/config';
import { CitewellError, DatasourceFailedError } from '@citewell/sdk';
import { withAdvice } from './advice.js';
import { inOneLine } from './terminal/printable.js';
import { UsageError } from './usage-error.js';

/** Exit code of a command that failed. */
export const EXIT_FAILED = 1;
/** Exit code for an invalid command line or configuration. The command had no effect. */
export const EXIT_USAGE = 2;

/** Converts an error to a message for the terminal and an exit code. */
export function describeError(error: unknown): { message: string; exitCode: number } {
  if (error instanceof UsageError) return { message: error.message, exitCode: EXIT_USAGE };
  if (error instanceof ConfigError) return { message: error.problems.join('; '), exitCode: EXIT_USAGE };
  if (error instanceof CitewellError) return { message: describeCitewellError(error), exitCode: EXIT_FAILED };
  if (isMissingFile(error))
    return { message: `There is no file or folder ${error.path}.`, exitCode: EXIT_FAILED };
  return { message: error instanceof Error ? error.message : String(error), exitCode: EXIT_FAILED };
}

function isMissingFile(error: unknown): error is Error & { path: string } {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error;
}

function describeCitewellError(error: CitewellError): string {
  const { code, retryAfterSeconds, requestId, status } = error;
  const text = inOneLine(error.message);
  if (code === 'NETWORK')
    return `${text} Check that the service is running and that CITEWELL_URL is its address.`;
  if (code === 'UNAUTHORIZED')
    return withAdvice('The service rejected the API key. Check CITEWELL_API_KEY.', code);
  if (code === 'RATE_LIMIT')
    return retryAfterSeconds === null ? text : `${text} Try again in ${retryAfterSeconds} s.`;
  const request = status >= 500 && requestId !== null ? `, request ${requestId}` : '';
  const datasourceId = error instanceof DatasourceFailedError ? error.datasource.id : undefined;
  return withAdvice(`${text} (${code}${request})`, code, datasourceId);
}
