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
])('%j leads to %s', (wanted, expected) => expect(returnPath(wanted, '')).toBe(expected));

it.each<[unknown, string]>([
  ['/kb/agents/1?tab=x', '/kb/agents/1?tab=x'],
  ['/kb/', '/kb/'],
  ['/kb', '/kb/'],
  ['/wiki/page', '/kb/'],
  ['/kb/../wiki/page', '/kb/'],
  ['/kb2/agents', '/kb/'],
  ['/kb/api/session', '/kb/'],
  ['/kb//evil.example', '/kb//evil.example'],
  ['//evil.example/kb/', '/kb/'],
  [undefined, '/kb/'],
])('below /kb, %j leads to %s', (wanted, expected) => expect(returnPath(wanted, '/kb')).toBe(expected));
