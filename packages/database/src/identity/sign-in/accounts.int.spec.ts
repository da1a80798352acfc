import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { done, refuse } from '../../connection/result.js';
import { outcomeOf, valueOf } from '../../fixtures/result.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { PersonEntity } from '../../schema/identity.entities.js';
import { OrganizationRepository } from '../../tenancy/organization.repository.js';
import { PersonRepository } from '../people/person.repository.js';
import { AccountRepository, type CheckedAccount } from './account.repository.js';
import { PasswordResetRepository } from './password-reset.repository.js';
import { SessionRepository } from './session.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let accounts: AccountRepository;
let people: PersonRepository;
let resets: PasswordResetRepository;
let sessions: SessionRepository;
let [a, b] = [] as unknown as [TestTenant, TestTenant];
beforeAll(async () => {
  dataSource = await server.database();
  accounts = new AccountRepository(dataSource);
  people = new PersonRepository(dataSource);
  resets = new PasswordResetRepository(dataSource);
  sessions = new SessionRepository(dataSource);
  a = await TestTenant.create(dataSource);
  b = await TestTenant.create(dataSource);
});
afterAll(() => server.close());

const LATER = new Date(Date.now() + 60 * 60_000);

/** Invites an e-mail. @returns the id of the person, and the hash of the link */
async function invite({ scope }: TestTenant, email: string): Promise<{ id: string; linkHash: string }> {
  const linkHash = newId();
  const link = { linkHash, linkExpiresAt: LATER };
  const { id } = valueOf(await people.invite(scope, { email, role: 'member', ...link }));
  return { id, linkHash };
}

/** An account that is in the organization `a`, by an invitation. */
async function account(): Promise<{ account: CheckedAccount; email: string; id: string }> {
  const email = `${newId()}@example.com`;
  const { id, linkHash } = await invite(a, email);
  await accounts.redeemLink(linkHash, { passwordHash: 'hash', name: 'Grace' });
  const created = await accounts.withEmail(email);
  assert.ok(created);
  return { account: created, email, id };
}

/** An account that is in `a` and `b`. */
async function joined() {
  const first = await account();
  const { id: other, linkHash } = await invite(b, first.email);
  expect(await accounts.join(linkHash, first.account)).toMatchObject({ ok: true });
  return { ...first, other };
}

async function link(of: TestTenant, id: string): Promise<string> {
  const linkHash = newId();
  await people.setLink(of.scope, id, { linkHash, linkExpiresAt: LATER });
  return linkHash;
}

async function begin(of: TestTenant, personId: string, by: CheckedAccount | null): Promise<string | null> {
  const hash = newId();
  const { organizationId } = of;
  const session = { organizationId, personId, account: by, hash, expiresAt: LATER, userAgent: null };
  return (await sessions.create(session)).ok ? hash : null;
}

describe('an invitation of somebody who has an account', () => {
  it('does not set a password, and adds a person with the name of before', async () => {
    const { account: own, email } = await account();
    const { id, linkHash } = await invite(b, email);
    const attempt = { passwordHash: 'of an attacker', name: 'Mallory' };
    expect(await accounts.redeemLink(linkHash, attempt)).toEqual(refuse('account-exists'));
    expect(await accounts.withEmail(email)).toEqual(own);
    const outdated = { ...own, passwordHash: 'before' };
    expect(await accounts.join(linkHash, outdated)).toEqual(refuse('account-exists'));
    // The link still works.
    expect(await accounts.withLink(linkHash)).toEqual({
      email,
      isOwn: false,
      account: { id: own.id, passwordHash: 'hash' },
    });
    const person = { id, name: 'Grace', accountId: own.id, linkHash: null };
    expect(await accounts.join(linkHash, own)).toMatchObject({ value: { person } });
    expect(await accounts.join(linkHash, own)).toEqual(refuse('unusable'));
  });

  it('creates one account when two organizations invite at the same time', async () => {
    const email = `${newId()}@example.com`;
    const links = [await invite(a, email), await invite(b, email)];
    const outcomes = await Promise.all(
      links.map(({ linkHash }, n) => accounts.redeemLink(linkHash, { passwordHash: `p${n}`, name: null })),
    );
    expect(outcomes.map(outcomeOf).toSorted()).toEqual(['account-exists', 'done']);
  });

  it('is not accepted with an account of another e-mail', async () => {
    const [own, other] = [await account(), await account()];
    const { linkHash } = await invite(b, own.email);
    expect(await accounts.join(linkHash, other.account)).toEqual(refuse('account-exists'));
  });
});

