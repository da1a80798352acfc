import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { refuse } from '../../connection/result.js';
import { outcomeOf, valueOf } from '../../fixtures/result.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { OrganizationRepository } from '../../tenancy/organization.repository.js';
import { ScimRepository } from '../scim/scim.repository.js';
import { groupNameKey, GroupRepository } from './group.repository.js';
import { PersonRepository } from './person.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let groups: GroupRepository;
let tenant: TestTenant;
beforeAll(async () => {
  dataSource = await server.database();
  groups = new GroupRepository(dataSource);
  tenant = await TestTenant.create(dataSource);
});
afterAll(() => server.close());

async function created(name: string, externalId: string | null = null, of = tenant): Promise<string> {
  return valueOf(await groups.create(of.scope, { name, externalId })).group.id;
}

async function person(): Promise<string> {
  const link = { linkHash: newId(), linkExpiresAt: new Date(Date.now() + 60_000) };
  const email = `${newId()}@example.com`;
  const invited = await new PersonRepository(dataSource).invite(tenant.scope, {
    email,
    role: 'member',
    ...link,
  });
  return valueOf(invited).id;
}

const membersOf = async (id: string): Promise<string[]> =>
  (await groups.members(tenant.scope, id, { limit: 100 })).map((member) => member.id);

describe('the name of a group', () => {
  it.each([
    ['Sales', 'sALES'],
    ['Überwachung', 'ÜBERWACHUNG'],
    ['Cafe\u0301', 'CAFÉ'],
    ['ＨＲ', 'hr'],
    ['电池', '电池'],
  ])('%s is taken by %s', async (name, other) => {
    const own = await TestTenant.create(dataSource);
    await created(name, null, own);
    expect(await groups.create(own.scope, { name: other })).toEqual(refuse('name-taken'));
    expect((await groups.findByName(own.scope, other))?.name).toBe(name);
    const another = await created('Another', null, own);
    expect(await groups.update(own.scope, another, { name: other })).toEqual(refuse('name-taken'));
    // Another organization has names of its own.
    await created(name, null, await TestTenant.create(dataSource));
  });

  it('keeps its case, which can be changed', async () => {
    const id = await created('legal');
    expect(await groups.update(tenant.scope, id, { name: 'Legal' })).toMatchObject({
      value: { group: { name: 'Legal', nameKey: groupNameKey('legal') } },
    });
  });

  it('is written once by several requests at the same time', async () => {
    const own = await TestTenant.create(dataSource);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => groups.create(own.scope, { name: 'Race' })),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await groups.list(own.scope, { limit: 10 })).toHaveLength(1);
  });
});

it('the external id is unique in an organization, and many groups have none', async () => {
  await created('From a provider', 'x1');
  expect(await groups.create(tenant.scope, { name: 'Other name', externalId: 'x1' })).toEqual(
    refuse('name-taken'),
  );
  await created('Local 1');
  await created('Local 2');
});

describe('members', () => {
  it('are added once, listed newest first in pages, counted, and removed', async () => {
    const id = await created('Members');
    const people = [await person(), await person(), await person()];
    for (const member of [...people, ...people])
      expect((await groups.addMember(tenant.scope, id, member))?.id).toBe(member);
    expect(await membersOf(id)).toEqual(people.toReversed());
    const [first] = await groups.members(tenant.scope, id, { limit: 1 });
    expect(first?.id).toBe(people[2]);
    const rest = await groups.members(tenant.scope, id, { limit: 5, cursor: first?.id });
    expect(rest.map((member) => member.id)).toEqual([people[1], people[0]]);
    expect((await groups.find(tenant.scope, id))?.memberCount).toBe(3);
    expect((await groups.groupsOf(tenant.scope, people[0] ?? '')).map((group) => group.id)).toEqual([id]);
    expect((await groups.removeMember(tenant.scope, id, people[1] ?? ''))?.id).toBe(people[1]);
    expect(await groups.removeMember(tenant.scope, id, people[1] ?? '')).toBeNull();
    expect(await membersOf(id)).toEqual([people[2], people[0]]);
  });

  it.each([['x'], [newId()]])('that do not exist (%s) are not added', async (unknown) => {
    const id = await created(`Group ${unknown}`);
    expect(await groups.addMember(tenant.scope, id, unknown)).toBeNull();
    expect(await groups.addMember(tenant.scope, unknown, await person())).toBeNull();
    expect(await groups.removeMember(tenant.scope, unknown, await person())).toBeNull();
  });

  it('are replaced by a list without unknown ids', async () => {
    const id = await created('Replaced');
    const [first, second] = [await person(), await person()];
    await groups.addMember(tenant.scope, id, first);
    const scim = new ScimRepository(dataSource);
    const set = async (...ids: string[]) => scim.changeMembers(tenant.scope, id, [{ kind: 'set', ids }]);
    expect(await set(second, 'x')).toEqual(refuse('unknown-people', ['x']));
    expect(await membersOf(id)).toEqual([first]);
    expect(outcomeOf(await set(second, second))).toBe('done');
    expect(await membersOf(id)).toEqual([second]);
    expect(outcomeOf(await set())).toBe('done');
    expect(await membersOf(id)).toEqual([]);
  });

  it('leave with the person, and stay when the group is removed', async () => {
    const id = await created('Left');
    const [first, second] = [await person(), await person()];
    for (const member of [first, second]) await groups.addMember(tenant.scope, id, member);
    const people = new PersonRepository(dataSource);
    await people.remove(tenant.scope, first);
    expect(await membersOf(id)).toEqual([second]);
    expect((await groups.remove(tenant.scope, id))?.memberCount).toBe(1);
    expect(await groups.groupsOf(tenant.scope, second)).toEqual([]);
    expect(await people.find(tenant.scope, second)).not.toBeNull();
  });
});

it('groups are removed with their organization', async () => {
  const own = await TestTenant.create(dataSource);
  await created('Gone', null, own);
  await new OrganizationRepository(dataSource).markDeleted(own.organizationId);
  expect(await groups.list(own.scope, { limit: 10 })).toEqual([]);
});
