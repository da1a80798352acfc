import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { Tenant, until } from './client/tenant.js';
import type { Deployment } from './deployments/deployment.js';
import { startScaled } from './deployments/scaled.deployment.js';

const readinessSchema = z.strictObject({
  ready: z.literal(false),
  checks: z.record(z.string(), z.string()),
});

// Only a server of our own may be stopped.
describe('without the vector store', { skip: process.env.QDRANT_URL !== undefined }, () => {
  let deployment: Deployment;
  let tenant: Tenant;

  before(async () => {
    deployment = await startScaled({ LEASE_SECONDS: '3' });
    tenant = await Tenant.create(deployment);
  });
  after(() => deployment.stop());

  it('queries are 503, readiness names it, everything else goes on', async () => {
    const store = await tenant.datastore();
    await tenant.text(store.id, 'Buoys are counted in May.');
    await deployment.processes.qdrant?.stop();
    const readiness = await until(async () => {
      const response = await fetch(`${deployment.origin}/health/ready`);
      return response.status === 503 ? response.json() : null;
    }, 'readiness to notice');
    const { checks } = readinessSchema.parse(readiness);
    assert.match(checks.vectors ?? '', /^(cannot be reached|does not answer)$/);
    for (const name of ['database', 'schema', 'queue', 'blobs']) assert.equal(checks[name], 'ok', name);
    const refused = await tenant.api.post(`/datastores/${store.id}/query`, { query: 'buoys' });
    refused.refusedWith('UPSTREAM_UNAVAILABLE');
    assert.ok(Number(refused.header('retry-after')) >= 1);
    const agent = await tenant.agent({ datastoreIds: [store.id] });
    const path = `/agents/${agent.id}/query`;
    (await tenant.api.post(path, { query: 'When are buoys counted?' })).refusedWith('UPSTREAM_UNAVAILABLE');
    const stream = await tenant.api.post(path, { query: 'When are buoys counted?', streaming: true });
    assert.match(stream.text, /^data: \[ERROR\] UPSTREAM_UNAVAILABLE: .+\n\n$/);
    assert.equal(JSON.parse((await tenant.api.get('/usage')).text).agentQueries.used, 0);
    assert.equal((await fetch(`${deployment.origin}/health/live`)).status, 200);
    assert.equal((await tenant.api.get('/datasources')).status, 200);
  });
});
