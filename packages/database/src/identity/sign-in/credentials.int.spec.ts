import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { signedInPerson } from '../../fixtures/person-calls.fixtures.js';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { ApiKeyEntity, PersonEntity } from '../../schema/identity.entities.js';
import { OrganizationRepository } from '../../tenancy/organization.repository.js';
import { PersonRepository } from '../people/person.repository.js';
import { ScimRepository } from '../scim/scim.repository.js';
import { AccountRepository } from './account.repository.js';
import { Revocations } from './credentials.js';
import { SessionRepository } from './session.repository.js';
import { TokenRepository } from './token.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let revocations: Revocations;
beforeAll(async () => {
  dataSource = await server.database();
  revocations = new Revocations(dataSource);
});
afterAll(() => server.close());

const EXPIRES_AT = new Date(Date.now() + 60_000);
const SECRET = { prefix: 'cw_', hash: 'x' };

interface Given {
  tenant: TestTenant;
  /** Signed in, and not the last owner. */
  person: string;
  session: string;
  linkHash: string;
}

async function given(): Promise<Given> {
  const tenant = await TestTenant.create(dataSource);
  const { person, session } = await signedInPerson(tenant);
  const linkHash = newId();
  const fields = { email: `${linkHash}@example.com`, linkHash, linkExpiresAt: EXPIRES_AT };
  await dataSource.manager.update(PersonEntity, { id: person }, fields);
  const other = { id: newId(), organizationId: tenant.organizationId, signedInAt: new Date() };
  await dataSource.manager.insert(PersonEntity, { ...other, role: 'owner' });
  return { tenant, person, session, linkHash };
}

describe('the count of revocations', () => {
  it.each<[string, (own: Given) => Promise<unknown>]>([
    [
      'a role',
      ({ tenant, person }) => new PersonRepository(dataSource).changeRole(tenant.scope, person, 'member'),
    ],
    ['a person', ({ tenant, person }) => new PersonRepository(dataSource).remove(tenant.scope, person)],
    [
      'a person of a provider',
      ({ tenant, person }) =>
        new ScimRepository(dataSource).updateUser(tenant.scope, person, { isActive: false }),
    ],
    [
      'a session',
      ({ tenant, person, session }) =>
        new SessionRepository(dataSource).removeOfPerson(tenant.scope, person, session),
    ],
    [
      'the sessions of before a new password',
      ({ linkHash }) =>
        new AccountRepository(dataSource).redeemLink(linkHash, { passwordHash: 'x', name: null }),
    ],
    [
      'a key',
      async ({ tenant }) => {
        const [key] = await dataSource.manager.findBy(ApiKeyEntity, {
          organizationId: tenant.organizationId,
        });
        const organizations = new OrganizationRepository(dataSource);
        await organizations.addKey(tenant.scope, { name: 'k', ...SECRET, hash: newId(), scopes: ['admin'] });
        return organizations.removeKey(tenant.scope, key?.id ?? '');
      },
    ],
    [
      'a token',
      async ({ tenant, person }) => {
        const tokens = new TokenRepository(dataSource);
        const token = { name: 't', ...SECRET, hash: newId(), scopes: ['read'], expiresAt: EXPIRES_AT };
        await tokens.create(tenant.scope, person, token, 1);
        const [created] = await tokens.list(tenant.scope, person);
        return tokens.remove(tenant.scope, person, created?.id ?? '');
      },
    ],
    [
      'an organization',
      ({ tenant }) => new OrganizationRepository(dataSource).markDeleted(tenant.organizationId),
    ],
  ])('has risen when a change of %s has returned', async (_, change) => {
    const own = await given();
    const before = revocations.count;
    await change(own);
    expect(revocations.count).toBeGreaterThan(before);
  });

  it('rises with the commit, and not with a transaction that is rolled back', async () => {
    const { person: id } = await given();
    const before = revocations.count;
    await dataSource.transaction(async (manager) => {
      await manager.update(PersonEntity, { id }, { role: 'member' });
      expect(revocations.count).toBe(before);
    });
    expect(revocations.count).toBe(before + 1);
    const rolledBack = dataSource.transaction(async (manager) => {
      await manager.delete(PersonEntity, { id });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(revocations.count).toBe(before + 1);
  });

  it('stays when nothing is taken away', async () => {
    const { tenant, person } = await given();
    const before = revocations.count;
    await new PersonRepository(dataSource).find(tenant.scope, person);
    await new OrganizationRepository(dataSource).addKey(tenant.scope, {
      name: 'k',
      ...SECRET,
      hash: newId(),
      scopes: ['read'],
    });
    expect(revocations.count).toBe(before);
  });
});
