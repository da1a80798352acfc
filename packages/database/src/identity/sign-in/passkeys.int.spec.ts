import assert from 'node:assert/strict';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { outcomeOf, valueOf } from '../../fixtures/result.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { PersonRepository } from '../people/person.repository.js';
import { AccountRepository } from './account.repository.js';
import { PasskeyRepository } from './passkey.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let passkeys: PasskeyRepository;
beforeAll(async () => {
  dataSource = await server.database();
  passkeys = new PasskeyRepository(dataSource);
});
afterAll(() => server.close());

const LATER = new Date(Date.now() + 60_000);

/** @returns the id of an account */
async function account(): Promise<string> {
  const { scope } = await TestTenant.create(dataSource);
  const [email, linkHash] = [`${newId()}@example.com`, newId()];
  await new PersonRepository(dataSource).invite(scope, {
    email,
    role: 'member',
    linkHash,
    linkExpiresAt: LATER,
  });
  const accounts = new AccountRepository(dataSource);
  await accounts.redeemLink(linkHash, { passwordHash: 'hash', name: null });
  const created = await accounts.withEmail(email);
  assert.ok(created);
  return created.id;
}

const passkeyOf = (accountId: string, credentialId = newId()) => ({
  accountId,
  credentialId,
  publicKey: Buffer.from([1, 2, 3]),
  counter: 0,
  transports: ['internal'],
  name: 'Laptop',
});

it('a challenge works once, before it expires', async () => {
  const accountId = await account();
  await passkeys.addChallenge({ hash: 'to register', challenge: 'AAEC', accountId, expiresAt: LATER });
  await passkeys.addChallenge({ hash: 'to sign in', challenge: 'AwQF', accountId: null, expiresAt: LATER });
  await passkeys.addChallenge({ hash: 'late', challenge: 'BgcI', accountId: null, expiresAt: new Date(0) });
  const attempts = await Promise.all([
    passkeys.takeChallenge('to register'),
    passkeys.takeChallenge('to register'),
  ]);
  expect(attempts.filter((taken) => taken !== null)).toEqual([{ challenge: 'AAEC', accountId }]);
  expect(await passkeys.takeChallenge('to sign in')).toEqual({ challenge: 'AwQF', accountId: null });
  expect(await passkeys.takeChallenge('late')).toBeNull();
});

it('a use is recorded if nobody else has used the passkey since', async () => {
  const accountId = await account();
  const passkey = valueOf(await passkeys.add(passkeyOf(accountId)));
  const uses = [
    await passkeys.recordUse(passkey.id, { before: 0, now: 3 }),
    await passkeys.recordUse(passkey.id, { before: 0, now: 4 }),
  ];
  expect(uses).toEqual([true, false]);
  const used = { counter: 3, lastUsedAt: expect.any(Date) };
  expect(await passkeys.withCredential(passkey.credentialId)).toMatchObject(used);
  await passkeys.remove(accountId, passkey.id);
  expect(await passkeys.recordUse(passkey.id, { before: 3, now: 5 })).toBe(false);
});

it('a passkey belongs to one account, which has twenty at most', async () => {
  const [accountId, other] = [await account(), await account()];
  const first = valueOf(await passkeys.add(passkeyOf(accountId, 'credential')));
  expect(outcomeOf(await passkeys.add(passkeyOf(other, 'credential')))).toBe('known');
  expect(outcomeOf(await passkeys.add(passkeyOf(newId())))).toBe('account-removed');
  expect(await passkeys.remove(other, first.id)).toBeNull();
  for (let n = 1; n < 20; n += 1) valueOf(await passkeys.add(passkeyOf(accountId)));
  expect(outcomeOf(await passkeys.add(passkeyOf(accountId)))).toBe('too-many');
  expect(await passkeys.ofAccount(accountId)).toHaveLength(20);
  expect(await passkeys.ofAccount(other)).toEqual([]);
});
