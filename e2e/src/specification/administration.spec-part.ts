import {
  apiKeySchema,
  apiKeyWithSecretSchema,
  auditEventSchema,
  datasourceSchema,
  healthReportSchema,
  modelsSchema,
  modelTestSchema,
  monthlyUsageSchema,
  erasureReportSchema,
  organizationSchema,
  organizationWithKeySchema,
  usageReportSchema,
  usageShareSchema,
} from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ApiClient } from '../client/api-client.js';
import { Tenant, until } from '../client/tenant.js';
import { leftoversOf, query } from './leftovers.js';
import { tablesWithRowsOf } from './tenant-rows.js';
import { INVALID_NAMES, assertEachRefused } from './field-checks.js';
import { LIMITS, type SpecificationPart, WITH_MODEL } from './describe-specification.js';

const keySchema = apiKeyWithSecretSchema.strict();
const usage = usageReportSchema.strict();

export const administration: SpecificationPart = (fixture) => {
  describe('organizations', () => {
    it('are created, listed and deleted with the admin key; deletion removes all their data', async () => {
      const { admin, deployment } = fixture();
      await assertEachRefused(admin, 'POST', '/organizations', {}, { name: [undefined, ...INVALID_NAMES] });
      const made = (await admin.post('/organizations', { name: 'Short-lived' })).as(
        organizationWithKeySchema.strict(),
      );
      expect(made.key).toMatch(/^cw_[0-9A-Za-z]{24,}$/);
      const { key, ...organization } = made;
      expect((await admin.get(`/organizations/${made.id}`)).as(organizationSchema.strict())).toEqual(
        organization,
      );
      const [newest] = (await admin.get('/organizations')).as(z.array(organizationSchema.strict()));
      expect(newest).toEqual(organization);
      const tenant = new Tenant(admin.with(key), made.id);
      const { id: datastoreId } = await tenant.datastore();
      const source = await tenant.text(datastoreId, 'Here today.');
      const agent = await tenant.agent({ datastoreIds: [datastoreId] });
      await tenant.ask(agent.id, 'Here when?');
      expect((await admin.delete(`/organizations/${made.id}`)).as(organizationSchema.strict())).toEqual(
        organization,
      );
      const erasure = async () =>
        (await admin.get(`/organizations/${made.id}/erasure`)).as(erasureReportSchema.strict());
      const { found, ...begun } = await erasure();
      expect(found).toEqual({
        datastores: 1,
        datasources: 1,
        chunks: 1,
        blobs: expect.any(Number),
        agents: 1,
        conversations: 1,
        messages: 2,
        evaluations: 0,
        people: 0,
        apiKeys: 1,
        webhooks: 0,
      });
      expect(found.blobs).toBeGreaterThan(0);
      // Its vectors and files are purged in the background.
      expect(begun).toMatchObject({
        complete: false,
        completedAt: null,
        left: { datasources: 1, apiKeys: 0 },
      });
      (await tenant.api.get('/agents')).assertError('UNAUTHORIZED');
      (await admin.get(`/organizations/${made.id}`)).assertError('NOT_FOUND');
      (await admin.delete(`/organizations/${made.id}`)).assertError('NOT_FOUND');
      (await admin.get('/organizations/x')).assertError('NOT_FOUND');
      await until(async () => (await erasure()).complete, 'the deletion to be complete');
      // What the report says is true at this moment.
      expect(await leftoversOf(deployment, source.id)).toEqual([]);
      const ended = await erasure();
      expect(ended).toMatchObject({ found, completedAt: expect.any(String) });
      expect(new Set(Object.values(ended.left))).toEqual(new Set([0]));
      (await admin.get(`/organizations/${tenant.organizationId}x/erasure`)).assertError('NOT_FOUND');
      (await tenant.api.get(`/organizations/${made.id}/erasure`)).assertError('UNAUTHORIZED');
      await until(
        async () => (await tablesWithRowsOf(deployment, made.id)).length === 0,
        'all rows of the organization to be deleted',
      );
    });
  });

  describe('keys', () => {
    it('are shown once, listed without their secret, and stop working when deleted', async () => {
      const { alice } = fixture();
      const future = new Date(Date.now() + 3_600_000).toISOString();
      const made = (
        await alice.api.post('/api-keys', { name: 'CI', scopes: ['read'], expiresAt: future })
      ).as(keySchema);
      expect(made.key).toMatch(/^cw_[0-9A-Za-z]{24,}$/);
      expect(made.key.startsWith(made.prefix)).toBe(true);
      expect(made.prefix.length).toBeLessThan(12);
      expect([made.scopes, made.expiresAt]).toEqual([['read'], future]);
      const listed = await alice.api.get('/api-keys?limit=100');
      const known = listed.as(z.array(apiKeySchema.strict())).find(({ id }) => id === made.id);
      const { key: _, ...shown } = made;
      expect(known).toEqual(shown);
      expect(listed.text).not.toContain(made.key);
      const client = alice.api.with(made.key);
      (await client.get('/agents')).assertOk();
      (await alice.api.delete(`/api-keys/${made.id}`)).as(apiKeySchema.strict());
      (await client.get('/agents')).assertError('UNAUTHORIZED');
      (await alice.api.delete(`/api-keys/${made.id}`)).assertError('NOT_FOUND');
    });

    it('refuse invalid fields, and expire', async () => {
      const { alice } = fixture();
      await assertEachRefused(
        alice.api,
        'POST',
        '/api-keys',
        { name: 'K', scopes: ['read'] },
        {
          name: [undefined, ...INVALID_NAMES],
          scopes: [[], ['root'], 'read', undefined, null, [1]],
          expiresAt: ['tomorrow', '2027-01-01', '2020-01-01T00:00:00Z', 1, []],
        },
      );
      const soon = new Date(Date.now() + 300).toISOString();
      const { key } = (
        await alice.api.post('/api-keys', { name: 'K', scopes: ['read'], expiresAt: soon })
      ).as(keySchema);
      const client = alice.api.with(key);
      await until(async () => (await client.get('/agents')).status === 403, 'the key to expire');
      (await client.get('/agents')).assertError('UNAUTHORIZED');
    });
  });

  describe('models', () => {
    it('are shown without keys and addresses, and tested with one call', async () => {
      const { alice, first, model } = fixture();
      const shown = await alice.api.get('/models');
      expect(shown.as(modelsSchema.strict())).toEqual({
        chat: [{ name: 'test-chat', provider: 'openai', modelNames: [WITH_MODEL] }],
        embedding: { name: 'builtin', provider: 'builtin', dimensions: expect.any(Number) },
        rerank: null,
      });
      const test = async (body: Record<string, unknown>) =>
        (await first.post('/models/test', body)).as(modelTestSchema.strict());
      const chat = { kind: 'chat', modelName: WITH_MODEL };
      expect(await test(chat)).toMatchObject({ ok: true, message: 'The model answered.' });
      model.next({ kind: 'error', status: 401 });
      expect(await test(chat)).toMatchObject({
        ok: false,
        message: expect.stringContaining(
          'The model provider rejected the key (status 401). Check OPENAI_API_KEY.',
        ),
      });
      // The health report tells the failure of a model until a call succeeds.
      expect(await test(chat)).toMatchObject({ ok: true });
      expect(await test({ kind: 'chat' })).toMatchObject({ ok: false, durationMs: 0 });
      expect(await test({ kind: 'embedding' })).toMatchObject({ ok: true });
      expect(await test({ kind: 'rerank' })).toMatchObject({ ok: false, durationMs: 0 });
    });

    it('of the server are tested by the first organization alone, whose usage and audit log have the test', async () => {
      const { alice, first, model } = fixture();
      const bodies = [{ kind: 'chat', modelName: WITH_MODEL }, { kind: 'embedding' }, { kind: 'rerank' }];
      const sent = model.requests.length;
      for (const body of bodies) (await alice.api.post('/models/test', body)).assertError('FORBIDDEN');
      expect(model.requests).toHaveLength(sent);
      const questions = async (of: ApiClient): Promise<number> => {
        const shares = (await of.get('/usage/breakdown?by=agent')).as(z.array(usageShareSchema.strict()));
        return shares.find(({ id }) => id === null)?.questions ?? 0;
      };
      const events = async (of: ApiClient): Promise<unknown[]> => {
        const read = (await of.get('/audit-events?action=model')).as(z.array(auditEventSchema.strict()));
        return read.slice(0, 2).map(({ action, outcome, details }) => [action, outcome, details]);
      };
      const before = await questions(first);
      for (const body of bodies.slice(0, 2)) (await first.post('/models/test', body)).assertOk();
      expect([await questions(first), await questions(alice.api)]).toEqual([before + 2, 0]);
      expect(await events(first)).toEqual([
        ['model.tested', 'ok', { kind: 'embedding', modelName: expect.any(String) }],
        ['model.tested', 'ok', { kind: 'chat', modelName: WITH_MODEL }],
      ]);
      expect(await events(alice.api)).toEqual([
        ['model.tested', 'refused', {}],
        ['model.tested', 'refused', {}],
      ]);
    });
  });

  describe('the health report', () => {
    it('shows problems of the own organization only', async () => {
      const { alice, bob, deployment } = fixture();
      const report = async (tenant: Tenant) =>
        (await tenant.api.get('/health-report')).as(healthReportSchema.strict());
      const setCount = (change: string) =>
        query(
          deployment,
          `UPDATE organizations SET stored_characters = stored_characters ${change} WHERE id = $1`,
          [alice.organizationId],
        );
      await setCount('+ 1');
      const { dependencies, problems } = await report(alice);
      await setCount('- 1');
      expect(Object.values(dependencies).every((state) => state === 'ok')).toBe(true);
      expect(problems).toEqual([
        {
          problem: 'organizations with a wrong count of stored characters',
          count: 1,
          ids: [alice.organizationId],
        },
      ]);
      expect((await report(bob)).problems).toEqual([]);
    });
  });

  describe('usage', () => {
    it('is counted from zero, and has no limits by default', async () => {
      const tenant = await Tenant.create(fixture().deployment);
      const report = async () => (await tenant.api.get('/usage')).as(usage);
      expect(await report()).toEqual({
        month: new Date().toISOString().slice(0, 7),
        agentQueries: { used: 0, limit: null },
        storedCharacters: { used: 0, limit: null },
      });
      const { id: datastoreId } = await tenant.datastore();
      const { id } = await tenant.text(datastoreId, 'x'.repeat(100));
      const agent = await tenant.agent();
      await tenant.ask(agent.id, 'Hello?');
      const { agentQueries, storedCharacters } = await report();
      expect([agentQueries.used, storedCharacters.used]).toEqual([1, 100]);
      (await tenant.api.delete(`/datasources/${id}`)).assertOk();
      expect((await report()).storedCharacters.used).toBe(0);
    });

    it('is kept by month, with the tokens of answers', async () => {
      const tenant = await Tenant.create(fixture().deployment);
      const agent = await tenant.agent({ modelName: WITH_MODEL });
      const answers = [await tenant.ask(agent.id, 'One?'), await tenant.ask(agent.id, 'Two?')];
      const tokens = (kind: 'inputTokens' | 'outputTokens'): number =>
        answers.reduce((sum, answer) => sum + (answer.usage?.[kind] ?? 0), 0);
      expect(tokens('inputTokens')).toBeGreaterThan(0);
      const history = (await tenant.api.get('/usage/history')).as(z.array(monthlyUsageSchema.strict()));
      expect(history).toEqual([
        {
          month: new Date().toISOString().slice(0, 7),
          agentQueries: 2,
          inputTokens: tokens('inputTokens'),
          outputTokens: tokens('outputTokens'),
          storedCharacters: 0,
        },
      ]);
      for (const months of ['0', '61', 'x'])
        (await tenant.api.get(`/usage/history?months=${months}`)).assertError('INVALID_REQUEST');
    });

    it('over the query limit answers 402 before a stream opens; a failed model call is not charged', async () => {
      const { first, model } = fixture();
      const tenant = new Tenant(first, '');
      const used = async () => (await first.get('/usage')).as(usage).agentQueries;
      const agent = await tenant.agent({ modelName: WITH_MODEL });
      model.next({ kind: 'error', status: 500 }, { kind: 'error', status: 500 });
      const path = `/agents/${agent.id}/query`;
      (await first.post(path, { query: 'Hello?' })).assertError('UPSTREAM_UNAVAILABLE');
      const failed = await first.post(path, { query: 'Hello?', streaming: true });
      expect(failed.text).toMatch(/data: \[ERROR\] UPSTREAM_UNAVAILABLE: /);
      (await first.post(path, { query: '' })).assertError('INVALID_REQUEST');
      expect(await used()).toEqual({ used: 0, limit: LIMITS.agentQueries });
      // Concurrent requests must not exceed the limit either.
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => first.post(path, { query: 'Hello?' })),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, 200, 200, 402, 402, 402, 402, 402]);
      (await first.post(path, { query: 'Hello?' })).assertError('USAGE_LIMIT');
      const stream = await first.post(path, { query: 'Hello?', streaming: true });
      stream.assertError('USAGE_LIMIT');
      expect(await used()).toEqual({ used: 3, limit: LIMITS.agentQueries });
    });

    it('over the stored-characters limit is usage_limit_reached until something is deleted', async () => {
      const { first } = fixture();
      const tenant = new Tenant(first, '');
      const { id: datastoreId } = await tenant.datastore();
      const kept = await tenant.text(datastoreId, 'kept '.repeat(800));
      const body = { type: 'text', datastoreId, text: 'more '.repeat(400) };
      const created = (await first.post('/datasources', body)).as(datasourceSchema);
      const refused = await tenant.waitUntilFinished(created.id);
      expect([refused.status, refused.error?.code]).toEqual(['usage_limit_reached', 'USAGE_LIMIT']);
      const found = await tenant.search(datastoreId, 'more');
      expect(found.map((passage) => passage.datasource_id)).not.toContain(created.id);
      const { storedCharacters } = (await first.get('/usage')).as(usage);
      expect(storedCharacters.limit).toBe(LIMITS.storedCharacters);
      expect(storedCharacters.used).toBeLessThanOrEqual(LIMITS.storedCharacters);
      expect(storedCharacters.used).toBeGreaterThan(3_000);
      (await first.delete(`/datasources/${kept.id}`)).assertOk();
      await first.post(`/datasources/${created.id}/sync`);
      await tenant.waitUntilSynched(created.id);
    });
  });
};
