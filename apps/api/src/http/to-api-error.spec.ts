import { describe, expect, it } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import { toApiError } from './to-api-error.js';

describe('toApiError', () => {
  it.each<[status: number, code: string, expected: number]>([
    [400, 'INVALID_REQUEST', 400],
    [403, 'NOT_FOUND', 404],
    [404, 'NOT_FOUND', 404],
    [408, 'INVALID_REQUEST', 408],
    [411, 'INVALID_REQUEST', 411],
    [412, 'INVALID_REQUEST', 412],
    [413, 'PAYLOAD_TOO_LARGE', 413],
    [414, 'INVALID_REQUEST', 414],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 415],
    [416, 'INVALID_REQUEST', 416],
    [431, 'INVALID_REQUEST', 431],
    [499, 'INVALID_REQUEST', 499],
    [500, 'INTERNAL', 500],
    [502, 'INTERNAL', 500],
  ])('of a plugin with the status %d', (status, code, expected) => {
    const error = toApiError(new HttpException('for developers', status));
    expect([error.code, error.status]).toEqual([code, expected]);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect(error.message).not.toContain('developers');
  });

  it('does not return the status of an upstream server', () => {
    const error = toApiError(Object.assign(new Error('Unauthorized'), { statusCode: 401 }));
    expect([error.code, error.status]).toEqual(['INTERNAL', 500]);
  });
});
