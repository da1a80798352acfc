import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AgentRepository } from '../answering/agent.repository.js';
import { ConversationRepository } from '../answering/conversation.repository.js';
import { newId } from '../connection/new-id.js';
import { BlobRepository, contentBlobKey } from '../content/blobs/blob.repository.js';
import { DatastoreRepository } from '../content/datastores/datastore.repository.js';
import { DatastoreReaderRepository } from '../content/readers/datastore-reader.repository.js';
import { groupOf } from '../fixtures/group-calls.fixtures.js';
import { signedInPerson } from '../fixtures/person-calls.fixtures.js';
import { valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { IdempotencyRepository } from '../http/idempotency.repository.js';
import { PersonRepository } from '../identity/people/person.repository.js';
import { PurgeRepository } from '../ingestion/purging/purge.repository.js';
import { ModelSettingRepository } from '../models/model-setting.repository.js';
import { PurgeEntity } from '../schema/ingestion.entities.js';
import { ErasureRepository } from './erasure.repository.js';
import { OrganizationRepository } from './organization.repository.js';
import { UsageRepository } from './usage.repository.js';

const KEY = { name: 'k', prefix: 'cw_', scopes: ['read'] };

const server = new TestServer();
afterAll(() => server.close());

describe('a deleted organization', () => {
  let dataSource: DataSource;
  let organizations: OrganizationRepository;
  beforeAll(async () => {
    dataSource = await server.database();
    organizations = new OrganizationRepository(dataSource);
  });

  /** An organization with rows in every table of tenants. */
  async function tenantWithRows(turns = 1): Promise<TestTenant> {
    const tenant = await TestTenant.create(dataSource);
    const { scope } = tenant;
    const { datasource } = await tenant.datasource();
    await tenant.serve(datasource.id);
    await tenant.datasources.sync(scope, datasource.id);
    const { agent } = await new AgentRepository(dataSource).create(scope, { name: 'agent' }, [
      tenant.datastoreId,
    ]);
    for (let turn = 0; turn < turns; turn += 1) {
      await new ConversationRepository(dataSource).append(
        scope,
        { agentId: agent.id, externalId: `thread ${turn}`, visitorId: 'visitor' },
        {
          question: { id: newId(), text: 'q' },
          answer: { id: newId(), text: 'a', sources: [], abstained: false },
        },
      );
    }
    await new IdempotencyRepository(dataSource).begin(scope, { route: 'POST /agents', key: 'key', id: 'i' });
    await new UsageRepository(dataSource).reserveAgentQuery(scope);
    const setting = { name: 'openai:m', baseUrl: null, sealedKey: 'sealed' };
    await new ModelSettingRepository(dataSource).storeOwn(scope, 'chat', setting);
    const { person } = await signedInPerson(tenant);
    const group = await groupOf(tenant, person);
    const chosen = { everyone: false, people: [person], groups: [group] };
    await new DatastoreReaderRepository(dataSource).replace(scope, tenant.datastoreId, chosen);
    return tenant;
  }

  /** Tables of the schema that have rows of the organization. */
  async function tablesWith(organizationId: string): Promise<string[]> {
    const tables = await dataSource.query<{ name: string; owner: string }[]>(
      `SELECT table_name AS name, column_name AS owner FROM information_schema.columns
        WHERE table_schema = 'public'
          AND (column_name = 'organization_id' OR (table_name = 'organizations' AND column_name = 'id')) ORDER BY 1`,
    );
    const found: string[] = [];
    for (const { name, owner } of tables) {
      const rows = await dataSource.query<unknown[]>(`SELECT 1 FROM ${name} WHERE ${owner} = $1 LIMIT 1`, [
        organizationId,
      ]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  /** Carries out purges as the purger does, without points and bytes. */
  async function purgeAll({ organizationId }: TestTenant): Promise<void> {
    const purges = new PurgeRepository(dataSource);
    const rows = dataSource.getRepository(PurgeEntity);
    for (let round = 0; round < 5; round += 1) {
      for (const purge of await rows.findBy({ organizationId })) {
        if (purge.kind === 'datastore') await purges.fanOutDatastore(purge.organizationId, purge);
        if (purge.kind !== 'datasource') continue;
        await new BlobRepository(dataSource).forget(await purges.blobsOf(organizationId, [purge.targetId]));
        await purges.removeDatasources({ ...purge, purges: [purge] });
      }
    }
  }

  async function removeAll(batch?: number): Promise<number> {
    let rounds = 1;
    while (await organizations.removeDeleted(batch === undefined ? {} : { batch })) {
      rounds += 1;
      expect(rounds).toBeLessThan(50);
    }
    return rounds;
  }

  it('leaves no row in any table, and all rows of others', async () => {
    const tenant = await tenantWithRows();
    const other = await tenantWithRows();
    const owned = await tablesWith(tenant.organizationId);
    expect(owned.length).toBeGreaterThanOrEqual(11);
    const others = await tablesWith(other.organizationId);
    await organizations.markDeleted(tenant.organizationId);
    expect(await tablesWith(tenant.organizationId)).not.toContain('model_settings');
    await removeAll();
    // Messages do not wait for the purge.
    expect(await tablesWith(tenant.organizationId)).not.toContain('messages');
    // Its own row is removed after the datastores.
    expect(await tablesWith(tenant.organizationId)).toContain('organizations');
    await purgeAll(tenant);
    await removeAll();
    expect(await tablesWith(tenant.organizationId)).toEqual([]);
    expect(await tablesWith(other.organizationId)).toEqual(others);
  });

  it('has a report, which is complete when nothing is left', async () => {
    const tenant = await tenantWithRows(3);
    const { organizationId } = tenant;
    const erasures = new ErasureRepository(dataSource);
    const report = async () => {
      await erasures.recordCompleted();
      return erasures.find(organizationId);
    };
    expect(await report()).toBeNull();
    await new PersonRepository(dataSource).firstOwner(organizationId);
    await organizations.markDeleted(organizationId);
    const found = {
      datastores: 1,
      datasources: 1,
      chunks: 1,
      agents: 1,
      conversations: 3,
      messages: 6,
      people: 1,
      apiKeys: 1,
    };
    expect(await report()).toMatchObject({
      completedAt: null,
      found,
      left: { ...found, people: 0, apiKeys: 0 },
    });
    await removeAll();
    expect(await report()).toMatchObject({
      completedAt: null,
      left: { datasources: 1, chunks: 1, agents: 0, messages: 0 },
    });
    await purgeAll(tenant);
    // Bytes of an upload that was in progress. Garbage collection removes them.
    const key = contentBlobKey(organizationId, newId(), newId());
    const blob = { key, organizationId, datasourceId: newId(), runId: null };
    await new BlobRepository(dataSource).announce([blob]);
    await removeAll();
    expect(await tablesWith(organizationId)).toEqual(['blobs']);
    expect(await report()).toMatchObject({ completedAt: null, left: { datasources: 0, blobs: 1 } });
    await new BlobRepository(dataSource).forget([key]);
    const ended = await report();
    expect(ended).toMatchObject({ completedAt: expect.any(Date), found });
    expect(Object.values(ended?.left ?? {}).every((count) => count === 0)).toBe(true);
    expect(await erasures.find('unknown')).toBeNull();
  });

  it('is removed at once without datastores, in batches of rows', async () => {
    const tenant = await tenantWithRows(7);
    await new DatastoreRepository(dataSource).markDeleted(tenant.scope, tenant.datastoreId);
    await purgeAll(tenant);
    await organizations.markDeleted(tenant.organizationId);
    expect(await removeAll(3)).toBeGreaterThan(5);
    expect(await tablesWith(tenant.organizationId)).toEqual([]);
  });

  it('is removed with datastores that were created during the deletion', async () => {
    const tenant = await tenantWithRows();
    await organizations.markDeleted(tenant.organizationId);
    const late = valueOf(await new DatastoreRepository(dataSource).create(tenant.scope, { name: 'late' }));
    await removeAll();
    expect(await new DatastoreRepository(dataSource).find(tenant.scope, late.id)).toBeNull();
    await purgeAll(tenant);
    await removeAll();
    expect(await tablesWith(tenant.organizationId)).toEqual([]);
    await expect(
      new DatastoreRepository(dataSource).create(tenant.scope, { name: 'too late' }),
    ).rejects.toThrow();
  });

  it('is removed by one process at a time, which others do not wait for', async () => {
    const tenant = await tenantWithRows(4);
    await organizations.markDeleted(tenant.organizationId);
    await purgeAll(tenant);
    await Promise.all([removeAll(2), removeAll(2), removeAll(2)]);
    expect(await tablesWith(tenant.organizationId)).toEqual([]);
  });
});

describe('the organization of the first start', () => {
  it('is created once by several processes', async () => {
    const dataSource = await server.database();
    const organizations = new OrganizationRepository(dataSource);
    const created = await Promise.all(
      ['a', 'b', 'c'].map((hash) => organizations.createFirst({ name: 'default' }, { ...KEY, hash })),
    );
    expect(created.toSorted()).toEqual([false, false, true]);
    expect(await organizations.list({ limit: 10 })).toHaveLength(1);
    const valid = await Promise.all(['a', 'b', 'c'].map((hash) => organizations.authenticate(hash)));
    // One key is valid.
    expect(valid.filter((key) => key !== null)).toHaveLength(1);
  });

  it('is not replaced by another after its deletion', async () => {
    const dataSource = await server.database();
    const organizations = new OrganizationRepository(dataSource);
    await organizations.createFirst({ name: 'default' }, { ...KEY, hash: 'first' });
    await organizations.create({ name: 'second' }, { ...KEY, hash: 'second' });
    const first = await organizations.first();
    assert.ok(first?.name === 'default');
    await organizations.markDeleted(first.id);
    expect(await organizations.first()).toBeNull();
    await organizations.removeDeleted();
    expect(await organizations.first()).toBeNull();
    expect(await organizations.createFirst({ name: 'next' }, { ...KEY, hash: 'next' })).toBe(true);
    expect((await organizations.first())?.name).toBe('next');
  });
});
