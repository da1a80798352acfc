import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger as Pino, type LoggerOptions, pino, type SerializedError, stdSerializers } from 'pino';

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
    serializers: { err: withoutContent },
    mixin: () => contexts.getStore() ?? {},
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** What a failed statement carries along: its parameters may be a user's text, and its driver error repeats them. */
const CONTENT = ['parameters', 'driverError', 'detail', 'where'];

function withoutContent(error: Error): SerializedError {
  const serialized = stdSerializers.err(error);
  for (const name of CONTENT) Reflect.deleteProperty(serialized, name);
  return serialized;
}
