import { IngestionError } from '@citewell/contracts/errors';
import { WEBHOOK_EVENTS, type WebhookEvent } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { done, refuse } from '../connection/result.js';
import { TestSite } from '../fixtures/site.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { OrganizationRepository } from '../tenancy/organization.repository.js';
import { UsageRepository } from '../tenancy/usage.repository.js';
import { WebhookRepository } from './webhook.repository.js';

interface Recorded {
  type: string;
  data: Record<string, unknown>;
}

describe('events', () => {
  const server = new TestServer();
  let dataSource: DataSource;
  let tenant: TestTenant;
  beforeAll(async () => {
    dataSource = await server.database();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    tenant = await TestTenant.create(dataSource, { limitStoredCharacters: 1_000 });
  });

  async function endpoint(events: readonly WebhookEvent[] = WEBHOOK_EVENTS, owner = tenant): Promise<string> {
    const id = newId();
    const webhook = { id, url: 'https://example.com/', events: [...events], sealedSecret: 'sealed' };
    await new WebhookRepository(dataSource).create(owner.scope, webhook, 100);
    return id;
  }
  const recorded = async (webhookId: string): Promise<Recorded[]> =>
    dataSource.query('SELECT type, data FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id', [
      webhookId,
    ]);
  const typesOf = async (webhookId: string): Promise<string[]> =>
    (await recorded(webhookId)).map(({ type }) => type);

  it('are recorded once for each change of a status, for each endpoint that asks for them', async () => {
    const all = await endpoint();
    const failures = await endpoint(['datasource.error']);
    const foreign = await endpoint(WEBHOOK_EVENTS, await TestTenant.create(dataSource));
    const { datasource } = await tenant.datasource({ customId: 'mine' });
    const data = {
      datasourceId: datasource.id,
      datastoreId: tenant.datastoreId,
      customId: 'mine',
      type: 'text',
    };
    await tenant.serve(datasource.id);
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await tenant.lifecycle.fail(
      (await tenant.untilSwitch(datasource.id)).run,
      new IngestionError('CORRUPT_FILE'),
    );
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await tenant.lifecycle.keepServing((await tenant.untilSwitch(datasource.id)).run);
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await tenant.lifecycle.fail(
      (await tenant.untilSwitch(datasource.id)).run,
      new IngestionError('USAGE_LIMIT'),
    );
    const failed = {
      type: 'datasource.error',
      data: { ...data, status: 'error', errorCode: 'CORRUPT_FILE' },
    };
    const synched = { type: 'datasource.synched', data: { ...data, status: 'synched', errorCode: null } };
    const status = 'usage_limit_reached';
    expect(await recorded(all)).toEqual([
      synched,
      failed,
      synched,
      { type: `datasource.${status}`, data: { ...data, status, errorCode: 'USAGE_LIMIT' } },
    ]);
    expect(await recorded(failures)).toEqual([failed]);
    expect(await recorded(foreign)).toEqual([]);
  });

  it('are those of committed changes', async () => {
    const id = await endpoint();
    const { datasource } = await tenant.datasource();
    const { run } = await tenant.untilSwitch(datasource.id, 2_000);
    // The switch is rolled back: the organization may not store that much.
    await expect(
      tenant.lifecycle.serve(run, { chunks: 1, characters: 2_000, bytes: 1, pages: 0 }),
    ).rejects.toThrow(IngestionError);
    expect(await recorded(id)).toEqual([]);
  });

  it('are none for a reindex, for a repeated attempt and for a deleted datasource', async () => {
    const id = await endpoint();
    const { datasource } = await tenant.datasource();
    await tenant.serve(datasource.id);
    await tenant.datasources.reindexOutdated('another', 'indexing', 10);
    const reindex = await tenant.take(datasource.id, 'indexing');
    await tenant.lifecycle.serve(reindex.run, { chunks: 1, characters: 100, bytes: 1, pages: 0 });
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await tenant.lifecycle.fail((await tenant.take(datasource.id)).run, new IngestionError('FETCH_FAILED'));
    await tenant.datasources.markDeleted(tenant.scope, datasource.id);
    expect(await typesOf(id)).toEqual(['datasource.synched']);
  });

  it('say that an update was cancelled and the earlier content answers', async () => {
    const id = await endpoint();
    const { datasource } = await tenant.datasource();
    await tenant.lifecycle.cancel(tenant.scope, datasource.id);
    expect(await recorded(id)).toEqual([]);
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await tenant.serve(datasource.id);
    await tenant.datasources.sync(tenant.scope, datasource.id);
    await tenant.lifecycle.cancel(tenant.scope, datasource.id);
    expect((await recorded(id)).map(({ data }) => data['errorCode'])).toEqual([null, 'CANCELLED']);
  });

  it('of a web site are those of the site, not of its pages', async () => {
    const id = await endpoint();
    const site = await TestSite.begin(tenant);
    const page = await site.page();
    await site.waitForPages();
    await site.serve(page);
    expect(await recorded(id)).toEqual([]);
    await site.runs.finishWaitingGroups();
    expect(await recorded(id)).toMatchObject([{ data: { datasourceId: site.id, type: 'web_site' } }]);
  });

  it('are not recorded for a disabled endpoint', async () => {
    const id = await endpoint();
    await new WebhookRepository(dataSource).update(tenant.scope, id, { enabled: false });
    await tenant.serve((await tenant.datasource()).datasource.id);
    expect(await recorded(id)).toEqual([]);
  });

  it('tell once in a month that a limit of agent queries is reached', async () => {
    for (const limit of [1, 3]) {
      const owner = await TestTenant.create(dataSource, { limitAgentQueries: limit });
      const id = await endpoint(WEBHOOK_EVENTS, owner);
      const usage = new UsageRepository(dataSource);
      const month = (await usage.report(owner.scope)).month;
      for (let query = 1; query <= limit; query += 1) {
        expect(await recorded(id)).toEqual([]);
        expect(await usage.reserveAgentQuery(owner.scope)).toEqual(done());
      }
      const reached = { type: 'usage.limit_reached', data: { kind: 'agentQueries', month, limit } };
      expect(await recorded(id)).toEqual([reached]);
      expect(await usage.reserveAgentQuery(owner.scope)).toEqual(refuse('limit-reached'));
      // A failed answer is not counted, and the next one is the last one again.
      await usage.refundAgentQuery(owner.scope);
      expect(await usage.reserveAgentQuery(owner.scope)).toEqual(done());
      expect(await recorded(id)).toEqual([reached]);
      const limits = { limitAgentQueries: limit + 1, limitStoredCharacters: null };
      await new OrganizationRepository(dataSource).setLimits(owner.organizationId, limits);
      expect(await usage.reserveAgentQuery(owner.scope)).toEqual(done());
      expect(await recorded(id)).toEqual([
        reached,
        { ...reached, data: { ...reached.data, limit: limit + 1 } },
      ]);
    }
  });

  it('are removed with the endpoint, and with the organization', async () => {
    const [first, second] = [await endpoint(), await endpoint()];
    await tenant.serve((await tenant.datasource()).datasource.id);
    await new WebhookRepository(dataSource).remove(tenant.scope, first);
    expect([await recorded(first), (await recorded(second)).length]).toEqual([[], 1]);
    const organizations = new OrganizationRepository(dataSource);
    await organizations.markDeleted(tenant.organizationId);
    const [row] = await dataSource.query<object[]>('SELECT * FROM webhooks WHERE id = $1', [second]);
    expect(row).toMatchObject({ sealed_secret: '', disabled_reason: 'request' });
    while (await organizations.removeDeleted());
    expect(await dataSource.query('SELECT 1 FROM webhooks WHERE id = $1', [second])).toEqual([]);
    expect(await recorded(second)).toEqual([]);
  });
});
