import { apiKeyWithSecretSchema, datasourceBatchSchema, datasourceSchema } from '@citewell/contracts/schemas';
import { Citewell } from '@citewell/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

const PER_MINUTE = 30;
/** More than the small files of the test, which count 64 kB each. */
const UPLOAD_BYTES = (PER_MINUTE + 10) * 64 * 1024;

const MAX_PENDING = 200;
const MAX_SOURCES = 2;

describe('limits of a deployment', () => {
  let deployment: Deployment;
  let tenant: Tenant;

  beforeAll(async () => {
    deployment = await startEmbedded({
      RATE_LIMIT_PER_MINUTE: String(PER_MINUTE),
      UPLOAD_BYTES_PER_MINUTE: String(UPLOAD_BYTES),
      MAX_PENDING_DATASOURCES: String(MAX_PENDING),
      MAX_SOURCES: String(MAX_SOURCES),
      VISITOR_RATE_LIMIT_PER_MINUTE: '2',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    tenant = await Tenant.create(deployment);
  });
  afterAll(() => deployment.stop());

  it('answer 429 with Retry-After when a key exceeds its rate, on every path', async () => {
    const created = await tenant.api.post('/api-keys', { name: 'busy', scopes: ['read'] });
    const busy = tenant.api.with(created.as(apiKeyWithSecretSchema).key);
    const responses = [];
    for (let index = 0; index < PER_MINUTE + 5; index += 1) responses.push(await busy.get('/agents'));
    const [first] = responses;
    const last = responses.at(-1);
    first?.assertOk();
    last?.assertError('RATE_LIMIT');
    const seconds = Number(last?.header('retry-after'));
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60 / PER_MINUTE + 1).toBe(true);
    const allowed = responses.filter(({ status }) => status === 200).length;
    expect(allowed).toBeGreaterThanOrEqual(PER_MINUTE);
    expect(allowed).toBeLessThanOrEqual(PER_MINUTE + 3);
    (await busy.get('/nothing')).assertError('RATE_LIMIT');
    // Other keys of the organization have their own rate, and health has none.
    (await tenant.api.get('/agents')).assertOk();
    expect((await fetch(`${deployment.origin}/health/ready`)).status).toBe(200);
  });

  it('count files and batches by their bytes, and files not as requests', async () => {
    const other = await Tenant.create(deployment);
    const { id: datastoreId } = await other.datastore();
    const upload = (bytes: number) =>
      other.api.upload([
        ['datastoreId', datastoreId],
        ['file', new Blob(['x'.repeat(bytes)]), 'a.txt'],
      ]);
    const responses = [];
    for (let index = 0; index < PER_MINUTE + 5; index += 1) responses.push(await upload(10));
    for (const response of responses) response.assertOk();
    // May overdraw the budget; what follows waits. The length is not known before, because it is sent in chunks.
    await new Citewell({ baseUrl: other.api.baseUrl, apiKey: other.api.key ?? undefined }).datasources.upload(
      {
        datastoreId,
        file: new Blob(['x'.repeat(UPLOAD_BYTES)]).stream(),
        fileName: 'large.txt',
      },
    );
    // Another key of the organization has the same limit.
    const key = await other.api.post('/api-keys', { name: 'second', scopes: ['write'] });
    const second = other.api.with(key.as(apiKeyWithSecretSchema).key);
    const items = [{ type: 'text', text: 'x' }];
    (await second.post('/datasources/batch', { datastoreId, items })).assertError('RATE_LIMIT');
    const refused = await upload(10);
    expect(refused.assertError('RATE_LIMIT').message).toMatch(/bytes/);
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(1);
    (await other.api.post('/datasources/batch', { datastoreId, items })).assertError('RATE_LIMIT');
    // Other requests are not affected.
    (await other.api.post('/datasources', { datastoreId, ...items[0] })).assertOk();
  });

  it('refuse more datasources while too many wait, and lose none', async () => {
    const busy = await Tenant.create(deployment);
    const { id: datastoreId } = await busy.datastore();
    const items = Array.from({ length: 1_000 }, (_, n) => ({ type: 'text', text: `text ${n}` }));
    (await busy.api.post('/datasources/batch', { datastoreId, items })).assertOk();
    const one = { datastoreId, type: 'text', text: 'one more' };
    const refused = await busy.api.post('/datasources', one);
    expect(refused.assertError('RATE_LIMIT').message).toMatch(/wait/);
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(0);
    // Questions, deletions and other organizations are not affected.
    (await busy.api.get(`/datastores/${datastoreId}`)).assertOk();
    (await (await Tenant.create(deployment)).api.post('/datastores', { name: 'x' })).assertOk();
    // The client repeats a request with a key.
    const sdk = new Citewell({ baseUrl: busy.api.baseUrl, apiKey: busy.api.key ?? undefined });
    const { id } = await sdk.datasources.create(
      { ...one, type: 'text' },
      { idempotencyKey: 'one-more', maxRetries: 30 },
    );
    await sdk.datasources.waitUntilSynched(id);
    const isDone = async () => {
      const { statuses } = await sdk.datastores.progress(datastoreId);
      return statuses.synched === items.length + 1;
    };
    await until(isDone, 'all accepted texts to be synched');
  });

  it('refuse one source too many, also in a batch, and let existing ones be replaced', async () => {
    const other = await Tenant.create(deployment);
    const { id: datastoreId } = await other.datastore();
    const source = (custom_id: string) => ({
      type: 'source',
      custom_id,
      upsert: true,
      config: { kind: 'feed', url: `http://127.0.0.1:9/${custom_id}`, schedule: '' },
    });
    const connect = (custom_id: string) =>
      other.api.post('/datasources', { datastoreId, ...source(custom_id) });
    const first = (await connect('a')).as(datasourceSchema);
    (await connect('b')).assertOk();
    (await connect('c')).assertError('USAGE_LIMIT');
    expect((await connect('a')).as(datasourceSchema).id).toBe(first.id);
    (await other.api.delete(`/datasources/${first.id}`)).assertOk();
    const batch = await other.api.post('/datasources/batch', { datastoreId, items: ['c', 'd'].map(source) });
    expect(batch.as(datasourceBatchSchema).items).toMatchObject([
      { id: expect.any(String) },
      { error: 'USAGE_LIMIT' },
    ]);
  });

  it('answer 429 to the address that exceeds its rate with a publishable key, and not to others', async () => {
    const { id: agentId } = await tenant.agent({ visibility: 'public' });
    const origin = 'https://shop.example';
    const created = await tenant.api.post('/api-keys', {
      name: 'shop',
      scopes: ['publishable'],
      agentId,
      allowedOrigins: [origin],
    });
    const visitor = tenant.api.with(created.as(apiKeyWithSecretSchema).key);
    // The proxy appends the address that it sees, after what the client has sent.
    const from = async (address: string): Promise<number> => {
      const headers = { origin, 'x-forwarded-for': `192.0.2.99, ${address}` };
      return (await visitor.call('GET', `/agents/${agentId}/profile`, { headers })).status;
    };
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'])
      statuses.push(await from(address));
    statuses.push(await from('2001:db8::3'));
    expect(statuses).toEqual([200, 200, 429, 200, 200, 200, 429]);
    // Scripts of any page can set this header, which the proxy may pass on.
    const evil = { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' };
    const headers = { ...evil, 'x-forwarded-for': '192.0.2.3' };
    (await visitor.call('GET', `/agents/${agentId}/profile`, { headers })).assertError('FORBIDDEN');
  });

  it('block fetches from private networks', async () => {
    const other = await Tenant.create(deployment);
    const { id: datastoreId } = await other.datastore();
    const config = { source_url: `${deployment.origin}/metrics` };
    const created = await other.api.post('/datasources', { type: 'web_page', datastoreId, config });
    const { id } = created.as(datasourceSchema);
    // One request, which ends with the run: the requests per minute are few here.
    await other.api.get(`/datasources/${id}/events`);
    const page = await other.datasource(id);
    expect([page.status, page.error?.code]).toEqual(['error', 'ADDRESS_BLOCKED']);
  });
});
