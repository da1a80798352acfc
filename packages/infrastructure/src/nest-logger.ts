import type { Logger } from '@citewell/observability';
import type { LoggerService } from '@nestjs/common';

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
