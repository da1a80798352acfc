import type { ApiErrorCode } from '@citewell/contracts/errors';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { type Service, shownAddress } from './own-address.js';

/** An error response in the format of OpenAI, which its client libraries turn into typed errors. */
interface OpenAiError {
  error: { message: string; type: string; param: string | null; code: string };
}

const MAX_SHOWN_PATH = 200;

/** The values of OpenAI where it has some for the same case; clients compare them. */
const FORMS: Readonly<Record<ApiErrorCode, { type: string; code: string }>> = {
  INVALID_REQUEST: { type: 'invalid_request_error', code: 'invalid_request' },
  USAGE_LIMIT: { type: 'insufficient_quota', code: 'insufficient_quota' },
  UNAUTHORIZED: { type: 'invalid_request_error', code: 'invalid_api_key' },
  FORBIDDEN: { type: 'permission_error', code: 'insufficient_permissions' },
  NOT_FOUND: { type: 'invalid_request_error', code: 'not_found' },
  CONFLICT: { type: 'invalid_request_error', code: 'conflict' },
  GONE: { type: 'invalid_request_error', code: 'gone' },
  PAYLOAD_TOO_LARGE: { type: 'invalid_request_error', code: 'request_too_large' },
  UNSUPPORTED_MEDIA_TYPE: { type: 'invalid_request_error', code: 'unsupported_media_type' },
  RATE_LIMIT: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  INTERNAL: { type: 'server_error', code: 'internal_error' },
  EMPTY_ANSWER: { type: 'server_error', code: 'empty_answer' },
  OWN_MODEL_FAILED: { type: 'server_error', code: 'own_model_failed' },
  CONTENT_DAMAGED: { type: 'server_error', code: 'content_damaged' },
  ANSWER_INTERRUPTED: { type: 'server_error', code: 'service_unavailable' },
  UPSTREAM_UNAVAILABLE: { type: 'server_error', code: 'service_unavailable' },
  STORAGE_FULL: { type: 'server_error', code: 'storage_full' },
};
const STATUSES: Partial<Record<ApiErrorCode, number>> = { UNAUTHORIZED: 401, USAGE_LIMIT: 429 };
/** Clients of OpenAI would repeat these requests, because of their status. */
const FINAL: ReadonlySet<ApiErrorCode> = new Set(['USAGE_LIMIT', 'CONFLICT']);

/** The parts of paths that only clients of OpenAI ask for. Under `/api`, models are those of the settings. */
const SEGMENTS: ReadonlySet<string> = new Set([
  'v1',
  'completions',
  'embeddings',
  'responses',
  'vector_stores',
]);

/** Whether the client of a request speaks the format of OpenAI, also with a wrong base address. */
export function isOpenAiRequest({
  routeOptions,
  url,
}: Pick<FastifyRequest, 'routeOptions' | 'url'>): boolean {
  if (routeOptions.url !== undefined) return routeOptions.url.startsWith('/v1/');
  const [first, ...others] = pathOf(url).toLowerCase().split('/').slice(1);
  return [first, ...others].some((segment) => SEGMENTS.has(segment ?? '')) || first === 'models';
}

/** The error for a path that does not exist: it tells a wrong base address from a missing endpoint. */
export function unknownOpenAiPath(request: FastifyRequest, service: Service): ApiError {
  const base = `${shownAddress(request, service)}/v1`;
  return new ApiError(
    'NOT_FOUND',
    `There is no ${request.method} ${pathOf(request.originalUrl)} for clients of OpenAI. Their base address is ${base}, and chats are POST ${base}/chat/completions.`,
  );
}

/** Without the query string, which may have secrets. */
function pathOf(url: string): string {
  return url.split('?', 1)[0]?.slice(0, MAX_SHOWN_PATH) ?? '';
}

export function openAiStatus({ code, status }: ApiError): number {
  return STATUSES[code] ?? status;
}

/** The header with which a server tells the clients of OpenAI not to repeat a request. */
export function openAiHeaders({ code }: ApiError): Record<string, string> {
  return FINAL.has(code) ? { 'X-Should-Retry': 'false' } : {};
}

export function toOpenAiError({ code, message, details }: ApiError): OpenAiError {
  const param = details?.[0]?.path ?? null;
  const form = FORMS[code];
  const isModel = code === 'NOT_FOUND' && param === 'model';
  return { error: { message, ...form, param, ...(isModel ? { code: 'model_not_found' } : {}) } };
}
