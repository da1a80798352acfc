import { ModelError, ProviderFailure } from './model.error.js';

/** Codes and ids are words; anything else might be somebody's text. */
const HARMLESS = /^[\w.-]{1,80}$/;
/** Statuses below 500 after which a second try may go well: Request Timeout and Too Early. */
const TRANSIENT_STATUSES = new Set([408, 425]);

/**
 * Sorts whatever LangChain, the OpenAI client under it, or a socket throws.
 *
 * 429 is `rate-limited`, except for a used-up credit (`insufficient_quota`), which no waiting refills. 408, 5xx, and
 * everything that is no answer of the provider (network, time, unreadable data) are `transient`; other statuses are
 * `permanent`.
 */
export function toModelError(error: unknown, nowMs: number = Date.now()): ModelError {
  if (error instanceof ModelError) return error;
  const facts = read(error);
  const cause = new ProviderFailure(facts.name, facts.status, facts.code, facts.requestId);
  const permanent = (message: string): ModelError => new ModelError('permanent', message, { cause });

  if (facts.code === 'insufficient_quota') {
    return permanent('The credit at the model provider is used up. Check its billing page.');
  }
  if (facts.name === 'ContextOverflowError' || facts.code === 'context_length_exceeded') {
    return permanent('The text is longer than the model can take.');
  }
  if (facts.status === 429 || facts.code === 'rate_limit_exceeded') {
    const retryAfterMs = readRetryAfter(facts.headers, nowMs);
    return new ModelError('rate-limited', 'The model provider asks us to slow down.', {
      cause,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
  if (facts.status === undefined) {
    return new ModelError(
      'transient',
      `The model provider gave no readable answer${inBrackets(facts.code)}.`,
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
  switch (facts.status) {
    case 401:
    case 403:
      return permanent(`The model provider refuses the key (status ${facts.status}). Check OPENAI_API_KEY.`);
    case 404:
      return permanent(
        'The model provider has no such model or address (status 404). Check the model name and OPENAI_BASE_URL.',
      );
    default:
      return permanent(
        `The model provider refuses the request with status ${facts.status}${inBrackets(facts.code)}.`,
      );
  }
}

interface Facts {
  name: string;
  status: number | undefined;
  code: string | undefined;
  requestId: string | undefined;
  headers: Headers | undefined;
}

function read(error: unknown): Facts {
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
    name: harmless(error.name) ?? 'Error',
    status: 'status' in error && typeof error.status === 'number' ? error.status : undefined,
    code: codeOf(error),
    requestId: 'requestID' in error ? harmless(error.requestID) : undefined,
    headers: 'headers' in error && error.headers instanceof Headers ? error.headers : undefined,
  };
}

/** The provider's code, or, where the connection failed, the system's from the innermost cause. */
function codeOf(error: Error): string | undefined {
  const own = 'code' in error ? harmless(error.code) : undefined;
  return own ?? (error.cause instanceof Error ? codeOf(error.cause) : undefined);
}

function harmless(value: unknown): string | undefined {
  return typeof value === 'string' && HARMLESS.test(value) ? value : undefined;
}

function inBrackets(code: string | undefined): string {
  return code === undefined ? '' : ` (${code})`;
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), or OpenAI's own `retry-after-ms`. */
function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const milliseconds = headers?.get('retry-after-ms') ?? '';
  if (/^\d+(\.\d+)?$/.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const value = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // Every HTTP date has letters; `Date.parse` would also take a bare `-5`.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
