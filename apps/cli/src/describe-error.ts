import { ConfigError } from '@citewell/config';
import { CitewellError } from '@citewell/sdk';
import { inOneLine } from './terminal/printable.js';
import { UsageError } from './usage-error.js';

/** 0 is success, as everywhere. */
export const EXIT_FAILED = 1;
/** The command line or the configuration cannot be used; nothing was tried. */
export const EXIT_USAGE = 2;

/** An error as one sentence for the person at the terminal, and the exit code. */
export function describeError(error: unknown): { sentence: string; exitCode: number } {
  if (error instanceof UsageError) return { sentence: error.message, exitCode: EXIT_USAGE };
  if (error instanceof ConfigError) return { sentence: error.problems.join('; '), exitCode: EXIT_USAGE };
  if (error instanceof CitewellError) return { sentence: sentenceOf(error), exitCode: EXIT_FAILED };
  return { sentence: error instanceof Error ? error.message : String(error), exitCode: EXIT_FAILED };
}

function sentenceOf({ code, message, retryAfterSeconds, requestId, status }: CitewellError): string {
  const text = inOneLine(message);
  switch (code) {
    case 'NETWORK':
      return `${text} Is it running, and is CITEWELL_URL its address?`;
    case 'UNAUTHORIZED':
      return 'The service does not accept the key: check CITEWELL_API_KEY.';
    case 'RATE_LIMIT':
      return retryAfterSeconds === null ? text : `${text} Try again in ${retryAfterSeconds} s.`;
    default:
      return status >= 500 && requestId !== null
        ? `${text} (${code}, request ${requestId})`
        : `${text} (${code})`;
  }
}
