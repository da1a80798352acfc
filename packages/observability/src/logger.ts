import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger as Pino, type LoggerOptions, pino, type SerializedError, stdSerializers } from 'pino';

/** Fields of every log line of a request or job, such as `requestId`, `runId` and `organizationId`. */
export type LogContext = Readonly<Record<string, string | number>>;

export type Logger = Pino;

const contexts = new AsyncLocalStorage<LogContext>();

/**
 * Calls `work` with additional log context. Every log line that is written during the call has these fields.
 */
export function withLogContext<Result>(context: LogContext, work: () => Result): Result {
  return contexts.run({ ...contexts.getStore(), ...context }, work);
}

/** The log context of the request or job that is at work; empty outside of both. */
export function currentLogContext(): LogContext {
  return contexts.getStore() ?? {};
}

/** Fields whose value is redacted, at the top level of a logged object and one level below. */
const SECRET_FIELDS = ['authorization', 'apiKey', 'key', 'password', 'secret', 'cookie'];

/**
 * Creates a logger that writes JSON lines.
 *
 * @param app the name of the process
 * @param destination default: standard output
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
    serializers: { err: withoutUserContent },
    mixin: currentLogContext,
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Fields of a database error that may contain text of a user. */
const USER_CONTENT_FIELDS = ['parameters', 'driverError', 'detail', 'where'];

function withoutUserContent(error: Error): SerializedError {
  const serialized = stdSerializers.err(error);
  for (const name of USER_CONTENT_FIELDS) Reflect.deleteProperty(serialized, name);
  return serialized;
}
