import type { ApiErrorCode } from '@citewell/contracts/errors';
import { expect, it } from '@jest/globals';
import { ApiError, invalid } from './api-error.js';
import { openAiHeaders, openAiStatus, toOpenAiError } from './openai-error.js';

it.each<[code: ApiErrorCode, status: number, type: string, openAiCode: string]>([
  ['UNAUTHORIZED', 401, 'invalid_request_error', 'invalid_api_key'],
  ['FORBIDDEN', 403, 'permission_error', 'insufficient_permissions'],
  ['NOT_FOUND', 404, 'invalid_request_error', 'not_found'],
  ['RATE_LIMIT', 429, 'rate_limit_error', 'rate_limit_exceeded'],
  ['USAGE_LIMIT', 429, 'insufficient_quota', 'insufficient_quota'],
  ['UPSTREAM_UNAVAILABLE', 503, 'server_error', 'service_unavailable'],
])('%s is an error of OpenAI', (code, status, type, openAiCode) => {
  const error = new ApiError(code, 'A sentence.');
  expect(openAiStatus(error)).toBe(status);
  expect(toOpenAiError(error)).toEqual({
    error: { message: 'A sentence.', type, param: null, code: openAiCode },
  });
});

it('an error of OpenAI names the field', () => {
  expect(toOpenAiError(invalid('n', 'is not supported'))).toMatchObject({
    error: { message: 'n is not supported.', param: 'n', code: 'invalid_request' },
  });
});

it('clients do not repeat a request that was refused for good', () => {
  expect(openAiHeaders(new ApiError('USAGE_LIMIT', 'x'))).toEqual({ 'X-Should-Retry': 'false' });
  expect(openAiHeaders(new ApiError('RATE_LIMIT', 'x'))).toEqual({});
});
