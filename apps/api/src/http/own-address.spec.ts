import { hostname } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { assertOwnHost, isOwnHost, isSameHost, ownAddress, shownAddress } from './own-address.js';

const LOCAL = { PUBLIC_URL: undefined, BASE_PATH: '', HOST: '0.0.0.0' };
const PUBLIC = { PUBLIC_URL: 'https://Docs.example.com:8443', BASE_PATH: '', HOST: 'internal.example' };

describe('isOwnHost', () => {
  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST:3000',
    'localhost.',
    'localhost.:3000',
    'app.localhost:3000',
    '127.0.0.1:3000',
    '127.8.9.1',
    '[::1]:3000',
    '[::1]',
    '[fe80::1]:3000',
    '192.168.1.20:3000',
    '203.0.113.7',
    `${hostname()}:3000`,
    `${hostname()}.local`,
  ])('accepts %s', (host) => expect(isOwnHost(host, LOCAL)).toBe(true));

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    'localhost.evil.example:3000',
    'notlocalhost',
    'evil-localhost',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io',
    '192.168.1.20.evil.example:3000',
    'localhost@evil.example',
    'evil.example#localhost',
    'evil.example/localhost',
    'evil.example?localhost',
    'evil.example\\localhost',
    'evil.example localhost',
    'localhost:3000:80',
    'localhost:99999',
    '[::1',
    'null',
    'docs.example.com',
  ])('refuses %s', (host) => expect(isOwnHost(host, LOCAL)).toBe(false));

  it.each<[string, boolean]>([
    ['docs.example.com', true],
    ['DOCS.example.com:443', true],
    ['docs.example.com.', true],
    ['internal.example:3000', true],
    ['localhost:3000', true],
    ['other.example.com', false],
    ['docs.example.com.evil.example', false],
  ])('with configured names, %s: %s', (host, expected) => expect(isOwnHost(host, PUBLIC)).toBe(expected));
});

it.each<[origin: string, host: string | undefined, same: boolean]>([
  ['http://localhost:3000', 'localhost:3000', true],
  ['http://localhost:3000', 'LOCALHOST:3000', true],
  ['http://localhost', 'localhost:80', true],
  ['https://docs.example.com', 'docs.example.com', true],
  ['https://docs.example.com', 'docs.example.com:443', true],
  ['http://[::1]:3000', '[0:0:0:0:0:0:0:1]:3000', true],
  ['http://localhost:3000', 'localhost:3001', false],
  ['http://localhost.:3000', 'localhost:3000', false],
  ['http://evil.example', 'localhost', false],
  ['http://evil.example', 'x@evil.example', false],
  ['null', 'null', false],
  ['null', undefined, false],
  ['file://', '', false],
  ['data:x', 'x', false],
  ['http://localhost', undefined, false],
])('isSameHost: a page of %s and the host %s: %s', (origin, host, same) => {
  expect(isSameHost(origin, host)).toBe(same);
});

it('assertOwnHost says what to do', () => {
  assertOwnHost({ host: 'localhost:3000' }, LOCAL);
  expect(() => assertOwnHost({ host: 'nas.lan:3000' }, LOCAL)).toThrow(
    /nas\.lan:3000.*IP address.*PUBLIC_URL.*http:\/\/nas\.lan:3000\.$/,
  );
  expect(() => assertOwnHost({}, LOCAL)).toThrow(/PUBLIC_URL/);
});

it.each<[host: string, origin: string | undefined, accepted: boolean]>([
  // A proxy without `proxy_set_header Host`, or with ProxyPreserveHost off.
  ['api:3000', 'https://docs.example.com:8443', true],
  ['citewell_backend', 'https://docs.example.com:8443', true],
  ['api:3000', 'https://docs.example.com', false],
  ['api:3000', 'http://docs.example.com:8443', false],
  ['api:3000', 'http://api:3000', false],
  ['evil.example', 'http://evil.example', false],
  ['evil.example', undefined, false],
])('with PUBLIC_URL, assertOwnHost for the host %s and a page of %s: %s', (host, origin, accepted) => {
  const check = (): void => assertOwnHost({ host, ...(origin === undefined ? {} : { origin }) }, PUBLIC);
  if (accepted) expect(check).not.toThrow();
  else expect(check).toThrow(/PUBLIC_URL/);
});

describe('the address of a request', () => {
  const request = (host: string, protocol = 'https', own = 'localhost:3000') => ({
    host,
    protocol,
    headers: { host: own },
  });

  it.each([
    ['localhost:3000', 'http', 'http://localhost:3000'],
    ['192.168.1.20:8443', 'https', 'https://192.168.1.20:8443'],
    ['[::1]:3000', 'http', 'http://[::1]:3000'],
    ['localhost:443', 'https', 'https://localhost'],
    ['localhost', 'javascript', 'http://localhost'],
  ])('of the host %s that a proxy names, over %s, is %s', (host, protocol, expected) => {
    expect(ownAddress(request(host, protocol), LOCAL)).toBe(expected);
    expect(shownAddress(request(host, protocol), LOCAL)).toBe(expected);
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost, evil.example',
    'evil.example, localhost',
    'user@localhost',
    'localhost@evil.example',
    'localhost:99999',
    'localhost:-1',
    'localhost:x',
    '[::1',
    '[::1]:99999',
    'localhost/evil.example',
    '',
  ])('is not that of the host %j', (host) => {
    expect(() => ownAddress(request(host), LOCAL)).toThrow(/PUBLIC_URL/);
    expect(shownAddress(request(host), LOCAL)).toBe('');
  });

  it('is not that of a page that has led its own name here, whatever the proxy header says', () => {
    expect(() => ownAddress(request('localhost', 'http', 'evil.example'), LOCAL)).toThrow(/PUBLIC_URL/);
  });

  it('has the base path, also where the host is unknown', () => {
    const below = { ...LOCAL, BASE_PATH: '/kb' };
    expect(ownAddress(request('localhost:3000', 'http'), below)).toBe('http://localhost:3000/kb');
    expect(shownAddress(request('evil.example'), below)).toBe('/kb');
  });

  it('is PUBLIC_URL if it is set', () => {
    const service = { ...PUBLIC, PUBLIC_URL: 'https://docs.example.com/citewell', BASE_PATH: '/citewell' };
    for (const address of [ownAddress, shownAddress])
      expect(address(request('evil.example:99999'), service)).toBe('https://docs.example.com/citewell');
  });
});
