import { describe, expect, it } from '@jest/globals';
import { sourceConnection } from './source-config.schema.js';

describe('the connection of a source', () => {
  const config = { kind: 'confluence', url: 'https://wiki.example', user: 'me@example.org' };
  it.each([
    [{ spaces: ['DOCS'] }, true],
    [{ paused: true, schedule: '@daily' }, true],
    [{ permissions: true }, true],
    // A secret that was given for named readers is not for all.
    [{ permissions: false }, false],
    [{ user: 'you@example.org' }, false],
    [{ url: 'https://thief.example' }, false],
  ])('with %j', (change, isSame) => {
    expect(sourceConnection({ ...config, ...change }) === sourceConnection(config)).toBe(isSame);
  });
});
