import type { Logger } from './logger.js';

/** The maximum delay of `setTimeout`. A longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Later errors of the stop are not logged: one that repeats would fill the log. */
const MAX_LOGGED_ERRORS = 10;
const MAX_CAUSES = 5;

export interface StopOnUncaughtErrorsOptions {
  logger: Pick<Logger, 'fatal' | 'error'>;
  /** Accepts no more work, finishes what is in progress, and ends the child processes. */
  stop: () => Promise<void>;
  /** After this time the process exits, even if `stop` has not finished. */
  timeoutMs: number;
}

/**
 * When an exception or a rejection is caught by nobody, logs it, calls `stop`, and exits with code 1. The process does
 * not go on: what has failed may be in any state. Without this, Node would exit at once, in the middle of the requests
 * and jobs of others.
 */
export function stopOnUncaughtErrors({ logger, stop, timeoutMs }: StopOnUncaughtErrorsOptions): void {
  let errors = 0;
  // Node reports unhandled rejections as uncaught exceptions, too.
  process.on('uncaughtException', (error: unknown, origin) => {
    errors += 1;
    if (errors <= MAX_LOGGED_ERRORS)
      logger.fatal({ origin, error: describe(error) }, 'uncaught error, stopping');
    if (errors > 1) return;
    process.exitCode = 1;
    setTimeout(
      () => {
        logger.error({ timeoutMs }, 'did not stop within the timeout');
        process.exit(1);
      },
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
    const exit = (): never => process.exit(1);
    stop().then(exit, exit);
  });
}

/** Only the stacks and codes: other fields of an error may contain a request with its key. */
function describe(error: unknown, depth = 0): object {
  // Any value can be thrown. Its content may be a secret.
  if (!(error instanceof Error)) return { type: typeof error };
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    stack: withoutSecrets(error.stack ?? error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause !== undefined && depth < MAX_CAUSES ? { cause: describe(error.cause, depth + 1) } : {}),
  };
}

/** Replaces the credentials of URLs, bearer tokens and keys. */
function withoutSecrets(text: string): string {
  return text
    .replace(/(:\/\/)[^\s/@]+@/g, '$1[secret]@')
    .replace(/\b(Bearer) \S+/gi, '$1 [secret]')
    .replace(/\b(?:cw|sk|pk)[_-][\w-]{8,}/g, '[secret]');
}
