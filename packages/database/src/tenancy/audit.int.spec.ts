import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { PersonRepository } from '../identity/people/person.repository.js';
import { AccountRepository } from '../identity/sign-in/account.repository.js';
import { AuditRepository, type NewAuditEvent } from './audit.repository.js';
import { OrganizationRepository } from './organization.repository.js';

const EVENT: NewAuditEvent = {
  actorKind: 'key',
  actorId: null,
  action: 'library.deleted',
  targetKind: 'library',
  targetId: 'l',
  targetName: 'Manuals',
  address: '192.0.2.1',
  userAgent: 'curl',
  outcome: 'ok',
  details: {},
};

describe('AuditRepository', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let events: AuditRepository;
  let owner: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    events = new AuditRepository(dataSource);
  });
  beforeEach(async () => {
    owner = await TestTenant.create(dataSource);
  });
  afterAll(() => server.close());

  const record = (fields: Partial<NewAuditEvent> = {}) => events.record(owner.scope, { ...EVENT, ...fields });
  const list = (filter = {}, page = { limit: 10 }) => events.list(owner.scope, page, filter);

  it('keeps events in the order in which they were recorded, and pages through them', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((targetId) => record({ targetId })));
    const names = [];
    let cursor: string | undefined;
    for (let page = await list({}, { limit: 2 }); page.length > 0;) {
      names.push(...page.map(({ targetId }) => targetId));
      cursor = page.at(-1)?.id;
      page = await events.list(owner.scope, { limit: 2, cursor }, {});
    }
    expect(names).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('names the actor as it was then', async () => {
    const people = new PersonRepository(dataSource);
    const { id } = await people.firstOwner(owner.organizationId);
    const link = { linkHash: newId(), linkExpiresAt: new Date() };
    const email = `${newId()}@example.com`;
    const ada = valueOf(await people.invite(owner.scope, { email, role: 'member', ...link }));
    const [key] = await new OrganizationRepository(dataSource).keys(owner.scope, { limit: 1 });
    await record({ actorId: ada.id });
    await record({ actorId: key?.id ?? '' });
    // Without name and e-mail.
    await record({ actorId: id });
    await people.remove(owner.scope, ada.id);
    await record({ actorId: ada.id, targetId: ada.id, targetName: 'oneself' });
    const names = (await list()).map(({ actorName }) => actorName);
    expect(names).toEqual(['oneself', null, 'key', ada.email]);
  });

  it('keeps the names of targets and of ids in the details as they were', async () => {
    const library = owner.datastoreId;
    const foreign = (await TestTenant.create(dataSource)).datastoreId;
    const details = { datastoreIds: [library, foreign, newId()], previous: { datastoreId: foreign } };
    await record({ action: 'library.changed', targetId: library, targetName: null });
    await record({ targetId: foreign, targetName: null, details });
    await dataSource.query(`UPDATE datastores SET name = 'Later' WHERE id = $1`, [library]);
    const [second, first] = await list();
    expect(first).toMatchObject({ targetName: 'datastore', details: {} });
    expect(second).toMatchObject({ targetName: null, details: { names: { [library]: 'datastore' } } });
  });

  it('reads what a change is about in its own organization only', async () => {
    const library = owner.datastoreId;
    const stranger = await TestTenant.create(dataSource);
    expect(await events.storedValues(owner.scope, 'library', library)).toMatchObject({ name: 'datastore' });
    expect(await events.storedValues(stranger.scope, 'library', library)).toBeNull();
    expect(await events.storedValues(owner.scope, 'library', 'unknown')).toBeNull();
    expect(await events.storedValues(owner.scope, 'session', library)).toBeNull();
  });

  it.each([
    [{ actor: 'KEY' }, 1],
    [{ actor: '%' }, 0],
    [{ action: 'library' }, 2],
    [{ action: 'library.deleted' }, 2],
    [{ action: 'lib' }, 0],
    [{ target: 'l' }, 2],
    [{ target: 'manual' }, 2],
    [{ outcome: 'refused' }, 1],
    [{ from: '2000-01-01T00:00:00Z', to: '2000-01-02T00:00:00Z' }, 0],
    [{ from: '2000-01-01T00:00:00+02:00', to: '2999-01-01T00:00:00Z' }, 3],
  ])('filters by %j', async (filter, expected) => {
    const [key] = await new OrganizationRepository(dataSource).keys(owner.scope, { limit: 1 });
    await record({ actorId: key?.id ?? '' });
    await record({ outcome: 'refused' });
    await record({ action: 'agent.deleted', targetId: 'x', targetName: null });
    expect(await list(filter)).toHaveLength(expected);
  });

  it('is of one organization', async () => {
    await record();
    const stranger = await TestTenant.create(dataSource);
    const [event] = await list();
    expect(await events.list(stranger.scope, { limit: 10 }, {})).toEqual([]);
    expect(await events.list(stranger.scope, { limit: 10, cursor: event?.id }, {})).toEqual([]);
    await events.setRetentionDays(stranger.scope, 30);
    expect(await events.retentionDays(owner.scope)).toBe(365);
  });

  it('refuses to change an event', async () => {
    await record();
    await expect(dataSource.query(`UPDATE audit_events SET outcome = 'ok'`)).rejects.toThrow('never change');
  });

  it('removes only events that are older than the retention', async () => {
    const old = (days: number) =>
      dataSource.query(
        `INSERT INTO audit_events (id, organization_id, at, actor_kind, action, outcome)
         VALUES ($1, $2, now() - make_interval(days => $3), 'key', $4, 'ok')`,
        [newId(), owner.organizationId, days, `d.${days}`],
      );
    for (const days of [29, 31, 364, 366]) await old(days);
    expect(await events.removeExpired(10)).toBe(1);
    await events.setRetentionDays(owner.scope, 30);
    expect(await events.removeExpired(1)).toBe(1);
    expect(await events.removeExpired(10)).toBe(1);
    expect((await list()).map(({ action }) => action)).toEqual(['d.29']);
  });

  it('goes with its organization, and takes no event of one that is deleted', async () => {
    await record();
    const organizations = new OrganizationRepository(dataSource);
    await organizations.markDeleted(owner.organizationId);
    await record({ action: 'organization.deleted' });
    expect(await list()).toHaveLength(1);
    await organizations.removeDeleted();
    expect(await list()).toEqual([]);
  });

  it('knows the people of an account', async () => {
    const email = `${newId()}@example.com`;
    const link = { linkHash: newId(), linkExpiresAt: new Date(Date.now() + 60_000) };
    const people = new PersonRepository(dataSource);
    const invited = valueOf(await people.invite(owner.scope, { email, role: 'member', ...link }));
    expect(await events.accounts(email)).toEqual([]);
    await new AccountRepository(dataSource).redeemLink(link.linkHash, {
      passwordHash: 'hash',
      name: 'Grace',
    });
    const { organizationId } = owner;
    expect(await events.accounts(email)).toEqual([{ organizationId, personId: invited.id, name: 'Grace' }]);
    expect(await events.accounts('nobody@example.com')).toEqual([]);
  });

  it('tells nobody else of an e-mail whose account has verified it', async () => {
    const email = `${newId()}@example.com`;
    const join = async (address: string): Promise<string> => {
      const linkHash = newId();
      const linkExpiresAt = new Date(Date.now() + 60_000);
      const person = { email: address, role: 'member' as const, linkHash, linkExpiresAt };
      const { id } = valueOf(await new PersonRepository(dataSource).invite(owner.scope, person));
      await new AccountRepository(dataSource).redeemLink(linkHash, { passwordHash: 'hash', name: 'N' });
      return id;
    };
    const [victim, attacker] = [await join(`other-${email}`), await join(`own-${email}`)];
    const emailOfAccount = (id: string, verified: string | null) =>
      dataSource.query(
        `UPDATE accounts SET email = $2 WHERE id = (SELECT account_id FROM people WHERE id = $1)`,
        [id, verified],
      );
    await dataSource.query(`UPDATE people SET email = $2 WHERE id = $1`, [attacker, email]);
    await emailOfAccount(attacker, null);
    expect((await events.accounts(email)).map(({ personId }) => personId)).toEqual([attacker]);
    await emailOfAccount(victim, email);
    expect((await events.accounts(email)).map(({ personId }) => personId)).toEqual([victim]);
  });
});
