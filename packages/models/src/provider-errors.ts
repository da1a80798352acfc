import { offlineRefusalIn } from '@citewell/web/remote-fetch';
import { constants } from 'node:os';
import { CHAT_PROVIDERS } from './providers.js';
import {
  ModelError,
  type ModelErrorDetails,
  type ModelErrorReason,
  type ModelSetting,
  ProviderFailure,
} from './model.error.js';
import { property } from './property.js';
import type { ConnectionVariables } from './provider-connection.js';
import { safeSentence, sentenceIn } from './provider-sentence.js';
import { refusedSettings, SAMPLING } from './refused-settings.js';
import { withoutSecrets } from './without-secrets.js';

/**
 * Codes that the providers document: OpenAI and Azure, Anthropic, Google, Mistral, Cohere, DeepSeek, Groq, DashScope,
 * llama.cpp and vLLM.
 */
const PROVIDER_CODES = new Set(
  `account_deactivated api_error authentication_error bad_request billing_error billing_hard_limit_reached
  billing_not_active capacity_exceeded content_filter content_policy_violation context_length_exceeded
  data_inspection_failed deployment_not_found engine_overloaded exceed_context_size_error exceeded_current_quota_error
  inappropriate_content insufficient_balance insufficient_quota integer_above_max_value integer_below_min_value
  internal_error internal_server_error invalid_api_key invalid_authentication invalid_model invalid_organization
  invalid_parameter invalid_prompt invalid_request invalid_request_error invalid_type invalid_value json_validate_failed
  missing_required_parameter model_decommissioned model_not_found model_terms_required not_found not_found_error
  not_supported_error over_capacity overloaded_error permission_denied permission_error quota_exceeded
  rate_limit_error rate_limit_exceeded rate_limited request_too_large requests server_error service_unavailable
  service_tier_capacity_exceeded string_above_max_length string_below_min_length timeout_error tokens
  tool_use_failed unavailable_error unknown_parameter unsupported_country_region_territory unsupported_parameter
  unsupported_value
  AccessDenied Arrearage BadRequest BadRequestError Conflict DataInspectionFailed DeploymentNotFound InternalServerError
  InvalidApiKey InvalidAuthenticationToken InvalidParameter InvalidRequest InvalidSubscriptionKey NoCapacity NotFound
  NotFoundError OperationNotSupported PermissionDenied QuotaExceeded RateLimitReached ResourceNotFound
  ResponsibleAIPolicyViolation ServiceUnavailable Throttling TooManyRequests Unauthorized
  ABORTED ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_SCOPE_INSUFFICIENT ACCOUNT_STATE_INVALID API_KEY_HTTP_REFERRER_BLOCKED
  API_KEY_INVALID API_KEY_IP_ADDRESS_BLOCKED API_KEY_SERVICE_BLOCKED BILLING_DISABLED CANCELLED CONSUMER_INVALID
  CONSUMER_SUSPENDED DEADLINE_EXCEEDED FAILED_PRECONDITION INTERNAL INVALID_ARGUMENT NOT_FOUND PERMISSION_DENIED
  RATE_LIMIT_EXCEEDED RESOURCE_EXHAUSTED RESOURCE_QUOTA_EXCEEDED SERVICE_DISABLED UNAUTHENTICATED UNAVAILABLE
  USER_PROJECT_DENIED`.split(/\s+/),
);

/** Azure and Mistral also number their errors. */
const NUMERIC_CODE = /^\d{3,4}$/;

/** Codes of Node, of its HTTP parser and name resolution, of undici and of OpenSSL. */
const NODE_CODE =
  /^(?:UND_ERR|ERR|HPE|EAI|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME|ADDRESS|PORT|CONNECTION|TLS|PROXY)_[A-Z_]{1,50}$/;

const OTHER_CODES = new Set(['ENOTFOUND', 'ENODATA', 'TIMEOUT', 'BAD_RESPONSE', 'REDIRECT_LOOP']);

/** Form of codes and ids. Anything else is a text. */
const SAFE = /^[\w.-]{1,80}$/;
/** Longest name of a field that is read. */
const MAX_FIELD_LENGTH = 200;
/** Transient statuses below 500: Request Timeout and Too Early. */
const TRANSIENT_STATUSES = new Set([408, 425]);

