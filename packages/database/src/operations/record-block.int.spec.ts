import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { ownModelAccount, ProviderPauseRepository } from '../models/provider-pause.repository.js';
import { recordBlock } from './record-block.js';

describe('a block of an event loop', () => {
  const server = new TestServer();
  let url: string;
  let dataSource: DataSource;
  beforeAll(async () => {
    dataSource = await server.database();
    url = String('url' in dataSource.options ? dataSource.options.url : '');
  });
  afterAll(() => server.close());

  it('is stored, and two by the same run end the run, and no other', async () => {
    const tenant = await TestTenant.create(dataSource);
    const { datasource: first } = await tenant.datasource();
    const { run: innocent } = await tenant.take(first.id);
    const { datasource: blamed } = await tenant.datasource();
    for (const expected of ['pending', 'ended']) {
      const { run } = await tenant.take(blamed.id);
      await recordBlock(url, { app: 'worker-parser', stack: ['parse a.js:1:2'], context: { runId: run.id } });
      // The lease has ended, so that nobody waits for the process that is gone.
      expect(await tenant.dispatch.expiredLeases(10)).toEqual([run.id]);
      expect(await tenant.lifecycle.endExpiredLease(run.id)).toBe(expected);
    }
    expect(await tenant.lifecycle.endExpiredLease(innocent.id)).toBe('alive');
    expect(await tenant.workers.recentBlocks()).toEqual([{ app: 'worker-parser', blocks: 2 }]);
  });

  it('pauses the own model of an organization, and is stored without a run', async () => {
    const pauses = new ProviderPauseRepository(dataSource);
    const { organizationId } = await TestTenant.create(dataSource);
    const context = { requestId: 'r1', ownModelOf: organizationId };
    await recordBlock(url, { app: 'api', stack: [], context });
    await recordBlock(url, { app: 'api', stack: [], context: {} });
    const minutes = (await pauses.remaining(ownModelAccount(organizationId))) / 60_000;
    expect([Math.ceil(minutes), await pauses.remaining(ownModelAccount('another'))]).toEqual([10, 0]);
  });
});
