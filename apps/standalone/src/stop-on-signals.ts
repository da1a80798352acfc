import type { Logger } from '@citewell/observability';

/** Everything has to be gone after this long; what is not is cut off, and nothing acknowledged is lost by it. */
const PATIENCE_MS = 30_000;

/** Stops once on SIGINT or SIGTERM and ends the process; a second signal ends it at once. */
export function stopOnSignals(stop: () => Promise<void>, logger: Logger): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
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