/** The error for a model that LangChain knows to reject sampling settings. No request is sent. */
export function unsupportedSetting(): ModelError {
  return new ModelError('permanent', 'The model does not accept the settings of the request.', {
    reason: 'refused',
    refusedSettings: SAMPLING,
  });
}

/** The error for an answer that nobody can want: a model in a loop, or a hostile server. */
export function tooLong(): ModelError {
  return new ModelError('permanent', 'The answer of the model is too long.');
}

/** What is known of a failed request besides the error of the client. */
export interface FailedRequest {
  variables: ConnectionVariables;
  /** The response, as far as it was read. */
  response?: { status: number; headers: Headers; body: string } | undefined;
  /** What may not be in the sentence of the provider. */
  secrets?: readonly string[];
  prompts?: readonly string[];
  /** The settings of the request that can be left out. */
  settings?: readonly ModelSetting[];
}

/**
 * Classifies errors of LangChain, of the clients of the providers and of sockets.
 *
 * - `rate-limited`: status 429, except used-up credit, which does not recover by waiting.
 * - `transient`: 408, 425, 5xx, and errors without a status (network, timeout, malformed data).
 * - `permanent`: all other statuses, and exceeded quotas or context lengths.
 */
export function toModelError(
  error: unknown,
  request: FailedRequest = { variables: CHAT_PROVIDERS.openai },
  nowMs: number = Date.now(),
): ModelError {
  const known = modelErrorIn(error);
  if (known) return known;
  const refusal = offlineRefusalIn(error);
  if (refusal) return new ModelError('permanent', refusal.userMessage, { reason: 'refused' });
  const facts = withResponse(readFacts(error), request.response);
  const { status, code, sentence } = facts;
  const { keyVariable, urlVariable } = request.variables;
  const retryAfterMs = readRetryAfter(facts.headers, nowMs) ?? retryDelayIn(request.response?.body);
  const secrets = request.secrets ?? [];
  const shown = (text = ''): string | undefined =>
    text !== '' && withoutSecrets(text, secrets) === text ? text : undefined;
  const shownCode = code !== undefined && isKnownCode(code) ? shown(code) : undefined;
  const details: ModelErrorDetails = {
    cause: new ProviderFailure(shown(facts.name) ?? 'Error', status, shownCode, shown(facts.requestId)),
    ...(request.prompts && sentence !== ''
      ? {
          providerSentence: safeSentence(sentence, {
            secrets,
            prompts: request.prompts,
          }),
        }
      : {}),
  };
  const permanent = (reason: ModelErrorReason, message: string, more: ModelErrorDetails = {}): ModelError =>
    new ModelError('permanent', message, { ...details, reason, ...more });
  const temporary = (
    kind: 'transient' | 'rate-limited',
    reason: ModelErrorReason,
    message: string,
  ): ModelError =>
    new ModelError(kind, message, {
      ...details,
      reason,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });

  if (isQuota(facts, retryAfterMs !== undefined))
    return permanent(
      'quota',
      'The credit of your account at the model provider is used up. Check its billing page.',
    );
  if (facts.name === 'ContextOverflowError' || isTooLong(facts))
    return permanent('too-long', 'The text is longer than the model accepts.');
  if (isContentFilter(facts))
    return permanent('content-filter', 'The content filter of the model provider refused the request.');
  if (status === 429 || code === 'rate_limit_exceeded')
    return temporary(
      'rate-limited',
      'rate-limit',
      'The model provider limits the request rate. Try again later.',
    );
  if (isKeyRefused(facts))
    return permanent('key', `The model provider rejected the key (status ${status}). Check ${keyVariable}.`);
  const refused = refusedSettings(
    { status, code, text: `${fieldIn(request.response?.body ?? '')} ${sentence}` },
    request.settings ?? [],
  );
  if (refused.length > 0)
    return permanent('refused', 'The model does not accept the settings of the request.', {
      refusedSettings: refused,
    });
  // Some clients report a malformed response with its status.
  if (status === undefined || status < 400)
    return temporary(
      'transient',
      'unavailable',
      `The model provider could not be reached or sent a malformed response${inParentheses(shownCode)}.`,
    );
  if (status >= 500 || TRANSIENT_STATUSES.has(status))
    return temporary('transient', 'unavailable', `The model provider failed with status ${status}.`);
  if (status === 404)
    return permanent(
      'not-found',
      `The model or the address was not found (status 404). Check the model name and ${urlVariable}.`,
    );
  return permanent(
    'refused',
    `The model provider rejected the request with status ${status}${inParentheses(shownCode)}.`,
  );
}

