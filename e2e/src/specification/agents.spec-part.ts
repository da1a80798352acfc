import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentSchema } from '@citewell/contracts/http';
import {
  acceptsEach,
  BROKEN_BODIES,
  NO_NAMES,
  NO_STRINGS,
  refusesEach,
  UNKNOWN_ID,
  UNSTORABLE,
} from './field-checks.js';
import type { Part } from './play.js';

const strict = agentSchema.strict();

const BAD_FIELDS = {
  name: NO_NAMES,
  description: ['x'.repeat(4_097), ...UNSTORABLE, ...NO_STRINGS],
  modelName: ['gpt_5', 'GPT_4', '', ...NO_STRINGS],
  temperature: [-0.01, 1.01, '0.5', null, [], true],
  visibility: ['secret', '', ...NO_STRINGS],
  systemPrompt: ['x'.repeat(32_769), ...UNSTORABLE, ...NO_STRINGS],
  userPrompt: ['x'.repeat(32_769), ...NO_STRINGS],
  promptType: ['cooked', ...NO_STRINGS],
  promptTemplate: ['x'.repeat(32_769), ...NO_STRINGS],
  datastoreIds: ['x', [1], [''], [null], null, {}, Array.from({ length: 101 }, () => 'x')],
  restrictToSources: ['true', 1, null, []],
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
};

export const agents: Part = (play) => {
  describe('agents', () => {
    it('are created with a name alone', async () => {
      const { alice } = play();
      const agent = await alice.agent({ name: 'Plain' });
      const { id, timestamps, ...fields } = agent;
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      assert.match(timestamps.createdAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.equal(timestamps.updatedAt, timestamps.createdAt);
      assert.deepEqual(fields, {
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
      });
    });

    it('refuse each bad field by its name, at creation and at update', async () => {
      const { alice } = play();
      const { id } = await alice.agent();
      await refusesEach(alice.api, 'POST', '/agents', { name: 'A' }, BAD_FIELDS);
      await refusesEach(alice.api, 'POST', '/agents', {}, { name: [undefined] });
      await refusesEach(alice.api, 'PATCH', `/agents/${id}`, {}, BAD_FIELDS);
      for (const body of BROKEN_BODIES) {
        const options = { body, headers: { 'content-type': 'application/json' } };
        (await alice.api.call('POST', '/agents', options)).refusedWith('INVALID_REQUEST');
      }
      const poisoned = {
        body: '{"name":"A","__proto__":{"x":1}}',
        headers: { 'content-type': 'application/json' },
      };
      (await alice.api.call('POST', '/agents', poisoned)).refusedWith('INVALID_REQUEST');
    });

    it('take each good field, at creation and at update, and ignore what they do not know', async () => {
      const { alice } = play();
      const { id } = await alice.agent();
      const extras = { channel: 'website', attachments: [], truncateQuery: true, id: UNKNOWN_ID };
      for (const [method, path] of [
        ['POST', '/agents'],
        ['PATCH', `/agents/${id}`],
      ] as const) {
        await acceptsEach(
          alice.api,
          method,
          path,
          { name: 'A', ...extras },
          GOOD_FIELDS,
          (answer, field, value) => {
            const agent = answer.as(strict);
            assert.notEqual(agent.id, UNKNOWN_ID);
            const got = Object.entries(agent).find(([name]) => name === field)?.[1];
            assert.deepEqual(got, field === 'name' ? String(value).trim() : value);
          },
        );
      }
    });

    it('change what is given and keep what is not', async () => {
      const { alice } = play();
      const store = await alice.datastore();
      const created = await alice.agent({ name: 'Before', temperature: 0.5, datastoreIds: [store.id] });
      const path = `/agents/${created.id}`;
      const untouched = (await alice.api.patch(path, {})).as(strict);
      assert.deepEqual(untouched, created);
      const renamed = (await alice.api.patch(path, { name: 'After' })).as(strict);
      assert.deepEqual({ ...renamed, timestamps: created.timestamps }, { ...created, name: 'After' });
      assert.deepEqual((await alice.api.get(path)).as(strict), renamed);
      const cold = (await alice.api.patch(path, { temperature: 0, datastoreIds: [] })).as(strict);
      assert.equal(cold.temperature, 0);
      assert.deepEqual(cold.datastoreIds, []);
      (await alice.api.patch(path, { temperature: 2 })).refusedWith('INVALID_REQUEST', 'temperature');
      assert.deepEqual((await alice.api.get(path)).as(strict), cold);
    });

    it('name datastores once, and only those that are there', async () => {
      const { alice } = play();
      const store = await alice.datastore();
      const agent = await alice.agent({ datastoreIds: [store.id, store.id] });
      assert.deepEqual(agent.datastoreIds, [store.id]);
      (await alice.api.post('/agents', { name: 'A', datastoreIds: [UNKNOWN_ID] })).refusedWith('NOT_FOUND');
      (await alice.api.delete(`/datastores/${store.id}`)).succeeded();
      const left = (await alice.api.get(`/agents/${agent.id}`)).as(strict);
      assert.deepEqual(left.datastoreIds, []);
      (await alice.api.patch(`/agents/${agent.id}`, { datastoreIds: [store.id] })).refusedWith('NOT_FOUND');
    });

    it('are gone once deleted, and that answer is the agent', async () => {
      const { alice } = play();
      const agent = await alice.agent({ name: 'Doomed' });
      const path = `/agents/${agent.id}`;
      const asked = await alice.ask(agent.id, 'Anything?');
      assert.deepEqual((await alice.api.delete(path)).as(strict), agent);
      (await alice.api.delete(path)).refusedWith('NOT_FOUND');
      (await alice.api.get(path)).refusedWith('NOT_FOUND');
      (await alice.api.patch(path, { name: 'x' })).refusedWith('NOT_FOUND');
      (await alice.api.post(`${path}/query`, { query: 'x' })).refusedWith('NOT_FOUND');
      (await alice.api.get(`/conversations/${asked.conversationId}`)).refusedWith('NOT_FOUND');
    });

    it('take a DELETE that says it has a JSON body and has none', async () => {
      const { alice } = play();
      const agent = await alice.agent();
      const answer = await alice.api.call('DELETE', `/agents/${agent.id}`, {
        headers: { 'content-type': 'application/json' },
      });
      assert.equal(answer.as(strict).id, agent.id);
    });
  });
};
