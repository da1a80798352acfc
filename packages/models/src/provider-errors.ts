import { CHAT_PROVIDERS } from './chat-providers.js';
import { ModelError, ProviderFailure } from './model.error.js';
import { property } from './property.js';
import type { ConnectionVariables } from './provider-connection.js';

/** Form of codes and ids. Anything else may contain a prompt or a key. */
const SAFE = /^[\w.-]{1,80}$/;
/** Transient statuses below 500: Request Timeout and Too Early. */
const TRANSIENT_STATUSES = new Set([408, 425]);

/** Codes of OpenAI. Its reasoning models reject every temperature except 1. */
const UNSUPPORTED_SETTING = 'unsupported_parameter';
const UNSUPPORTED_SETTING_CODES: unknown[] = [UNSUPPORTED_SETTING, 'unsupported_value'];

/** Whether a model rejected a setting of the request, such as the temperature. */
export function isUnsupportedSetting(error: unknown): boolean {
  return (
    error instanceof ModelError &&
    error.cause instanceof ProviderFailure &&
    UNSUPPORTED_SETTING_CODES.includes(error.cause.code)
  );
}

/** The error for a model that LangChain knows to reject the settings. No request is sent. */
export function unsupportedSetting(): ModelError {
  const cause = new ProviderFailure('Error', undefined, UNSUPPORTED_SETTING, undefined);
  return new ModelError('permanent', 'The model does not accept the settings of the request.', { cause });
}

/** The error for an answer that nobody can want: a model in a loop, or a hostile server. */
export function tooLong(): ModelError {
  return new ModelError('permanent', 'The answer of the model is too long.');
}

/**
 * Classifies errors of LangChain, of the clients of the providers and of sockets.
 *
 * - `rate-limited`: status 429, except `insufficient_quota`, which does not recover by waiting.
 * - `transient`: 408, 425, 5xx, and errors without a status (network, timeout, malformed data).
 * - `permanent`: all other statuses, and exceeded quotas or context lengths.
 */
export function toModelError(
  error: unknown,
  { keyVariable, urlVariable }: ConnectionVariables = CHAT_PROVIDERS.openai,
  nowMs: number = Date.now(),
): ModelError {
  const known = modelErrorIn(error);
  if (known) return known;
  const facts = readFacts(error);
  const cause = new ProviderFailure(facts.name, facts.status, facts.code, facts.requestId);
  const permanent = (message: string): ModelError => new ModelError('permanent', message, { cause });

  if (facts.code === 'insufficient_quota') {
    return permanent('The credit of your account at the model provider is used up. Check its billing page.');
  }
  if (facts.name === 'ContextOverflowError' || facts.code === 'context_length_exceeded') {
    return permanent('The text is longer than the model accepts.');
  }
  if (facts.status === 429 || facts.code === 'rate_limit_exceeded') {
    const retryAfterMs = readRetryAfter(facts.headers, nowMs);
    return new ModelError('rate-limited', 'The model provider limits the request rate. Try again later.', {
      cause,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  // Some clients report a malformed response with its status.
  if (facts.status === undefined || facts.status < 400) {
    return new ModelError(
      'transient',
      `The model provider could not be reached or sent a malformed response${inParentheses(facts.code)}.`,
      { cause },
    );
  }
  if (facts.status >= 500 || TRANSIENT_STATUSES.has(facts.status)) {
    const retryAfterMs = readRetryAfter(facts.headers, nowMs);
    return new ModelError('transient', `The model provider failed with status ${facts.status}.`, {
      cause,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  if (facts.status === 401 || facts.status === 403 || facts.code === 'API_KEY_INVALID')
    return permanent(`The model provider rejected the key (status ${facts.status}). Check ${keyVariable}.`);
  switch (facts.status) {
    case 404:
      return permanent(
        `The model or the address was not found (status 404). Check the model name and ${urlVariable}.`,
      );
    default:
      return permanent(
        `The model provider rejected the request with status ${facts.status}${inParentheses(facts.code)}.`,
      );
  }
}

/** The error itself or its nearest cause that is a ModelError: clients wrap errors of `fetch`. */
function modelErrorIn(error: unknown): ModelError | null {
  if (error instanceof ModelError) return error;
  return error instanceof Error && error.cause !== undefined ? modelErrorIn(error.cause) : null;
}

interface ErrorFacts {
  name: string;
  status: number | undefined;
  code: string | undefined;
  requestId: string | undefined;
  headers: Headers | undefined;
}

function readFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) {
    return {
      name: typeof error,
      status: undefined,
      code: undefined,
      requestId: undefined,
      headers: undefined,
    };
  }
  return {
    name: ifSafe(error.name) ?? 'Error',
    status: statusOf(error),
    code: codeOf(error),
    requestId: ifSafe(at(error, 'requestID')),
    headers: headersOf(error),
  };
}

/** The HTTP status under the names of OpenAI and Anthropic, of Google and Mistral, and of Ollama. */
function statusOf(error: Error): number | undefined {
  return [at(error, 'status'), at(error, 'statusCode'), at(error, 'status_code')].find(
    (value) => typeof value === 'number',
  );
}

/** `Headers`, or the object of names and values that Google's client has. */
function headersOf(error: Error): Headers | undefined {
  const headers = at(error, 'headers');
  if (typeof headers !== 'object' || headers === null) return undefined;
  // Not only instances of the global class: `remoteFetch` returns those of undici.
  if (isIterable(headers)) return new Headers([...headers]);
  return new Headers(Object.entries(headers).filter(([, value]) => typeof value === 'string'));
}

function isIterable(headers: object): headers is Iterable<[string, string]> {
  return Symbol.iterator in headers;
}

/** The reason in the body of an error of Google (google.rpc.ErrorInfo), such as `API_KEY_INVALID`. */
function googleReason(error: Error): string | undefined {
  const details = at(error, 'data', 'error', 'details');
  if (!Array.isArray(details)) return undefined;
  return details.map((detail) => ifSafe(at(detail, 'reason'))).find((reason) => reason !== undefined);
}

/** The value at a path of properties; undefined where one is missing. */
function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = property(found, name);
  return found;
}

/**
 * The code of the error or of its nearest cause with one: that of the provider, or of the system
 * (`ECONNRESET`).
 */
function codeOf(error: Error): string | undefined {
  const code = ifSafe(at(error, 'code')) ?? googleReason(error);
  return code ?? (error.cause instanceof Error ? codeOf(error.cause) : undefined);
}

function ifSafe(value: unknown): string | undefined {
  return typeof value === 'string' && SAFE.test(value) ? value : undefined;
}

function inParentheses(code: string | undefined): string {
  return code === undefined ? '' : ` (${code})`;
}

/** Reads `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), or OpenAI's `retry-after-ms`. */
function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const milliseconds = headers?.get('retry-after-ms') ?? '';
  if (/^\d+(\.\d+)?$/.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const value = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // HTTP dates contain letters. Without this check, `Date.parse` would accept `-5`.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
