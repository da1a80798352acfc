import { describe, expect, it } from '@jest/globals';
import { invalid } from './api-error.js';

describe('ApiError', () => {
  it('truncates messages that quote a long value', () => {
    const { message, details } = invalid('name', `must not be ${'😀'.repeat(300_000)}`);
    expect([message, details?.[0]?.message].map((text) => text?.length)).toEqual([500, 500]);
    expect(message).toMatch(/^name must not be 😀.*…$/u);
    expect(message.isWellFormed()).toBe(true);
  });

  it('does not change other messages', () => {
    expect(invalid('name', 'is required')).toMatchObject({
      message: 'name is required.',
      details: [{ path: 'name', message: 'is required' }],
    });
  });
});
