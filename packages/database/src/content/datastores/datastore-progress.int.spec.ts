import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestTenant } from '../../fixtures/tenant.fixtures.js';
import { TestServer } from '../../fixtures/test-server.fixtures.js';
import { DatastoreRepository, type ProgressCounts } from './datastore.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
beforeAll(async () => {
  dataSource = await server.database();
});
afterAll(() => server.close());
beforeEach(async () => {
  tenant = await TestTenant.create(dataSource);
});

const progress = (scope = tenant.scope): Promise<ProgressCounts> =>
  new DatastoreRepository(dataSource).progress(scope, tenant.datastoreId);
const synchedAgo = (id: string, interval: string): Promise<unknown> =>
  dataSource.query(`UPDATE datasources SET last_synch = now() - $2::interval WHERE id = $1`, [id, interval]);

describe('the progress of a datastore', () => {
  it('counts datasources by status, and those that were synched in the last five minutes', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await tenant.datasource()).datasource.id);
    const [recent = '', earlier = '', old = '', deleted = ''] = ids;
    for (const id of [recent, earlier, old]) {
      await tenant.serve(id);
      await dataSource.query(`UPDATE runs SET state = 'pending' WHERE state = 'queued'`);
    }
    await synchedAgo(recent, '10 seconds');
    await synchedAgo(earlier, '200 seconds');
    await synchedAgo(old, '301 seconds');
    await tenant.datasources.markDeleted(tenant.scope, deleted);
    // An old one is synched again: its last sync was before.
    await tenant.datasources.sync(tenant.scope, old);
    const counted = await progress();
    expect(counted).toMatchObject({ counts: { synched: 2, unsynched: 2 }, recent: 2 });
    expect(Math.round(counted.recentSeconds / 10)).toBe(20);
  });

  it('is empty for a datastore without datasources, and for another organization', async () => {
    const empty = { counts: {}, recent: 0, recentSeconds: 0 };
    expect(await progress()).toEqual(empty);
    await tenant.datasource();
    expect(await progress((await TestTenant.create(dataSource)).scope)).toEqual(empty);
  });
});
