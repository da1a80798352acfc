import type { Logger } from '@citewell/observability';

/** The maximum delay of `setTimeout`. A longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * If npm started the process, one Ctrl-C arrives twice: from the
 * terminal and from npm. Signals within this time count as one.
 */
const SAME_SIGNAL_MS = 1_000;

export interface StopOptions {
  /**
   * After this time the process exits with code 1, even if
   * `stop` has not finished. No acknowledged data is lost.
   */
  timeoutMs: number;
  logger: Pick<Logger, 'info' | 'error'>;
}

/** On SIGINT or SIGTERM, calls `stop` and exits with `process.exitCode`. A second signal exits immediately with code 1. */
export function stopOnSignals(stop: () => Promise<void>, { timeoutMs, logger }: StopOptions): void {
  let stoppingSince: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    logger.info({ signal }, 'stopping');
    setTimeout(
      () => {
        logger.error({ timeoutMs }, 'did not stop within the timeout');
        process.exit(1);
      },
      Math.min(timeoutMs, MAX_TIMER_MS),
    ).unref();
    stop().then(
      () => process.exit(),
      (error: unknown) => {
        logger.error({ err: error }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