describe('an e-mail that nobody has verified', () => {
  /** A member of `a` who asserts the e-mail. */
  async function assertedBy(email: string) {
    const own = await account();
    const by = { sessionId: newId(), account: own.account };
    expect(await people.update(a.scope, own.id, { email }, by)).toEqual(done());
    return { ...own, by };
  }
  const owners = async (email: string) => (await accounts.allWithEmail(email)).map(({ id }) => id);

  it('does not keep an invitation from creating the account that has verified it', async () => {
    const email = `${newId()}@example.com`;
    const { account: claim } = await assertedBy(email);
    const { linkHash } = await invite(b, email);
    expect(await accounts.withLink(linkHash)).toMatchObject({ account: null });
    const redeemed = await accounts.redeemLink(linkHash, { passwordHash: 'verified', name: null });
    const { accountId } = valueOf(redeemed);
    expect(await owners(email)).toEqual([accountId, claim.id]);
    const later = await invite(await TestTenant.create(dataSource), email);
    expect(await accounts.withLink(later.linkHash)).toMatchObject({ account: { id: accountId } });
    const another = { passwordHash: 'x', name: null };
    expect(await accounts.redeemLink(later.linkHash, another)).toEqual(refuse('account-exists'));
  });

  it('can be the same in several accounts, of which the oldest sign in', async () => {
    const email = `${newId()}@example.com`;
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const own = await TestTenant.create(dataSource);
      const { id, linkHash } = await invite(own, `${newId()}@example.com`);
      await accounts.redeemLink(linkHash, { passwordHash: `${n}`, name: null });
      const person = await people.find(own.scope, id);
      const known = await accounts.find(person?.accountId ?? '');
      const by = { sessionId: newId(), account: known };
      expect(await people.update(own.scope, id, { email }, by)).toEqual(done());
      ids.push(known?.id ?? '');
    }
    expect(await owners(email)).toEqual(ids.slice(0, 3));
    expect(await accounts.emailOf(ids[3] ?? '')).toBe(email);
  });

  it('does not end the verified e-mail of another account', async () => {
    const { account: own, email } = await account();
    const other = await TestTenant.create(dataSource);
    const { id, linkHash } = await invite(other, `${newId()}@example.com`);
    await accounts.redeemLink(linkHash, { passwordHash: 'p', name: null });
    const { accountId } = (await people.find(other.scope, id)) ?? {};
    const by = { sessionId: newId(), account: await accounts.find(accountId ?? '') };
    expect(await people.update(other.scope, id, { email }, by)).toEqual(done());
    expect(await owners(email)).toEqual([own.id, accountId]);
    expect(await accounts.withEmail(email)).toEqual(own);
  });

  it.each<[string, (own: Awaited<ReturnType<typeof assertedBy>>, email: string) => Promise<unknown>]>([
    [
      'joins with an invitation',
      async ({ account: own }, email) => accounts.join((await invite(b, email)).linkHash, own),
    ],
    [
      'resets the password by mail',
      async ({ account: own }) => {
        const reset = { hash: newId(), expiresAt: LATER };
        await resets.create(own.id, reset);
        return resets.redeem(reset.hash, 'new');
      },
    ],
    [
      'opens the link of a mail',
      async ({ id }, email) => {
        const link = { email, hash: newId(), expiresAt: LATER };
        await people.proposeEmail(a.scope, id, link);
        const confirm = { hash: link.hash, sessionId: newId() };
        expect(await people.confirmEmail(b.scope, id, confirm)).toEqual(refuse('unusable'));
        expect(await people.confirmEmail(a.scope, id, confirm)).toEqual(done());
        expect(await people.confirmEmail(a.scope, id, confirm)).toEqual(refuse('unusable'));
        expect(await people.find(a.scope, id)).toMatchObject({ emailClaimed: false });
      },
    ],
  ])('is verified when its person %s', async (_, verify) => {
    const email = `${newId()}@example.com`;
    const own = await assertedBy(email);
    expect((await accounts.find(own.account.id))?.email).toBeNull();
    await verify(own, email);
    expect((await accounts.find(own.account.id))?.email).toBe(email);
  });

  it('is not verified by a link when another account has verified it since, or by an old link', async () => {
    const { email } = await account();
    const other = await TestTenant.create(dataSource);
    const { id, linkHash } = await invite(other, `${newId()}@example.com`);
    await accounts.redeemLink(linkHash, { passwordHash: 'p', name: null });
    const before = await people.find(other.scope, id);
    for (const [expiresAt, outcome] of [
      [LATER, 'email-taken'],
      [new Date(Date.now() - 1_000), 'unusable'],
    ] as const) {
      const hash = newId();
      await people.proposeEmail(other.scope, id, { email, hash, expiresAt });
      const confirmed = await people.confirmEmail(other.scope, id, { hash, sessionId: newId() });
      expect(outcomeOf(confirmed)).toBe(outcome);
    }
    expect(await people.find(other.scope, id)).toMatchObject({ email: before?.email });
  });

  it('stays one when an owner creates a link for its person', async () => {
    const email = `${newId()}@example.com`;
    const own = await TestTenant.create(dataSource);
    const owner = await people.firstOwner(own.organizationId);
    await people.update(own.scope, owner.id, { email }, { sessionId: newId(), account: null });
    const attempt = { passwordHash: 'p', name: null };
    const redeemed = await accounts.redeemLink(await link(own, owner.id), attempt);
    const { accountId } = valueOf(redeemed);
    expect((await accounts.find(accountId))?.email).toBeNull();
  });
});

