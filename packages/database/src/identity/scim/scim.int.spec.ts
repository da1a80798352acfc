import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { refuse } from '../../connection/result.js';
import { everythingOf } from '../../fixtures/everything-of.fixtures.js';
import { outcomeOf, valueOf } from '../../fixtures/result.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { GroupRepository } from '../people/group.repository.js';
import { PersonRepository } from '../people/person.repository.js';
import { SessionRepository } from '../sign-in/session.repository.js';
import { ScimRepository, type ScimUser, type ScimUserFields } from './scim.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let scim: ScimRepository;
let tenant: TestTenant;
beforeAll(async () => {
  dataSource = await server.database();
  scim = new ScimRepository(dataSource);
  tenant = await TestTenant.create(dataSource);
});
afterAll(() => server.close());

const ALL = { offset: 0, limit: 10 };

async function user(fields: ScimUserFields = {}, of = tenant): Promise<ScimUser> {
  const email = `${newId()}@example.com`;
  return valueOf(await scim.createUser(of.scope, { ...fields, userName: email, email }));
}

async function group(of = tenant): Promise<string> {
  const created = await new GroupRepository(dataSource).create(of.scope, {
    name: newId(),
    externalId: newId(),
  });
  return valueOf(created).group.id;
}

describe('a user', () => {
  it('is found by each attribute, and invited people are users, too', async () => {
    const externalId = newId();
    const { id, userName, email } = await user({ externalId, name: 'Ada' });
    for (const [attribute, value] of [
      ['id', id],
      ['userName', userName.toUpperCase()],
      ['externalId', externalId],
      ['email', email ?? ''],
    ] as const)
      expect(await scim.users(tenant.scope, { attribute, value }, ALL)).toMatchObject({
        total: 1,
        users: [{ id, name: 'Ada', externalId, isActive: true, createdAt: expect.any(Date) }],
      });
    expect(await scim.users(tenant.scope, { attribute: 'id', value: 'x' }, ALL)).toEqual({
      total: 0,
      users: [],
    });
    const link = { linkHash: newId(), linkExpiresAt: new Date() };
    const invitation = { email: `${newId()}@example.com`, role: 'editor', ...link } as const;
    const invited = valueOf(await new PersonRepository(dataSource).invite(tenant.scope, invitation));
    expect(await scim.user(tenant.scope, invited.id)).toMatchObject({ userName: invited.email });
  });

  it('who is not active has no session, and begins none', async () => {
    const { id } = await user();
    const sessions = new SessionRepository(dataSource);
    const begin = async (): Promise<string | null> => {
      const hash = newId();
      const { organizationId } = tenant;
      const expiresAt = new Date(Date.now() + 60_000);
      const session = { organizationId, personId: id, account: null, hash, expiresAt, userAgent: null };
      return (await sessions.create(session)).ok ? hash : null;
    };
    const hash = await begin();
    expect(await scim.updateUser(tenant.scope, id, { isActive: false })).toMatchObject({
      value: { isActive: false },
    });
    expect(await sessions.authenticate(hash ?? '')).toBeNull();
    expect(await begin()).toBeNull();
    await scim.updateUser(tenant.scope, id, { isActive: true });
    expect(await begin()).not.toBeNull();
  });

  it('is not the last owner any more only if there is another', async () => {
    const own = await TestTenant.create(dataSource);
    const people = new PersonRepository(dataSource);
    const first = await people.firstOwner(own.organizationId);
    await dataSource.query("UPDATE people SET email = 'first@example.com' WHERE id = $1", [first.id]);
    expect(await scim.updateUser(own.scope, first.id, { isActive: false })).toEqual(refuse('last-owner'));
    expect(await people.remove(own.scope, first.id)).toEqual(refuse('last-owner'));
  });

  it('is nobody who has only claimed the e-mail', async () => {
    const people = new PersonRepository(dataSource);
    const claim = async (id: string): Promise<string> => {
      const email = `${newId()}@example.com`;
      await people.update(tenant.scope, id, { email }, { sessionId: newId(), account: null });
      return email;
    };
    const link = { linkHash: newId(), linkExpiresAt: new Date() };
    const invitation = { email: `${newId()}@example.com`, role: 'member', ...link } as const;
    const { id } = valueOf(await people.invite(tenant.scope, invitation));
    const [managed, another] = [await user(), await user()];
    const emails = [await claim(id), await claim(managed.id)];
    for (const email of emails) {
      for (const attribute of ['userName', 'email'] as const)
        expect(await scim.users(tenant.scope, { attribute, value: email }, ALL)).toMatchObject({ total: 0 });
      const claimed = refuse('claimed');
      expect(await scim.createUser(tenant.scope, { userName: email, email })).toEqual(claimed);
      expect(await scim.createUser(tenant.scope, { userName: newId(), email })).toEqual(claimed);
      expect(await scim.updateUser(tenant.scope, another.id, { email })).toEqual(claimed);
    }
    expect(await scim.users(tenant.scope, { attribute: 'id', value: id }, ALL)).toMatchObject({ total: 0 });
    expect(await scim.updateUser(tenant.scope, id, { name: 'Eve' })).toEqual(refuse('not-found'));
    // A user of the provider stays one. The provider vouches for the e-mail, or gives another.
    const [, email = ''] = emails;
    const named = await scim.updateUser(tenant.scope, managed.id, { name: 'Ada' });
    expect(named).toMatchObject({ value: { userName: managed.userName, email: null } });
    expect(await people.find(tenant.scope, managed.id)).toMatchObject({ email, emailClaimed: true });
    const vouched = await scim.updateUser(tenant.scope, managed.id, { email });
    expect(vouched).toMatchObject({ value: { email } });
  });

  it('is created once, also at the same time', async () => {
    const email = `${newId()}@example.com`;
    const create = () => scim.createUser(tenant.scope, { userName: email, email });
    const changes = await Promise.all([create(), create(), create()]);
    expect(changes.map(outcomeOf).toSorted()).toEqual(['done', 'taken', 'taken']);
  });
});

