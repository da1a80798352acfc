import assert from 'node:assert/strict';
import type { Role } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { refuse } from '../../connection/result.js';
import { outcomeOf, valueOf } from '../../fixtures/result.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import type { PersonEntity } from '../../schema/identity.entities.js';
import { OrganizationRepository } from '../../tenancy/organization.repository.js';
import { AccountRepository } from '../sign-in/account.repository.js';
import { SessionRepository } from '../sign-in/session.repository.js';
import { type PersonChange, PersonRepository } from './person.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let accounts: AccountRepository;
let people: PersonRepository;
let sessions: SessionRepository;
let tenant: TestTenant;
beforeAll(async () => {
  dataSource = await server.database();
  accounts = new AccountRepository(dataSource);
  people = new PersonRepository(dataSource);
  sessions = new SessionRepository(dataSource);
});
beforeAll(async () => {
  tenant = await TestTenant.create(dataSource);
});
afterAll(() => server.close());

const LATER = new Date(Date.now() + 60_000);
const PASSWORD = { passwordHash: 'argon2id', name: 'Grace' };

async function invited(role: Role, linkExpiresAt = LATER, of = tenant): Promise<PersonEntity> {
  const link = { linkHash: newId(), linkExpiresAt };
  return valueOf(await people.invite(of.scope, { email: `${newId()}@example.com`, role, ...link }));
}

/** A person who has signed in. @returns the hash of the session's token, too */
async function signedIn(role: Role, of = tenant): Promise<{ person: PersonEntity; hash: string }> {
  const person = await invited(role, LATER, of);
  await accounts.redeemLink(person.linkHash ?? '', PASSWORD);
  return { person, hash: await session(person) };
}

async function session({ id, organizationId }: PersonEntity): Promise<string> {
  const hash = newId();
  await sessions.create({
    organizationId,
    personId: id,
    account: null,
    hash,
    expiresAt: LATER,
    userAgent: null,
  });
  return hash;
}

describe('a link', () => {
  it('works once, also at the same time', async () => {
    const { linkHash, id } = await invited('member');
    expect(await accounts.withLink(linkHash ?? '')).toMatchObject({ account: null, isOwn: false });
    const redeemed = await Promise.all(
      Array.from({ length: 5 }, () => accounts.redeemLink(linkHash ?? '', PASSWORD)),
    );
    expect(redeemed.filter((one) => outcomeOf(one) !== 'unusable').map(valueOf)).toEqual([
      {
        person: expect.objectContaining({ id, name: 'Grace', linkHash: null, linkExpiresAt: null }),
        accountId: expect.any(String),
      },
    ]);
    expect(await accounts.withLink(linkHash ?? '')).toBeNull();
  });

  it('does not work when it has expired, or when another one has replaced it', async () => {
    const expired = await invited('member', new Date(Date.now() - 1_000));
    const replaced = await invited('member');
    await people.setLink(tenant.scope, replaced.id, { linkHash: newId(), linkExpiresAt: LATER });
    for (const { linkHash } of [expired, replaced]) {
      expect(await accounts.withLink(linkHash ?? '')).toBeNull();
      expect(await accounts.redeemLink(linkHash ?? '', PASSWORD)).toEqual(refuse('unusable'));
    }
  });

  it('ends the sessions of before, and keeps a name', async () => {
    const { person, hash } = await signedIn('member');
    const link = { linkHash: newId(), linkExpiresAt: LATER };
    await people.setLink(tenant.scope, person.id, link);
    expect(await sessions.authenticate(hash)).not.toBeNull();
    const redeemed = await accounts.redeemLink(link.linkHash, { passwordHash: 'new', name: null });
    expect(redeemed).toMatchObject({ value: { person: { id: person.id, name: 'Grace' } } });
    expect((await accounts.withEmail(person.email ?? ''))?.passwordHash).toBe('new');
    expect(await sessions.authenticate(hash)).toBeNull();
  });
});

describe('an e-mail', () => {
  it('is that of one person of the organization', async () => {
    const other = await TestTenant.create(dataSource);
    const { email } = await invited('member');
    assert.ok(email);
    const fields = { email, role: 'member', linkHash: newId(), linkExpiresAt: LATER } as const;
    expect(await people.invite(tenant.scope, fields)).toEqual(refuse('email-taken'));
    expect(valueOf(await people.invite(other.scope, fields))).toMatchObject({ email, accountId: null });
    const { person } = await signedIn('member');
    const { accountId } = (await people.find(tenant.scope, person.id)) ?? {};
    const own = { sessionId: newId(), account: await accounts.find(accountId ?? '') };
    expect(await people.update(tenant.scope, person.id, { email }, own)).toEqual(refuse('email-taken'));
  });
});

