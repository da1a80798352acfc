import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { TenantScope } from '../../connection/tenant-scope.js';
import { SPACE, TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { takeOutOfService } from '../../ingestion/runs/out-of-service.js';
import type { DocumentSentences } from '../../schema/content.entities.js';
import { DatastoreRepository } from '../datastores/datastore.repository.js';
import { DatastoreReaderRepository } from '../readers/datastore-reader.repository.js';
import { DocumentChangeRepository } from './document-change.repository.js';

const SENTENCES = { added: ['b'], removed: ['a'], addedCount: 1, removedCount: 1 };
const NONE = { added: [], removed: [], addedCount: 0, removedCount: 0 };

describe('the changes of documents', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let changes: DocumentChangeRepository;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
    changes = new DocumentChangeRepository(dataSource);
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    tenant = await TestTenant.create(dataSource);
  });

  /** Carries the unfinished run to its end. */
  async function serve(
    datasourceId: string,
    textHash: string,
    changed: DocumentSentences | null = null,
  ): Promise<void> {
    const parsing = await tenant.take(datasourceId);
    await tenant.lifecycle.advance(parsing.run, 'indexing', { characters: 1, textHash });
    const { run } = await tenant.take(datasourceId, 'indexing');
    await tenant.lifecycle.recordSpace(run, SPACE);
    await tenant.lifecycle.serve(run, { chunks: 1, characters: 1, bytes: 1, pages: 0 }, { changed });
  }

  async function added(name = 'text', textHash = 'a'): Promise<string> {
    const { datasource } = await tenant.datasource({ name });
    await serve(datasource.id, textHash);
    return datasource.id;
  }

  async function replaced(id: string, textHash: string, changed: DocumentSentences | null): Promise<void> {
    const content = { ...(await tenant.upload(id)), mimeType: 'text/plain' };
    await tenant.datasources.replaceContent(tenant.scope, id, content);
    await serve(id, textHash, changed);
  }

  const list = async (page = {}, scope = tenant.scope) =>
    changes.list(scope, tenant.datastoreId, { limit: 10, ...page });
  const kinds = async () => (await list()).map(({ kind, name }) => [kind, name]);

  it('are an addition, and a change with its sentences', async () => {
    const id = await added();
    await replaced(id, 'b', SENTENCES);
    const base = { id: expect.any(String), datasourceId: id, name: 'text', at: expect.any(Date) };
    expect(await list()).toEqual([
      { ...base, kind: 'changed', sentences: SENTENCES },
      { ...base, kind: 'added', sentences: null },
    ]);
  });

  it('are none while the text is the same, or its sentences are', async () => {
    const id = await added();
    await replaced(id, 'a', null);
    await replaced(id, 'b', NONE);
    expect(await kinds()).toEqual([['added', 'text']]);
    // The former text could not be read.
    await replaced(id, 'c', null);
    expect(await kinds()).toEqual([
      ['changed', 'text'],
      ['added', 'text'],
    ]);
  });

  it('are none of a reindex', async () => {
    const id = await added();
    await tenant.datasources.reindexOutdated('another', 'indexing', 1_000);
    const { run } = await tenant.take(id, 'indexing');
    await tenant.lifecycle.serve(run, { chunks: 1, characters: 1, bytes: 1, pages: 0 });
    expect(await kinds()).toEqual([['added', 'text']]);
  });

  it.each<[how: string, remove: (id: string) => Promise<unknown>]>([
    ['is deleted', (id) => tenant.datasources.markDeleted(tenant.scope, id)],
    [
      'is gone from the web',
      (id) => dataSource.transaction((manager) => takeOutOfService(manager, tenant.organizationId, id)),
    ],
  ])('are a removal, and none before it, when a document %s', async (_, remove) => {
    const id = await added();
    await replaced(id, 'b', SENTENCES);
    await added('other');
    await remove(id);
    // What was never served was not removed.
    await tenant.datasources.markDeleted(tenant.scope, (await tenant.datasource()).datasource.id);
    expect(await kinds()).toEqual([
      ['removed', 'text'],
      ['added', 'other'],
    ]);
  });

  it('are pages, newest first, and begin with an instant', async () => {
    await added('first');
    await added('second');
    await dataSource.query(
      `UPDATE document_changes SET created_at = now() - interval '2 days' WHERE name = 'first'`,
    );
    const [newest] = await list({ limit: 1 });
    expect(newest?.name).toBe('second');
    expect((await list({ cursor: newest?.id })).map(({ name }) => name)).toEqual(['first']);
    const since = new Date(Date.now() - 86_400_000);
    expect((await list({ since })).map(({ name }) => name)).toEqual(['second']);
  });

  it('are only for those who may read the datastore now', async () => {
    await added();
    const nobody = { everyone: false, people: [], groups: [] };
    const member = new TenantScope(tenant.organizationId, { personId: newId(), role: 'member' });
    const owner = new TenantScope(tenant.organizationId, { personId: newId(), role: 'owner' });
    expect(await list({}, member)).toHaveLength(1);
    await new DatastoreReaderRepository(dataSource).replace(tenant.scope, tenant.datastoreId, nobody);
    expect(await list({}, member)).toEqual([]);
    expect(await list({}, owner)).toHaveLength(1);
    expect(await list({}, (await TestTenant.create(dataSource)).scope)).toEqual([]);
  });

  it('go with the datastore, and none is added when its documents are purged', async () => {
    const id = await added();
    await new DatastoreRepository(dataSource).markDeleted(tenant.scope, tenant.datastoreId);
    expect(await list()).toEqual([]);
    await tenant.datasources.markDeleted(tenant.scope, id);
    await dataSource.query('DELETE FROM runs WHERE datasource_id = $1', [id]);
    await dataSource.query('DELETE FROM datasources WHERE id = $1', [id]);
    await dataSource.query('DELETE FROM datastores WHERE id = $1', [tenant.datastoreId]);
    const left: unknown = await dataSource.query(
      'SELECT 1 FROM document_changes WHERE organization_id = $1',
      [tenant.organizationId],
    );
    expect(left).toEqual([]);
  });

  it('are recent for seven days, if they are changes of a text', async () => {
    const recent = async (organizationId = tenant.organizationId) =>
      changes.recent(organizationId, [onlyAdded, changed]);
    const [onlyAdded, changed] = [await added('added'), await added('changed')];
    await replaced(changed, 'b', SENTENCES);
    expect(await recent()).toEqual(new Map([[changed, expect.any(Date)]]));
    expect(await recent((await TestTenant.create(dataSource)).organizationId)).toEqual(new Map());
    const age = (days: number) =>
      dataSource.query(`UPDATE document_changes SET created_at = now() - make_interval(days => $1)`, [days]);
    await age(6);
    expect([...(await recent()).keys()]).toEqual([changed]);
    await age(8);
    expect(await recent()).toEqual(new Map());
  });

  it('are kept for 90 days', async () => {
    for (const [name, days] of Object.entries({ kept: 89, old: 91, older: 200 })) {
      await added(name);
      await dataSource.query(
        `UPDATE document_changes SET created_at = now() - make_interval(days => $1) WHERE name = $2`,
        [days, name],
      );
    }
    expect(await changes.removeExpired(1)).toBe(1);
    expect(await changes.removeExpired(10)).toBe(1);
    expect(await kinds()).toEqual([['added', 'kept']]);
  });
});