describe('a link that an owner has created', () => {
  it('sets a password only while the person is the only one of the account', async () => {
    const { account: own, email, id } = await account();
    const before = await link(a, id);
    const { linkHash } = await invite(b, email);
    await accounts.join(linkHash, own);
    const attempt = { passwordHash: 'of an owner', name: null };
    expect(await accounts.redeemLink(before, attempt)).toEqual(refuse('unusable'));
    expect((await accounts.withEmail(email))?.passwordHash).toBe('hash');
  });

  it('never decides about a second membership that is accepted at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { account: own, email, id } = await account();
      const [reset, { linkHash }] = [await link(a, id), await invite(b, email)];
      const [one, two] = await Promise.all([
        accounts.redeemLink(reset, { passwordHash: 'of an owner', name: null }),
        accounts.join(linkHash, own),
      ]);
      const isReset = one.ok;
      expect(outcomeOf(two)).toBe(isReset ? 'account-exists' : 'done');
      const { passwordHash } = (await accounts.withEmail(email)) ?? {};
      expect(passwordHash).toBe(isReset ? 'of an owner' : 'hash');
      expect(await accounts.memberships(own.id)).toHaveLength(isReset ? 1 : 2);
    }
  });
});

describe('an account', () => {
  it('lists its organizations, the one used last first', async () => {
    const { account: own, id, other } = await joined();
    await begin(a, id, own);
    const ids = async () => (await accounts.memberships(own.id)).map(({ personId }) => personId);
    expect(await ids()).toEqual([id, other]);
    await begin(b, other, own);
    expect(await ids()).toEqual([other, id]);
  });

  it('begins no session with a person who is deactivated', async () => {
    const { account: own, id, other } = await joined();
    await begin(a, id, own);
    const disable = (personId: string, disabledAt: Date | null) =>
      dataSource.manager.update(PersonEntity, { id: personId }, { disabledAt });
    const ids = async () => (await accounts.memberships(own.id)).map(({ personId }) => personId);
    const reset = { hash: newId(), expiresAt: LATER };
    await resets.create(own.id, reset);
    await disable(id, new Date());
    expect(await ids()).toEqual([other]);
    // Still an account of two organizations.
    expect(await accounts.countPeople(own.id)).toBe(2);
    const ownLink = await link(b, other);
    const attempt = { passwordHash: 'of an owner', name: null };
    expect(await accounts.redeemLink(ownLink, attempt)).toEqual(refuse('unusable'));
    expect(await resets.isValid(reset.hash)).toBe(true);
    await disable(other, new Date());
    expect(await ids()).toEqual([]);
    expect(await resets.isValid(reset.hash)).toBe(false);
    expect(await resets.redeem(reset.hash, 'new')).toBeNull();
    await disable(other, null);
    expect(await resets.redeem(reset.hash, 'new')).toBe(own.id);
  });

  it('keeps the link of an owner while its person is deactivated', async () => {
    for (const { id, linkHash } of [await invite(a, `${newId()}@example.com`), await ownLink()]) {
      const attempt = { passwordHash: 'new', name: null };
      await dataSource.manager.update(PersonEntity, { id }, { disabledAt: new Date() });
      expect(await accounts.withLink(linkHash)).toBeNull();
      expect(await accounts.redeemLink(linkHash, attempt)).toEqual(refuse('unusable'));
      await dataSource.manager.update(PersonEntity, { id }, { disabledAt: null });
      expect(await accounts.redeemLink(linkHash, attempt)).toMatchObject({ ok: true });
    }

    async function ownLink() {
      const { id } = await account();
      return { id, linkHash: await link(a, id) };
    }
  });

  it('has one e-mail in all its organizations', async () => {
    const { account: own, id, other } = await joined();
    const email = `${newId()}@example.com`;
    const by = { sessionId: newId(), account: own };
    const pending = await link(b, other);
    expect(await people.update(a.scope, id, { email }, by)).toEqual(done());
    expect(await people.find(b.scope, other)).toMatchObject({ email, linkHash: null });
    expect(await accounts.withEmail(email)).toMatchObject({ id: own.id });
    expect(await accounts.withLink(pending)).toBeNull();
    const { email: taken } = await account();
    expect(await people.update(a.scope, id, { email: taken }, by)).toEqual(refuse('email-taken'));
    const waiting = `${newId()}@example.com`;
    await invite(b, waiting);
    expect(await people.update(a.scope, id, { email: waiting }, by)).toEqual(refuse('email-taken'));
    expect(await people.find(b.scope, other)).toMatchObject({ email });
  });

  it('loses one organization with one person, and is removed with the last one', async () => {
    const { account: own, email, id, other } = await joined();
    const [inA, inB] = [await begin(a, id, own), await begin(b, other, own)];
    await people.remove(a.scope, id);
    expect(await sessions.authenticate(inA ?? '')).toBeNull();
    expect(await sessions.authenticate(inB ?? '')).toMatchObject({ organizationId: b.organizationId });
    await people.remove(b.scope, other);
    expect(await accounts.withEmail(email)).toBeNull();
  });

  it('is removed when its last two people are removed at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { email, id, other } = await joined();
      await Promise.all([people.remove(a.scope, id), people.remove(b.scope, other)]);
      expect(await accounts.withEmail(email)).toBeNull();
    }
  });

  it('is removed with its last organization', async () => {
    const own = await TestTenant.create(dataSource);
    const first = await account();
    const { linkHash } = await invite(own, first.email);
    await accounts.join(linkHash, first.account);
    const only = `${newId()}@example.com`;
    await accounts.redeemLink((await invite(own, only)).linkHash, { passwordHash: 'p', name: null });
    await new OrganizationRepository(dataSource).markDeleted(own.organizationId);
    expect(await accounts.withEmail(only)).toBeNull();
    expect(await accounts.withEmail(first.email)).not.toBeNull();
  });
});

