import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { outcomeOf, valueOf } from '../../fixtures/result.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { PersonEntity } from '../../schema/identity.entities.js';
import { OrganizationRepository } from '../../tenancy/organization.repository.js';
import { TokenRepository } from './token.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let tokens: TokenRepository;
let organizations: OrganizationRepository;
beforeAll(async () => {
  dataSource = await server.database();
  tokens = new TokenRepository(dataSource);
  organizations = new OrganizationRepository(dataSource);
});
afterAll(() => server.close());

const DAY_MS = 24 * 60 * 60_000;

async function personOf({ organizationId }: TestTenant, name: string | null = null): Promise<string> {
  const id = newId();
  const fields = { organizationId, role: 'editor' as const, name, email: `${id}@example.com` };
  await dataSource.manager.insert(PersonEntity, { id, ...fields });
  return id;
}

const newToken = (scopes = ['read', 'write', 'admin'], days = 1) => ({
  name: 'token',
  prefix: 'cw_',
  hash: newId(),
  scopes,
  expiresAt: new Date(Date.now() + days * DAY_MS),
});

it.each([
  ['member', ['read']],
  ['editor', ['read', 'write']],
  ['owner', ['read', 'write', 'admin']],
] as const)('a token of a person who is %s has the scopes %j', async (role, scopes) => {
  const tenant = await TestTenant.create(dataSource);
  const personId = await personOf(tenant);
  const token = newToken();
  await tokens.create(tenant.scope, personId, token, 1);
  await dataSource.manager.update(PersonEntity, personId, { role });
  expect(await organizations.authenticate(token.hash)).toMatchObject({ scopes, reader: { personId, role } });
  await dataSource.manager.delete(PersonEntity, personId);
  expect(await organizations.authenticate(token.hash)).toBeNull();
});

it('at most so many valid tokens are created, also at once', async () => {
  const tenant = await TestTenant.create(dataSource);
  const personId = await personOf(tenant);
  await tokens.create(tenant.scope, personId, newToken(['read'], -1), 3);
  const created = await Promise.all(
    Array.from({ length: 6 }, () => tokens.create(tenant.scope, personId, newToken(), 3)),
  );
  expect(created.filter((one) => outcomeOf(one) === 'too-many')).toHaveLength(3);
  expect(await tokens.list(tenant.scope, personId)).toHaveLength(3);
});

it('neither another person nor another organization has the token', async () => {
  const [tenant, stranger] = [await TestTenant.create(dataSource), await TestTenant.create(dataSource)];
  const personId = await personOf(tenant);
  const other = await personOf(tenant, 'Grace');
  const token = valueOf(await tokens.create(tenant.scope, personId, newToken(), 1));
  expect(outcomeOf(await tokens.create(stranger.scope, personId, newToken(), 9))).toBe('person-removed');
  expect(await tokens.list(stranger.scope, personId)).toEqual([]);
  expect(await tokens.list(tenant.scope, other)).toEqual([]);
  for (const [scope, person, id] of [
    [stranger.scope, personId, token.id],
    [tenant.scope, other, token.id],
    [tenant.scope, personId, 'x'],
    [tenant.scope, personId, newId()],
  ] as const)
    expect(await tokens.remove(scope, person, id)).toBeNull();
  const email = `${personId}@example.com`;
  expect(await organizations.namesOfPeople(tenant.scope, [token])).toEqual(new Map([[personId, email]]));
  expect(await organizations.namesOfPeople(stranger.scope, [token])).toEqual(new Map());
  expect(await tokens.remove(tenant.scope, personId, token.id)).toMatchObject({ id: token.id });
  expect(await organizations.authenticate(token.hash)).toBeNull();
});