describe('a session', () => {
  it('has the scopes of the present role, and ends with the person', async () => {
    const { person, hash } = await signedIn('member');
    const scopes = async () => (await sessions.authenticate(hash))?.scopes;
    expect(await scopes()).toEqual(['agents:query', 'datastores:query', 'read']);
    await people.changeRole(tenant.scope, person.id, 'editor');
    expect(await scopes()).toEqual(['agents:query', 'datastores:query', 'read', 'write']);
    await people.remove(tenant.scope, person.id);
    expect(await scopes()).toBeUndefined();
  });

  it('ends when its person sets a password in another one', async () => {
    const { person, hash } = await signedIn('member');
    const other = await session(person);
    const { sessionId = '' } = (await sessions.authenticate(hash)) ?? {};
    const own = { sessionId, account: await accounts.withEmail(person.email ?? '') };
    await people.update(tenant.scope, person.id, { name: 'G' }, own);
    expect(await sessions.authenticate(other)).not.toBeNull();
    await people.update(tenant.scope, person.id, { passwordHash: 'new' }, own);
    expect(await sessions.authenticate(other)).toBeNull();
    expect(await sessions.ofPerson(tenant.scope, person.id)).toEqual([
      expect.objectContaining({ id: sessionId, hash }),
    ]);
    // The password that was checked is not that of the account any more.
    expect(await people.update(tenant.scope, person.id, { passwordHash: 'x' }, own)).toEqual(
      refuse('password-changed'),
    );
  });

  it('is not one of another person', async () => {
    const [grace, ada] = [await signedIn('member'), await signedIn('member')];
    const [own] = await sessions.ofPerson(tenant.scope, ada.person.id);
    expect(await sessions.removeOfPerson(tenant.scope, grace.person.id, own?.id ?? '')).toBeNull();
    expect(await sessions.removeOfPerson(tenant.scope, grace.person.id, 'x')).toBeNull();
    expect(await sessions.removeOfPerson(tenant.scope, ada.person.id, own?.id ?? '')).toEqual(own);
    expect(await sessions.authenticate(ada.hash)).toBeNull();
  });
});

describe('the last owner', () => {
  it.each<[string, (id: string) => Promise<PersonChange>]>([
    ['is not removed', (id) => people.remove(tenant.scope, id)],
    ['is not demoted', (id) => people.changeRole(tenant.scope, id, 'member')],
  ])('%s, although another one is invited', async (_, change) => {
    tenant = await TestTenant.create(dataSource);
    const { person } = await signedIn('owner');
    const waiting = await invited('owner');
    expect(await change(person.id)).toEqual(refuse('last-owner'));
    expect(await change(waiting.id)).toMatchObject({ ok: true });
    const second = await signedIn('owner');
    expect(await change(second.person.id)).toMatchObject({ ok: true });
  });

  it('is left when two owners remove each other at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await TestTenant.create(dataSource);
      const owners = [await signedIn('owner', own), await signedIn('owner', own)];
      const outcomes = await Promise.all(
        owners.map(async ({ person }) => outcomeOf(await people.remove(own.scope, person.id))),
      );
      expect(outcomes.toSorted()).toEqual(['done', 'last-owner']);
    }
  });

  it('stays an owner when the same role is set', async () => {
    const own = await TestTenant.create(dataSource);
    const { person } = await signedIn('owner', own);
    expect(await people.changeRole(own.scope, person.id, 'owner')).toMatchObject({ ok: true });
    expect(await people.changeRole(own.scope, 'x', 'owner')).toEqual(refuse('not-found'));
    expect(await people.changeRole(own.scope, newId(), 'owner')).toEqual(refuse('not-found'));
  });
});

it('the first owner is created once, and is the one who has been there longest', async () => {
  const own = await TestTenant.create(dataSource);
  await invited('owner', LATER, own);
  expect(await people.hasSignedInOwner(own.organizationId)).toBe(false);
  const first = await people.firstOwner(own.organizationId);
  expect(first).toMatchObject({ role: 'owner', email: null, accountId: null });
  expect(await people.hasSignedInOwner(own.organizationId)).toBe(true);
  await signedIn('owner', own);
  expect((await people.firstOwner(own.organizationId)).id).toBe(first.id);
});

it('a deleted organization has neither people nor sessions', async () => {
  const own = await TestTenant.create(dataSource);
  const { person, hash } = await signedIn('owner', own);
  const waiting = await invited('member', LATER, own);
  await new OrganizationRepository(dataSource).markDeleted(own.organizationId);
  expect(await sessions.authenticate(hash)).toBeNull();
  expect(await accounts.redeemLink(waiting.linkHash ?? '', PASSWORD)).toEqual(refuse('unusable'));
  expect(await accounts.withEmail(person.email ?? '')).toBeNull();
});