describe('a session', () => {
  it('does not begin with a password that was replaced since', async () => {
    const { account: own, id } = await account();
    await accounts.redeemLink(await link(a, id), { passwordHash: 'new', name: null });
    expect(await begin(a, id, own)).toBeNull();
    expect(await begin(a, id, { ...own, passwordHash: 'new' })).not.toBeNull();
  });

  it('does not survive a new password that is set at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { account: own, id } = await account();
      const reset = await link(a, id);
      const [hash] = await Promise.all([
        begin(a, id, own),
        accounts.redeemLink(reset, { passwordHash: 'new', name: null }),
      ]);
      expect(hash === null ? null : await sessions.authenticate(hash)).toBeNull();
    }
  });

  it('does not begin for a person, an account or a key that was removed since', async () => {
    const { account: own, id } = await account();
    await people.remove(a.scope, id);
    expect(await begin(a, id, own)).toBeNull();
    expect(await begin(a, id, null)).toBeNull();
    const { organizationId } = a;
    const key = { organizationId, apiKeyId: newId(), hash: newId(), expiresAt: LATER, userAgent: null };
    expect(outcomeOf(await sessions.create(key))).toBe('credentials-changed');
  });

  it('changes to another organization of its account alone', async () => {
    const { account: own, id, other } = await joined();
    const stranger = await account();
    const hash = await begin(a, id, own);
    const { sessionId, accountId } = (await sessions.authenticate(hash ?? '')) ?? {};
    assert.ok(sessionId && accountId);
    const from = { sessionId, accountId };
    const to = (of: TestTenant, personId: string) => ({
      personId,
      organizationId: of.organizationId,
      hash: newId(),
    });
    for (const foreign of [to(a, stranger.id), to(a, other), to(b, newId())])
      expect(await sessions.replace(from, foreign)).toEqual(refuse('ended'));
    const replacement = to(b, other);
    const attempts = await Promise.all([
      sessions.replace(from, replacement),
      sessions.replace(from, to(b, other)),
    ]);
    expect(attempts.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await sessions.authenticate(hash ?? '')).toBeNull();
    const replaced = await sessions.replace({ ...from, accountId: stranger.account.id }, to(b, other));
    expect(replaced).toEqual(refuse('ended'));
  });
});

