import type { Logger } from '@citewell/observability';

/** The longest time that Node's timers can wait; a longer one they take for none at all. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * One Ctrl-C arrives twice where npm started us: from the terminal, and passed on by npm. A signal is a second one
 * only after this long.
 */
const SAME_SIGNAL_MS = 1_000;

export interface StopOptions {
  /** What is not gone after this long is cut off, with exit code 1; nothing acknowledged is lost by it. */
  patienceMs: number;
  logger: Pick<Logger, 'info' | 'error'>;
}

/** Stops once on SIGINT or SIGTERM and ends the process; a second signal ends it at once. */
export function stopOnSignals(stop: () => Promise<void>, { patienceMs, logger }: StopOptions): void {
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
        logger.error({ patienceMs }, 'did not stop in time, and is cut off');
        process.exit(1);
      },
      Math.min(patienceMs, LONGEST_TIMER_MS),
    ).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}
