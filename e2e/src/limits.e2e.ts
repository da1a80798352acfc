import { apiKeyWithSecretSchema, datasourceSchema } from '@citewell/contracts/http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from './client/tenant.js';
import type { Deployment } from './deployments/deployment.js';
import { startEmbedded } from './deployments/embedded.deployment.js';

const PER_MINUTE = 30;

describe('limits of a deployment', () => {
  let deployment: Deployment;
  let tenant: Tenant;

  beforeAll(async () => {
    deployment = await startEmbedded({ RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) });
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

  it('block fetches from private networks', async () => {
    const other = await Tenant.create(deployment);
    const { id: datastoreId } = await other.datastore();
    const config = { source_url: `${deployment.origin}/metrics` };
    const created = await other.api.post('/datasources', { type: 'web_page', datastoreId, config });
    const page = await other.waitUntilFinished(created.as(datasourceSchema).id);
    expect([page.status, page.error?.code]).toEqual(['error', 'ADDRESS_BLOCKED']);
  });
});
