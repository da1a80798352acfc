import assert from 'node:assert/strict';
import type { Role } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { refuse } from '../../connection/result.js';
import { everythingOf } from '../../fixtures/everything-of.fixtures.js';
import { outcomeOf, valueOf } from '../../fixtures/result.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import {
  ApiKeyEntity,
  type IdentityProviderEntity,
  type PersonEntity,
} from '../../schema/identity.entities.js';
import { OrganizationRepository } from '../../tenancy/organization.repository.js';
import { PersonRepository } from '../people/person.repository.js';
import { SessionRepository } from '../sign-in/session.repository.js';
import { TokenRepository } from '../sign-in/token.repository.js';
import { IdentityProviderRepository, type NewIdentityProvider } from './identity-provider.repository.js';
import { IdentityRepository, nextRole, type ProviderClaims } from './identity.repository.js';
import { ProviderSessionRepository } from './provider-session.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let providers: IdentityProviderRepository;
let identities: IdentityRepository;
let providerSessions: ProviderSessionRepository;
let sessions: SessionRepository;
let people: PersonRepository;
let tokens: TokenRepository;
let tenant: TestTenant;
let provider: IdentityProviderEntity;
beforeAll(async () => {
  dataSource = await server.database();
  providers = new IdentityProviderRepository(dataSource);
  identities = new IdentityRepository(dataSource);
  providerSessions = new ProviderSessionRepository(dataSource);
  sessions = new SessionRepository(dataSource);
  people = new PersonRepository(dataSource);
  tokens = new TokenRepository(dataSource);
  tenant = await TestTenant.create(dataSource);
  provider = await addProvider();
});
afterAll(() => server.close());

const SOON = new Date(Date.now() + 60_000);
const PAST = new Date(Date.now() - 1_000);

async function addProvider(
  fields: Partial<NewIdentityProvider> = {},
  of = tenant,
): Promise<IdentityProviderEntity> {
  const defaults = {
    id: newId(),
    name: 'Provider',
    issuer: 'https://login.example.com',
    clientId: 'citewell',
    sealedClientSecret: 'sealed',
    scopes: 'openid',
    emailDomains: [],
    defaultRole: 'member' as const,
    groupsClaim: 'groups',
    groupRoles: [],
  };
  return valueOf(await providers.create(of.scope, { ...defaults, ...fields }, 100));
}

const claims = (fields: Partial<ProviderClaims> = {}): ProviderClaims => ({
  subject: newId(),
  verifiedEmail: `${newId()}@example.com`,
  name: 'Grace',
  groupRole: null,
  ...fields,
});

async function admitted(fields: Partial<ProviderClaims>, at = provider): Promise<PersonEntity> {
  return valueOf(await identities.admit(at, claims(fields)));
}

/** A session of a person that began at the provider. @returns its hash */
async function begin(
  { id: personId, organizationId }: PersonEntity,
  subject: string,
  checkAt: Date | null = null,
) {
  const hash = newId();
  const session = { organizationId, personId, account: null, hash, expiresAt: SOON, userAgent: null };
  const atProvider = { providerId: provider.id, subject, sealedTokens: 'sealed', checkAt };
  expect(outcomeOf(await sessions.create({ ...session, atProvider }))).toBe('done');
  return hash;
}

it.each<[Role, Role | null, ProviderClaims['groupRole'], Role | null, Role | null]>([
  ['member', null, 'editor', 'member', 'editor'],
  ['owner', 'owner', 'member', null, 'member'],
  // A role of a hand stays.
  ['editor', null, null, 'member', 'editor'],
  ['owner', 'editor', null, 'member', 'owner'],
  // A role of a group ends with it.
  ['editor', 'editor', null, 'member', 'member'],
  ['editor', 'editor', null, null, null],
  // Nothing is known.
  ['editor', 'editor', 'unknown', null, 'editor'],
])('%s, before %s, now %s, by default %s: %s', (present, before, mapped, byDefault, expected) => {
  expect(nextRole(present, before, mapped, byDefault)).toBe(expected);
});

