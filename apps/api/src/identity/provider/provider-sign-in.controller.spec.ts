import { expect, it } from '@jest/globals';
import { returnPath } from './provider-sign-in.controller.js';

it.each<[unknown, string]>([
  ['/agents/1?tab=x', '/agents/1?tab=x'],
  ['/library/../agents', '/agents'],
  ['/documents/%2F%2Fevil.example', '/documents/%2F%2Fevil.example'],
  ['https://evil.example/', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/a/..//evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/%2e//evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['\n//evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['agents', '/'],
  ['/api/session', '/'],
  ['/API', '/'],
  [`/${'x'.repeat(2_000)}`, '/'],
  [['/agents'], '/'],
  [undefined, '/'],
])('%j leads to %s', (wanted, expected) => expect(returnPath(wanted)).toBe(expected));
