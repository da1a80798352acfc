import { describe, expect, it } from '@jest/globals';
import { type Claims, needsUserInfo, readClaims } from './provider-claims.js';

const RULES = {
  issuer: 'https://login.example.com',
  emailDomains: [],
  groupsClaim: 'groups',
  groupRoles: [],
};
const CLAIMS = { sub: 's', email: 'Grace@Example.com', email_verified: true, name: 'Grace' };
const MAPPED = {
  ...RULES,
  groupRoles: [
    { group: 'a', role: 'member' as const },
    { group: '/b', role: 'editor' as const },
    { group: '42', role: 'editor' as const },
    { group: 'staff/x', role: 'editor' as const },
    { group: 'cn=c,dc=d', role: 'editor' as const },
  ],
};

it.each<[string, Claims, string | null]>([
  ['true', { email_verified: true }, 'grace@example.com'],
  ['the text true', { email_verified: 'true' }, 'grace@example.com'],
  ['false', { email_verified: false }, null],
  ['missing', { email_verified: undefined }, null],
  ['true, of no e-mail', { email: 'grace' }, null],
  ['true, of a list', { email: ['grace@example.com'] }, null],
])('email_verified %s', (_, fields, expected) => {
  expect(readClaims({ ...CLAIMS, ...fields }, RULES).verifiedEmail).toBe(expected);
});

describe('domains', () => {
  const domains = { ...RULES, emailDomains: ['example.com'] };
  it.each<[string, Claims, typeof domains, string]>([
    ['another domain', { email: 'a@example.org' }, domains, 'other-domain'],
    ['a domain before another at sign', { email: 'a@example.com@evil.example' }, domains, 'email-missing'],
    ['no e-mail', { email: undefined }, domains, 'email-missing'],
    [
      'an account of Google without a Workspace',
      {},
      { ...domains, issuer: 'https://accounts.google.com' },
      'other-domain',
    ],
  ])('refuse %s', (_, fields, rules, reason) => {
    expect(() => readClaims({ ...CLAIMS, ...fields }, rules)).toThrow(expect.objectContaining({ reason }));
  });

  it('vouch for an e-mail of which the provider says nothing', () => {
    expect(readClaims({ ...CLAIMS, email_verified: undefined }, domains).verifiedEmail).toBe(
      'grace@example.com',
    );
    const google = { ...domains, issuer: 'https://accounts.google.com' };
    expect(readClaims({ ...CLAIMS, hd: 'example.com' }, google).verifiedEmail).toBe('grace@example.com');
  });
});

it.each<[Claims, string | null]>([
  [{ groups: ['a'] }, 'member'],
  [{ groups: ['a', '/b'] }, 'editor'],
  [{ groups: 'a' }, 'member'],
  [{ groups: ['A', 'b', '', null, { name: 'a' }] }, null],
  [{ groups: {} }, null],
  [{ groups: 'x, /b ,a' }, 'editor'],
  [{ groups: 'a,' }, 'member'],
  [{ groups: 'cn=c,dc=d' }, 'editor'],
  [{ groups: ['x,a'] }, null],
  [{ groups: 42 }, 'editor'],
  [{ groups: [7, 42] }, 'editor'],
  [{ groups: [42.5, 2 ** 53] }, null],
  [{ groups: '7,42' }, 'editor'],
  [{ groups: ['/staff/a'] }, 'member'],
  [{ groups: '/staff/x' }, 'editor'],
  [{ groups: ['/other/staff/x', '/a/b', 'other/a', '/', ''] }, null],
  [{}, null],
  [{ _claim_names: { groups: 'src1' } }, 'unknown'],
  [{ hasgroups: true }, 'unknown'],
  [{ groups: ['a'], hasgroups: true }, 'member'],
])('the role of %j is %s', (fields, expected) => {
  expect(readClaims({ ...CLAIMS, ...fields }, MAPPED).groupRole).toBe(expected);
});

it('the groups of a later response may be missing', () => {
  expect(readClaims(CLAIMS, MAPPED, 'unknown').groupRole).toBe('unknown');
  expect(readClaims({ ...CLAIMS, groups: [] }, MAPPED, 'unknown').groupRole).toBeNull();
});

it.each(['__proto__', 'constructor', 'a.__proto__.b', 'toString.name'])(
  'the claim %s has no groups',
  (groupsClaim) => {
    expect(readClaims(CLAIMS, { ...MAPPED, groupsClaim }).groupRole).toBeNull();
  },
);

it.each<[Claims, boolean]>([
  [{}, true],
  [{ groups: [] }, false],
  [{ groups: [], email: undefined }, true],
])('asks for more than %j: %s', (fields, expected) => {
  expect(needsUserInfo({ ...CLAIMS, ...fields }, MAPPED)).toBe(expected);
});

it.each([
  ['Grace\nHopper', 'Grace Hopper'],
  ['  ', null],
  [7, null],
  ['x'.repeat(300), 'x'.repeat(255)],
])('the name %j is %j', (name, expected) =>
  expect(readClaims({ ...CLAIMS, name }, RULES).name).toBe(expected),
);

it.each([undefined, '', 7, 'x'.repeat(256), 'a\0'])('the subject %j is refused', (sub) => {
  expect(() => readClaims({ ...CLAIMS, sub }, RULES)).toThrow('invalid-response');
});