describe('a person of a provider', () => {
  it('is created once, also at the same time', async () => {
    const same = claims();
    const admissions = await Promise.all(Array.from({ length: 5 }, () => identities.admit(provider, same)));
    const ids = admissions.map((admission) => admission.ok && admission.value.id);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toEqual(expect.any(String));
  });

  it('is the one with the e-mail, but for an owner', async () => {
    const link = { linkHash: newId(), linkExpiresAt: SOON };
    const email = `${newId()}@example.com`;
    const invited = valueOf(await people.invite(tenant.scope, { email, role: 'editor', ...link }));
    expect((await admitted({ verifiedEmail: email })).id).toBe(invited.id);
    await people.changeRole(tenant.scope, invited.id, 'owner');
    const another = claims({ verifiedEmail: email });
    expect(await identities.admit(provider, another)).toEqual(refuse('owner-exists'));
    const owner = await admitted({ ...another, groupRole: 'owner' }, await addProvider());
    expect(owner).toMatchObject({ id: invited.id });
  });

  it('has one subject at a provider, also at the same time', async () => {
    const email = `${newId()}@example.com`;
    const link = { linkHash: newId(), linkExpiresAt: SOON };
    const invited = valueOf(await people.invite(tenant.scope, { email, role: 'editor', ...link }));
    const subjects = [newId(), newId(), newId()];
    const admissions = await Promise.all(
      [...subjects, ...subjects].map((subject) =>
        identities.admit(provider, claims({ subject, verifiedEmail: email })),
      ),
    );
    const kinds = admissions.map((one) => (one.ok ? one.value.id : one.reason));
    expect(kinds.slice(0, 3)).toEqual(kinds.slice(3));
    expect(kinds.slice(0, 3).toSorted()).toEqual([invited.id, 'email-taken', 'email-taken'].toSorted());
    // After a change of the e-mail at the provider, too.
    const [subject = ''] = subjects.filter((_, index) => kinds[index] === invited.id);
    await admitted({ subject, verifiedEmail: `${newId()}@example.com` });
    const second = claims({ verifiedEmail: email, groupRole: 'owner' });
    expect(await identities.admit(provider, second)).toMatchObject({ reason: 'email-taken' });
    expect((await admitted({ verifiedEmail: email }, await addProvider())).id).toBe(invited.id);
  });

  it('is not the one who has claimed the e-mail, until the provider vouches for it', async () => {
    const subject = newId();
    const member = await admitted({ subject });
    const email = `${newId()}@example.com`;
    await people.update(tenant.scope, member.id, { email }, { sessionId: newId(), account: null });
    const owner = claims({ verifiedEmail: email, groupRole: 'owner' });
    const at = await addProvider();
    const taken = refuse('email-taken');
    expect(await identities.admit(provider, owner)).toEqual(taken);
    expect(await identities.admit(at, owner)).toEqual(taken);
    await admitted({ subject });
    expect(await identities.admit(at, owner)).toEqual(taken);
    expect(await people.find(tenant.scope, member.id)).toMatchObject({ role: 'member', emailClaimed: true });
    await admitted({ subject, verifiedEmail: email });
    expect((await admitted(owner, at)).id).toBe(member.id);
  });

  it('is refused without an e-mail, a role or groups, and if nobody has come before', async () => {
    const closed = await addProvider({ defaultRole: null });
    const refused = async (
      at: IdentityProviderEntity,
      fields: Partial<ProviderClaims>,
      onlyKnown = false,
    ) => {
      return outcomeOf(await identities.admit(at, claims(fields), { onlyKnown }));
    };
    expect(await refused(provider, { verifiedEmail: null })).toBe('email-missing');
    expect(await refused(closed, {})).toBe('not-invited');
    expect(await refused(provider, { groupRole: 'unknown' })).toBe('groups-unknown');
    expect(await refused(provider, {}, true)).toBe('not-invited');
  });

  it.each<[Role, ProviderClaims['groupRole'], 'refuse' | 'withdraw', Role]>([
    ['owner', 'owner', 'refuse', 'member'],
    ['editor', 'editor', 'refuse', 'member'],
    ['member', 'member', 'refuse', 'member'],
    ['owner', 'owner', 'withdraw', 'member'],
    // A role of a hand stays.
    ['editor', 'member', 'withdraw', 'editor'],
    ['editor', null, 'withdraw', 'editor'],
  ])('%s of a group %s: %s leaves no token, no session and %s', async (role, groupRole, how, left) => {
    await people.firstOwner(tenant.organizationId);
    const [at, elsewhere] = [
      await addProvider({ defaultRole: null }),
      await addProvider({ defaultRole: null }),
    ];
    const link = { linkHash: newId(), linkExpiresAt: SOON };
    const verifiedEmail = `${newId()}@example.com`;
    await people.invite(tenant.scope, { email: verifiedEmail, role: 'member', ...link });
    const who = { subject: newId(), verifiedEmail, groupRole };
    const person = await admitted(who, at);
    if (groupRole === 'owner') await admitted(who, elsewhere);
    await people.changeRole(tenant.scope, person.id, role);
    const hash = await begin(person, who.subject);
    const fields = { prefix: 'cw', scopes: ['read'], expiresAt: SOON };
    await tokens.create(tenant.scope, person.id, { name: 'T', hash: newId(), ...fields }, 9);
    const key = newId();
    const { organizationId } = tenant;
    await dataSource
      .getRepository(ApiKeyEntity)
      .insert({ id: key, organizationId, name: 'K', hash: key, ...fields });
    const gone = claims({ ...who, groupRole: null });
    const refused = refuse('not-invited');
    if (how === 'refuse') expect(await identities.admit(at, gone)).toEqual(refused);
    else await identities.withdraw(at, who.subject);
    expect(await people.find(tenant.scope, person.id)).toMatchObject({ role: left });
    expect(await tokens.list(tenant.scope, person.id)).toEqual([]);
    expect(await sessions.authenticate(hash)).toBeNull();
    expect(await dataSource.getRepository(ApiKeyEntity).existsBy({ id: key })).toBe(true);
    // The next sign-in does not take the role for one that an owner has chosen.
    if (role !== groupRole) return;
    expect(await identities.admit(at, gone)).toEqual(refused);
    if (groupRole === 'owner') expect(await identities.admit(elsewhere, gone)).toEqual(refused);
    expect((await admitted(who, at)).role).toBe(groupRole);
  });

  it('who is the last owner stays one', async () => {
    const own = await TestTenant.create(dataSource);
    const at = await addProvider({}, own);
    const subject = newId();
    const owner = await admitted({ subject, groupRole: 'owner' }, at);
    await sessions.create({
      organizationId: own.organizationId,
      personId: owner.id,
      account: null,
      hash: newId(),
      expiresAt: SOON,
      userAgent: null,
    });
    await identities.withdraw(at, subject);
    const closed = { ...at, defaultRole: null };
    expect(await identities.admit(closed, claims({ subject }))).toMatchObject({ reason: 'not-invited' });
    expect(await people.find(own.scope, owner.id)).toMatchObject({ role: 'owner' });
    expect(await admitted({ subject, groupRole: 'member' }, at)).toMatchObject({ role: 'owner' });
  });
});

