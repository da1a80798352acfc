import { expect, it } from '@jest/globals';
import { normalizeSlashes, withoutBasePath } from './malformed-requests.js';

it.each([
  ['/', '/'],
  ['//', '/'],
  ['/v1/models', '/v1/models'],
  ['/v1/models/', '/v1/models'],
  ['/v1//chat///completions//', '/v1/chat/completions'],
  ['//v1/models', '/v1/models'],
  ['//host.example/a', '/host.example/a'],
  ['/v1/models/?after=//x/', '/v1/models?after=//x/'],
  ['/v1/models/a%2F%2Fb', '/v1/models/a%2F%2Fb'],
  ['http://host.example//v1', 'http://host.example//v1'],
  ['*', '*'],
])('%s is routed as %s', (url, routed) => {
  expect(normalizeSlashes(url)).toBe(routed);
});

it.each([
  ['/kb', '/'],
  ['/kb/', '/'],
  ['//kb//ask', '/ask'],
  ['/kb?sign-in=x', '/?sign-in=x'],
  ['/kb/api/agents?limit=1', '/api/agents?limit=1'],
  ['/kb/kb/x', '/kb/x'],
  ['/kb2/api', '/kb2/api'],
  ['/KB/api', '/KB/api'],
  ['/%6bb/api', '/%6bb/api'],
  ['/health/ready', '/health/ready'],
  ['/', '/'],
  ['*', '*'],
])('below /kb, %s is routed as %s', (url, routed) => {
  expect(withoutBasePath(normalizeSlashes(url), '/kb')).toBe(routed);
});

it('without a base path, every URL stays', () => {
  for (const url of ['/', '/ask?x=1', '*', 'http://host.example/a'])
    expect(withoutBasePath(url, '')).toBe(url);
});
