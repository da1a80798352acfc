import { agentSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import {
  assertEachAccepted,
  BROKEN_BODIES,
  INVALID_NAMES,
  NON_STRINGS,
  assertEachRefused,
  UNKNOWN_ID,
  UNSTORABLE,
} from './field-checks.js';
import type { SpecificationPart } from './describe-specification.js';

const strict = agentSchema.strict();

const BAD_FIELDS = {
  name: INVALID_NAMES,
  description: ['x'.repeat(4_097), ...UNSTORABLE, ...NON_STRINGS],
  modelName: ['gpt_5', 'GPT_4', '', ...NON_STRINGS],
  temperature: [-0.01, 1.01, '0.5', null, [], true],
  visibility: ['secret', '', ...NON_STRINGS],
  systemPrompt: ['x'.repeat(32_769), ...UNSTORABLE, ...NON_STRINGS],
  userPrompt: ['x'.repeat(32_769), '{context}{query}'.repeat(6), ...NON_STRINGS],
  promptType: ['cooked', ...NON_STRINGS],
  promptTemplate: ['x'.repeat(32_769), ...NON_STRINGS],
  datastoreIds: ['x', [1], [''], [null], null, {}, Array.from({ length: 101 }, () => 'x')],
  restrictToSources: ['true', 1, null, []],
  topK: [0, 101, 1.5, '5', null, []],
  minScore: [-0.01, 1.01, '0.5', null, []],
  onUnsupported: ['', 'hide', null, 1],
  retentionDays: [0, -1, 1.5, 36_501, '30', true, []],
};

const GOOD_FIELDS = {
  name: ['x', 'x'.repeat(255), '名前 🦊', '  trimmed  '],
  description: ['', 'x'.repeat(4_096)],
  modelName: ['gpt_3_5_turbo', 'gpt_3_5_turbo_16k', 'gpt_4', 'gpt_4_32k'],
  temperature: [0, 0.37, 1],
  visibility: ['public', 'private'],
  systemPrompt: ['', 'x'.repeat(32_768), 'line\nline\r\n{query} $& %s'],
  userPrompt: ['', '{query}', 'x'.repeat(32_768)],
  promptType: ['raw', 'customer_support', ''],
  promptTemplate: ['', 'x'],
  datastoreIds: [[]],
  restrictToSources: [true, false],
  topK: [1, 100],
  minScore: [0, 0.73, 1],
  onUnsupported: ['quote', 'mark'],
  retentionDays: [1, 36_500, null],
};

export const agents: SpecificationPart = (fixture) => {
  describe('agents', () => {
    it('are created with only a name', async () => {
      const { alice } = fixture();
      const agent = (await alice.api.post('/agents', { name: 'Plain' })).as(strict);
      const { id, timestamps, ...fields } = agent;
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(timestamps.createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(timestamps.updatedAt).toBe(timestamps.createdAt);
      expect(fields).toEqual({
        name: 'Plain',
        description: '',
        modelName: 'gpt_3_5_turbo',
        temperature: 0,
        visibility: 'private',
        systemPrompt: '',
        userPrompt: '',
        promptType: '',
        promptTemplate: '',
        datastoreIds: [],
        restrictToSources: true,
        topK: 12,
        minScore: 0.5,
        onUnsupported: 'mark',
        retentionDays: null,
        allDatastores: false,
      });
    });

    it('refuse each invalid field by name, at creation and at update', async () => {
      const { alice } = fixture();
      const { id } = await alice.agent();
      await assertEachRefused(alice.api, 'POST', '/agents', { name: 'A' }, BAD_FIELDS);
      await assertEachRefused(alice.api, 'POST', '/agents', {}, { name: [undefined] });
      await assertEachRefused(alice.api, 'PATCH', `/agents/${id}`, {}, BAD_FIELDS);
      for (const body of BROKEN_BODIES) {
        const options = { body, headers: { 'content-type': 'application/json' } };
        (await alice.api.call('POST', '/agents', options)).assertError('INVALID_REQUEST');
      }
      const poisoned = {
        body: '{"name":"A","__proto__":{"x":1}}',
        headers: { 'content-type': 'application/json' },
      };
      (await alice.api.call('POST', '/agents', poisoned)).assertError('INVALID_REQUEST');
    });

    it('accept each valid field, at creation and at update, and ignore unknown fields of an update', async () => {
      const { alice } = fixture();
      const { id } = await alice.agent();
      const extras = { channel: 'website', attachments: [], truncateQuery: true, id: UNKNOWN_ID };
      for (const [method, path, base] of [
        ['POST', '/agents', { name: 'A' }],
        ['PATCH', `/agents/${id}`, extras],
      ] as const) {
        await assertEachAccepted(alice.api, method, path, base, GOOD_FIELDS, (response, field, value) => {
          const agent = response.as(strict);
          expect(agent.id).not.toBe(UNKNOWN_ID);
          const stored = Object.entries(agent).find(([name]) => name === field)?.[1];
          expect(stored).toEqual(field === 'name' ? String(value).trim() : value);
        });
      }
    });

    it('change the given fields and keep the others', async () => {
      const { alice } = fixture();
      const store = await alice.datastore();
      const created = await alice.agent({ name: 'Before', temperature: 0.5, datastoreIds: [store.id] });
      const path = `/agents/${created.id}`;
      const untouched = (await alice.api.patch(path, {})).as(strict);
      expect(untouched).toEqual(created);
      const renamed = (await alice.api.patch(path, { name: 'After' })).as(strict);
      expect({ ...renamed, timestamps: created.timestamps }).toEqual({ ...created, name: 'After' });
      expect((await alice.api.get(path)).as(strict)).toEqual(renamed);
      const cold = (await alice.api.patch(path, { temperature: 0, datastoreIds: [] })).as(strict);
      expect(cold.temperature).toBe(0);
      expect(cold.datastoreIds).toEqual([]);
      (await alice.api.patch(path, { temperature: 2 })).assertError('INVALID_REQUEST', 'temperature');
      expect((await alice.api.get(path)).as(strict)).toEqual(cold);
    });

    it('list each datastore once, and only existing ones', async () => {
      const { alice } = fixture();
      const store = await alice.datastore();
      const agent = await alice.agent({ datastoreIds: [store.id, store.id] });
      expect(agent.datastoreIds).toEqual([store.id]);
      (await alice.api.post('/agents', { name: 'A', datastoreIds: [UNKNOWN_ID] })).assertError('NOT_FOUND');
      (await alice.api.delete(`/datastores/${store.id}`)).assertOk();
      const left = (await alice.api.get(`/agents/${agent.id}`)).as(strict);
      expect(left.datastoreIds).toEqual([]);
      (await alice.api.patch(`/agents/${agent.id}`, { datastoreIds: [store.id] })).assertError('NOT_FOUND');
    });

    it('are gone once deleted; the response of the deletion is the agent', async () => {
      const { alice } = fixture();
      const agent = await alice.agent({ name: 'Doomed' });
      const path = `/agents/${agent.id}`;
      const asked = await alice.ask(agent.id, 'Anything?');
      expect((await alice.api.delete(path)).as(strict)).toEqual(agent);
      (await alice.api.delete(path)).assertError('NOT_FOUND');
      (await alice.api.get(path)).assertError('NOT_FOUND');
      (await alice.api.patch(path, { name: 'x' })).assertError('NOT_FOUND');
      (await alice.api.post(`${path}/query`, { query: 'x' })).assertError('NOT_FOUND');
      (await alice.api.get(`/conversations/${asked.conversationId}`)).assertError('NOT_FOUND');
    });

    it('accept a DELETE with a JSON content type and no body', async () => {
      const { alice } = fixture();
      const agent = await alice.agent();
      const response = await alice.api.call('DELETE', `/agents/${agent.id}`, {
        headers: { 'content-type': 'application/json' },
      });
      expect(response.as(strict).id).toBe(agent.id);
    });
  });
};