// The patterns meet sentences of at most 2,000 characters (`sentenceIn`), which takes less than 1 ms.
const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);
const QUOTA =
  /insufficient[_ ](?:quota|balance|funds|credits?)|credit balance|billing|payment required|out of credits|exceeded your (?:current|monthly) (?:quota|limit|spend)/i;
const TOO_LONG =
  /context[_ ](?:length|window|size)|maximum (?:context|input)|too many tokens|(?:prompt|input|request|messages?)(?: \(\d+ tokens\))? (?:is|are) too (?:long|large)|reduce the length|available context/i;
const CONTENT_FILTER =
  /content[_ ](?:management )?(?:filter|policy)|responsible ?ai ?policy|data_?inspection_?failed|inappropriate content|flagged|moderation|safety (?:system|filter)/i;
const KEY =
  /(?:api[_ ]?key|credentials?).{0,30}(?:invalid|incorrect|expired|not valid|missing|wrong|revoked)|(?:invalid|incorrect|expired|missing|wrong).{0,20}(?:api[_ ]?key|credentials?|subscription key)/i;

function isQuota({ status, code = '', sentence }: ResponseFacts, hasRetryDelay: boolean): boolean {
  if (QUOTA_CODES.has(code) || status === 402) return true;
  // A limit per minute is called a quota, too.
  return (status === 429 || status === 403 || status === 400) && !hasRetryDelay && QUOTA.test(sentence);
}

function isTooLong({ status = 0, code, sentence }: ResponseFacts): boolean {
  if (code === 'context_length_exceeded') return true;
  // One request of more tokens than the limit per minute is never accepted.
  return status === 429 ? /request too large/i.test(sentence) : status >= 400 && TOO_LONG.test(sentence);
}

function isContentFilter({ status, code = '', sentence }: ResponseFacts): boolean {
  const isRefusal = status === 400 || status === 403 || status === 422;
  return (
    code === 'content_filter' || (isRefusal && (CONTENT_FILTER.test(code) || CONTENT_FILTER.test(sentence)))
  );
}

function isKeyRefused({ status, code, sentence }: ResponseFacts): boolean {
  return (
    status === 401 || status === 403 || code === 'API_KEY_INVALID' || (status === 400 && KEY.test(sentence))
  );
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

interface ResponseFacts extends ErrorFacts {
  /** The sentence of the provider, as it came. Empty: none. */
  sentence: string;
}

/** Some clients lose the status, the headers or the body of a response. */
function withResponse(facts: ErrorFacts, response: FailedRequest['response']): ResponseFacts {
  if (!response) return { ...facts, sentence: '' };
  return {
    ...facts,
    status: facts.status ?? response.status,
    code: facts.code ?? codeIn(response.body),
    headers: facts.headers ?? response.headers,
    sentence: sentenceIn(response.body),
  };
}

/** The code of a provider's error, as it came, where its client does not read it. */
function codeIn(body: string): string | undefined {
  const error = at(parsed(body), 'error');
  return [at(error, 'innererror', 'code'), at(error, 'code'), at(error, 'type'), at(parsed(body), 'code')]
    .map(ifSafe)
    .find((code) => code !== undefined);
}

/** The field of the request that an error of OpenAI is about. */
function fieldIn(body: string): string {
  const field = at(parsed(body), 'error', 'param') ?? at(parsed(body), 'param');
  return typeof field === 'string' ? field.slice(0, MAX_FIELD_LENGTH) : '';
}

/** The delay in the body of an error of Google (google.rpc.RetryInfo), in ms. */
function retryDelayIn(body = ''): number | undefined {
  const [, seconds] = /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(body) ?? [];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1_000);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
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

/** Whether a code is one that providers or Node document. Any other may be a key or a text, whatever its form. */
function isKnownCode(code: string): boolean {
  return (
    PROVIDER_CODES.has(code) ||
    NUMERIC_CODE.test(code) ||
    Object.hasOwn(constants.errno, code) ||
    NODE_CODE.test(code) ||
    OTHER_CODES.has(code)
  );
}