describe('a sign-in', () => {
  const signIn = (fields: { expiresAt?: Date } = {}) => ({
    stateHash: newId(),
    organizationId: tenant.organizationId,
    providerId: provider.id,
    browserHash: newId(),
    nonce: 'nonce',
    codeVerifier: 'verifier',
    returnPath: '/',
    previousSessionHash: null,
    expiresAt: SOON,
    ...fields,
  });

  it('is used once, by its browser, at its provider, in time', async () => {
    const [good, old] = [signIn(), signIn({ expiresAt: PAST })];
    await providerSessions.begin(good);
    await providerSessions.begin(old);
    expect(await providerSessions.take(provider.id, old)).toBeNull();
    expect(await providerSessions.take(provider.id, { ...good, browserHash: 'other' })).toBeNull();
    expect(await providerSessions.take((await addProvider()).id, good)).toBeNull();
    const taken = await Promise.all([1, 2, 3].map(() => providerSessions.take(provider.id, good)));
    expect(taken.filter((one) => one !== null)).toEqual([
      { nonce: 'nonce', codeVerifier: 'verifier', returnPath: '/', previousSessionHash: null },
    ]);
    await sessions.collect();
    expect(await dataSource.query('SELECT 1 FROM provider_sign_ins')).toEqual([]);
  });
});

describe('a session of a provider', () => {
  it('is known as one, and is due once in a while', async () => {
    const subject = newId();
    const person = await admitted({ subject });
    const [due, lasting] = [await begin(person, subject, PAST), await begin(person, subject)];
    expect(await sessions.authenticate(due)).toMatchObject({ identityProvider: 'Provider' });
    const claimed = await Promise.all([1, 2, 3].map(() => providerSessions.claimDue(60, 10)));
    expect(claimed.flat()).toEqual([expect.objectContaining({ subject, sealedTokens: 'sealed' })]);
    const [session] = claimed.flat();
    assert.ok(session);
    await providerSessions.keepTokens(session.sessionId, 'other');
    expect(await providerSessions.ofSession(due)).toEqual({ ...session, sealedTokens: 'other' });
    await providerSessions.end(session.sessionId);
    expect(await sessions.authenticate(due)).toBeNull();
    expect(await sessions.authenticate(lasting)).not.toBeNull();
    await providerSessions.endAll(provider.id, subject);
    expect(await sessions.authenticate(lasting)).toBeNull();
  });

  it('ends with its provider', async () => {
    const hash = await begin(await admitted({}), newId());
    await providers.remove(tenant.scope, provider.id);
    expect(await sessions.authenticate(hash)).toBeNull();
    provider = await addProvider();
  });
});

describe('providers', () => {
  it('are offered to all in an installation with one organization, and by their domains', async () => {
    const { id } = await addProvider({ emailDomains: ['found.example'], name: 'Found' });
    await addProvider({ emailDomains: ['found.example'], clientId: null });
    expect(await providers.withDomain('found.example')).toEqual([{ id, name: 'Found' }]);
    expect(await providers.withDomain('%')).toEqual([]);
    expect(await providers.usable('x')).toBeNull();
    await TestTenant.create(dataSource);
    expect(await providers.offeredToAll()).toBeNull();
    expect(await providers.hasSecrets()).toBe(true);
  });

  it('of another organization are neither read nor changed', async () => {
    const stranger = await TestTenant.create(dataSource);
    const before = await everythingOf(tenant);
    expect(await providers.list(stranger.scope)).toEqual([]);
    expect(await providers.find(stranger.scope, provider.id)).toBeNull();
    expect(await providers.update(stranger.scope, provider.id, { name: 'taken over' })).toBeNull();
    await providers.remove(stranger.scope, provider.id);
    expect(await everythingOf(tenant)).toBe(before);
    expect(await providers.list(tenant.scope)).toContainEqual(provider);
  });

  it('leave with their organization', async () => {
    const own = await TestTenant.create(dataSource);
    const at = await addProvider({}, own);
    await admitted({}, at);
    await new OrganizationRepository(dataSource).markDeleted(own.organizationId);
    expect(await providers.usable(at.id)).toBeNull();
  });
});
