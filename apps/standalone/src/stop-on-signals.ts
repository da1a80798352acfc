import type { Logger } from '@citewell/observability';

/** Everything has to be gone after this long; what is not is cut off, and nothing acknowledged is lost by it. */
const PATIENCE_MS = 30_000;

/**
 * One Ctrl-C arrives twice where npm started us: from the terminal, and passed on by npm. A signal is a second one
 * only after this long.
 */
const SAME_SIGNAL_MS = 1_000;

/** Stops once on SIGINT or SIGTERM and ends the process; a second signal ends it at once. */
export function stopOnSignals(stop: () => Promise<void>, logger: Logger): void {
  let stoppingSince: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
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