describe('a link that is sent by e-mail', () => {
  const mail = () => ({ hash: newId(), expiresAt: LATER });

  it('sets the password in all organizations once, and ends all sessions and links', async () => {
    const { account: own, id, other, email } = await joined();
    const [inA, inB] = [await begin(a, id, own), await begin(b, other, own)];
    const [one, two] = [mail(), mail()];
    for (const each of [one, two]) expect(await resets.create(own.id, each)).toEqual(done());
    expect(await resets.isValid(one.hash)).toBe(true);
    const redeemed = await Promise.all([resets.redeem(one.hash, 'new'), resets.redeem(one.hash, 'newer')]);
    expect(redeemed.filter((accountId) => accountId !== null)).toEqual([own.id]);
    expect(await resets.redeem(two.hash, 'newest')).toBeNull();
    expect((await accounts.withEmail(email))?.passwordHash).toMatch(/^newe?r?$/);
    for (const hash of [inA, inB]) expect(await sessions.authenticate(hash ?? '')).toBeNull();
  });

  it.each<[string, (own: Awaited<ReturnType<typeof joined>>) => Promise<unknown>]>([
    [
      'another password',
      ({ id, account: by }) =>
        people.update(a.scope, id, { passwordHash: 'new' }, { sessionId: newId(), account: by }),
    ],
    [
      'another e-mail',
      ({ id, account: by }) =>
        people.update(a.scope, id, { email: `${newId()}@b.com` }, { sessionId: newId(), account: by }),
    ],
    [
      'no organization',
      async ({ id, other }) => [await people.remove(a.scope, id), await people.remove(b.scope, other)],
    ],
  ])('does not work after the account has %s', async (_, change) => {
    const own = await joined();
    const link = mail();
    await resets.create(own.account.id, link);
    await change(own);
    expect(await resets.isValid(link.hash)).toBe(false);
    expect(await resets.redeem(link.hash, 'of an attacker')).toBeNull();
  });

  it('expires, and is not created for an account that was removed', async () => {
    const { account: own, id } = await account();
    const expired = { hash: newId(), expiresAt: new Date(Date.now() - 1_000) };
    await resets.create(own.id, expired);
    expect(await resets.isValid(expired.hash)).toBe(false);
    expect(await resets.redeem(expired.hash, 'x')).toBeNull();
    await people.remove(a.scope, id);
    expect(await resets.create(own.id, mail())).toEqual(refuse('account-removed'));
  });

  it('is in the language of the person who has used the account last', async () => {
    const { account: own, id, other } = await joined();
    expect(await accounts.language(own.id)).toBeNull();
    const by = { sessionId: newId(), account: own };
    await people.update(a.scope, id, { language: 'fr' }, by);
    expect(await accounts.language(own.id)).toBe('fr');
    await people.update(b.scope, other, { language: 'ja' }, by);
    await begin(b, other, own);
    expect(await accounts.language(own.id)).toBe('ja');
  });
});
