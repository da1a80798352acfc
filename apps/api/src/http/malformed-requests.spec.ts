import { expect, it } from '@jest/globals';
import { normalizeSlashes } from './malformed-requests.js';

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
