import type { Config } from '@citewell/config';
import { watchEventLoop } from '@citewell/observability';

/** Starts the watchdog of this process. Blocks of its event loop are stored in the database. */
export function watchProcess(
  app: string,
  { WATCHDOG_SECONDS: seconds }: Pick<Config, 'WATCHDOG_SECONDS'>,
  databaseUrl: string,
): void {
  const recorder = import.meta.resolve('@citewell/database/record-block');
  watchEventLoop({ app, seconds, recorder, databaseUrl });
}
