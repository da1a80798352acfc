import type { ApiErrorCode } from '@citewell/contracts/errors';
import { expect, it } from '@jest/globals';
import { ApiError, invalid } from './api-error.js';
import { isOpenAiRequest, openAiHeaders, openAiStatus, toOpenAiError } from './openai-error.js';

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

it.each<[route: string | undefined, url: string, expected: boolean]>([
  ['/v1/models', '/v1/models', true],
  ['/api/models/chat', '/api/models/chat', false],
  ['/chat/:key', '/chat/completions', false],
  [undefined, '/v1', true],
  [undefined, '/v1/v1/models', true],
  [undefined, '/V1/models', true],
  [undefined, '/chat/completions', true],
  [undefined, '/models?after=x', true],
  [undefined, '/embeddings', true],
  [undefined, '/api/v1/chat/completions', true],
  [undefined, '/openai/deployments/gpt/chat/completions?api-version=1', true],
  [undefined, '/api/models/none', false],
  [undefined, '/api/none?v1/', false],
  [undefined, '/robots.txt', false],
])('of the route %s, %s is a request of OpenAI: %s', (url, path, expected) => {
  expect(isOpenAiRequest({ routeOptions: { url }, url: path } as Parameters<typeof isOpenAiRequest>[0])).toBe(
    expected,
  );
});
