import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger as Pino, type LoggerOptions, pino } from 'pino';

/** Fields that every log line of a request or job carries, such as `requestId`, `runId` and `organizationId`. */
export type LogContext = Readonly<Record<string, string | number>>;

export type Logger = Pino;

const contexts = new AsyncLocalStorage<LogContext>();

/** Runs something with more context: its log lines, however deep, carry these fields. */
export function withLogContext<Result>(context: LogContext, run: () => Result): Result {
  return contexts.run({ ...contexts.getStore(), ...context }, run);
}

/** What must never be in a log, should it ever get into an object that is logged. */
const SECRETS = ['authorization', 'apiKey', 'key', 'password', 'secret', 'cookie'];

/**
 * JSON lines on standard output.
 *
 * @param app names the process
 */
export function createLogger(
  app: string,
  level: string,
  destination?: { write(line: string): void },
): Logger {
  const options: LoggerOptions = {
    level,
    base: { app },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => contexts.getStore() ?? {},
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