describe('a group', () => {
  it('has thousands of members', async () => {
    const id = await group();
    await dataSource.query(
      `INSERT INTO people (id, organization_id, role, email)
       SELECT gen_random_uuid(), $1, 'member', 'many-' || n || '@example.com' FROM generate_series(1, 5000) n`,
      [tenant.organizationId],
    );
    const rows = await dataSource.query<{ id: string }[]>(
      `SELECT id FROM people WHERE organization_id = $1 AND email LIKE 'many-%'`,
      [tenant.organizationId],
    );
    const ids = rows.map((row) => row.id);
    expect(outcomeOf(await scim.changeMembers(tenant.scope, id, [{ kind: 'set', ids }]))).toBe('done');
    expect(await scim.members(tenant.scope, id)).toHaveLength(5_000);
    const [one = ''] = ids;
    await scim.changeMembers(tenant.scope, id, [
      { kind: 'remove', ids: [one, 'x'] },
      { kind: 'add', ids: [one] },
      { kind: 'remove', ids: [one] },
    ]);
    expect(await scim.members(tenant.scope, id)).toHaveLength(4_999);
    expect(await scim.groups(tenant.scope, { attribute: 'member', value: ids[1] ?? '' }, ALL)).toEqual({
      total: 1,
      ids: [id],
    });
    for (const attribute of ['displayName', 'externalId', 'id'] as const)
      expect(await scim.groups(tenant.scope, { attribute, value: 'x' }, ALL)).toEqual({ total: 0, ids: [] });
  });
});

it('a provider of another organization reads and changes nothing', async () => {
  const [{ id }, groupId] = [await user({ externalId: newId() }), await group()];
  const { scope } = await TestTenant.create(dataSource);
  const before = await everythingOf(tenant);
  expect(await scim.users(scope, null, ALL)).toEqual({ total: 0, users: [] });
  expect(await scim.user(scope, id)).toBeNull();
  expect(await scim.updateUser(scope, id, { isActive: false })).toEqual(refuse('not-found'));
  expect(await scim.groups(scope, null, ALL)).toEqual({ total: 0, ids: [] });
  expect(await scim.members(scope, groupId)).toEqual([]);
  expect(outcomeOf(await scim.changeMembers(scope, groupId, [{ kind: 'set', ids: [] }]))).toBe('done');
  const added = await scim.changeMembers(scope, groupId, [{ kind: 'add', ids: [id] }]);
  expect(added).toEqual(refuse('unknown-people', [id]));
  expect(await everythingOf(tenant)).toBe(before);
});
