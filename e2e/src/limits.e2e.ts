import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { apiKeyWithSecretSchema, datasourceSchema } from '@citewell/contracts/http';
import { Tenant } from './client/tenant.js';
import type { Deployment } from './deployments/deployment.js';
import { startEmbedded } from './deployments/embedded.deployment.js';

const PER_MINUTE = 30;

describe('a deployment with few rights', () => {
  let deployment: Deployment;
  let tenant: Tenant;

  before(async () => {
    deployment = await startEmbedded({ RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) });
    tenant = await Tenant.create(deployment);
  });
  after(() => deployment.stop());

  it('answers 429 with Retry-After when a key asks too often, whatever it asks', async () => {
    const made = await tenant.api.post('/api-keys', { name: 'busy', scopes: ['read'] });
    const busy = tenant.api.with(made.as(apiKeyWithSecretSchema).key);
    const answers = [];
    for (let index = 0; index < PER_MINUTE + 5; index += 1) answers.push(await busy.get('/agents'));
    const [first] = answers;
    const last = answers.at(-1);
    first?.succeeded();
    last?.refusedWith('RATE_LIMIT');
    const seconds = Number(last?.header('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60 / PER_MINUTE + 1);
    const allowed = answers.filter(({ status }) => status === 200).length;
    assert.ok(allowed >= PER_MINUTE && allowed <= PER_MINUTE + 3, `${allowed} were let through`);
    (await busy.get('/nothing')).refusedWith('RATE_LIMIT');
    // Another key of the same organization has its own minute, and health is nobody's.
    (await tenant.api.get('/agents')).succeeded();
    assert.equal((await fetch(`${deployment.origin}/health/ready`)).status, 200);
  });

  it('fetches nothing from private networks', async () => {
    const other = await Tenant.create(deployment);
    const { id: datastoreId } = await other.datastore();
    const config = { source_url: `${deployment.origin}/metrics` };
    const created = await other.api.post('/datasources', { type: 'web_page', datastoreId, config });
    const page = await other.settled(created.as(datasourceSchema).id);
    assert.deepEqual([page.status, page.error?.code], ['error', 'ADDRESS_BLOCKED']);
  });
});
