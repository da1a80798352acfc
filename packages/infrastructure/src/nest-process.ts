import { type Logger, watchEventLoop } from '@citewell/observability';
import type { LoggerService } from '@nestjs/common';
import type { Config } from '@citewell/config';

/** Writes Nest's own log lines in our format. Its `log` lines become `debug`: only developers need them. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }

  error(message: unknown, stack?: unknown): void {
    this.logger.error({ stack: typeof stack === 'string' ? stack : undefined }, String(message));
  }

  debug(message: unknown): void {
    this.logger.trace(String(message));
  }

  verbose(message: unknown): void {
    this.logger.trace(String(message));
  }
}

/** Starts the watchdog of this process. Blocks of its event loop are stored in the database. */
export function watchProcess(
  app: string,
  { WATCHDOG_SECONDS: seconds }: Pick<Config, 'WATCHDOG_SECONDS'>,
  databaseUrl: string,
): void {
  const recorder = import.meta.resolve('@citewell/database/record-block');
  watchEventLoop({ app, seconds, recorder, databaseUrl });
}
