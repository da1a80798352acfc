import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { sessionCookie, sessionTokenOf } from './session-cookie.js';

const TOKEN = 'cw_0123456789abcdefABCDEF';
const HTTP = { PUBLIC_URL: 'http://docs.example.com', BASE_PATH: '', HOST: '127.0.0.1' };
const HTTPS = { PUBLIC_URL: 'https://docs.example.com', BASE_PATH: '', HOST: '127.0.0.1' };
const SAME: IncomingHttpHeaders = {
  host: 'docs.example.com',
  cookie: `theme=dark; citewell_session=${TOKEN}; a=b`,
  'citewell-csrf': '1',
};

describe('sessionTokenOf', () => {
  it.each<[string, IncomingHttpHeaders, string | null]>([
    [
      'a page of the same origin',
      { 'sec-fetch-site': 'same-origin', origin: 'https://docs.example.com' },
      TOKEN,
    ],
    ['an old browser', {}, TOKEN],
    ['a form of another site', { 'citewell-csrf': undefined, origin: 'https://evil.example' }, null],
    ['a script of another site', { origin: 'https://evil.example' }, null],
    ['a sandboxed frame', { origin: 'null' }, null],
    ['another port of the same host', { origin: 'https://docs.example.com:8443' }, null],
    ['a sibling subdomain', { 'sec-fetch-site': 'same-site' }, null],
    ['a link', { 'sec-fetch-site': 'none' }, null],
    ['no cookie', { cookie: undefined }, null],
    ['two cookies', { cookie: `citewell_session=${TOKEN}2; citewell_session=${TOKEN}` }, null],
    ['another cookie with a longer name', { cookie: `xcitewell_session=${TOKEN}` }, null],
  ])('%s', (_, headers, expected) => {
    expect(sessionTokenOf({ ...SAME, ...headers }, HTTP)).toBe(expected);
  });
});

it('sessionTokenOf says what to do when the service has an unknown name', () => {
  const unknown = { ...HTTP, PUBLIC_URL: undefined };
  expect(() => sessionTokenOf({ ...SAME, origin: 'http://docs.example.com' }, unknown)).toThrow(/PUBLIC_URL/);
  expect(sessionTokenOf({ ...SAME, host: '192.168.1.2:3000' }, unknown)).toBe(TOKEN);
  expect(sessionTokenOf({ ...SAME, cookie: undefined }, unknown)).toBeNull();
});

it.each([
  'localhost:3000',
  '10.0.0.7:3000',
  'api:3000',
  'citewell_backend',
  'citewell.default.svc.cluster.local',
])('sessionTokenOf accepts the page of PUBLIC_URL behind a proxy that replaces the host by %s', (host) => {
  const proxied = { ...SAME, host };
  expect(sessionTokenOf({ ...proxied, origin: 'http://docs.example.com' }, HTTP)).toBe(TOKEN);
  expect(sessionTokenOf(proxied, HTTP)).toBe(TOKEN);
  expect(sessionTokenOf({ ...proxied, origin: 'http://evil.example' }, HTTP)).toBeNull();
});

describe('sessionCookie', () => {
  it('is hidden from scripts and other sites', () => {
    expect(sessionCookie('t', 60, HTTPS)).toBe(
      '__Host-citewell_session=t; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    );
    expect(sessionCookie('', 0, HTTP)).toBe(
      'citewell_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    );
  });

  it('is not sent to other services of the host below a base path', () => {
    expect(sessionCookie('t', 60, { ...HTTPS, BASE_PATH: '/team/kb' })).toBe(
      '__Secure-citewell_session.team.kb=t; Path=/team/kb; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    );
    expect(sessionCookie('t', 60, { ...HTTP, BASE_PATH: '/kb' })).toBe(
      'citewell_session.kb=t; Path=/kb; Max-Age=60; HttpOnly; SameSite=Strict',
    );
  });

  it('below a base path, does not meet the cookie of a service at the root, or below another path', () => {
    const below = { ...HTTP, BASE_PATH: '/kb' };
    expect(sessionTokenOf(SAME, below)).toBeNull();
    const cookie = `${SAME.cookie}; citewell_session.kb=${TOKEN}2; citewell_session.kb.b=${TOKEN}3`;
    expect(sessionTokenOf({ ...SAME, cookie }, below)).toBe(`${TOKEN}2`);
  });

  it('cannot be set by a sibling subdomain when the service is reached by HTTPS', () => {
    expect(sessionTokenOf(SAME, HTTPS)).toBeNull();
    const cookie = `${SAME.cookie}; __Host-citewell_session=${TOKEN}2`;
    expect(sessionTokenOf({ ...SAME, cookie }, HTTPS)).toBe(`${TOKEN}2`);
  });
});
