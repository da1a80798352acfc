import { datasourceTextSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import {
  assertEachAccepted,
  BROKEN_BODIES,
  NON_STRINGS,
  assertEachRefused,
  UNKNOWN_ID,
  UNSTORABLE,
} from './field-checks.js';
import { type SpecificationPart, WITH_MODEL } from './describe-specification.js';

const BAD_FIELDS = {
  query: ['', ' \n ', 'x'.repeat(8_193), ...UNSTORABLE, undefined, ...NON_STRINGS],
  conversationId: ['x'.repeat(256), ...UNSTORABLE, 1, true, [], {}],
  visitorId: ['x'.repeat(256), ...UNSTORABLE, 1, true, [], {}],
  temperature: [-0.1, 1.1, '1', true, []],
  streaming: ['true', 1, []],
  modelName: ['gpt_4_32k', 'gpt_5', '', 1, []],
  maxTokens: [0, -1, 1.5, '10', true],
  presencePenalty: [-2.1, 2.1, '0', []],
  frequencyPenalty: [-2.1, 2.1, '0', []],
  topP: [-0.1, 1.1, '0', []],
  topK: [0, 101, 1.5, '5', []],
  minScore: [-0.01, 1.01, '0.5', []],
  filters: ['x', [], 1, { custom_ids: 'x' }, { datasource_ids: [1] }, { custom_ids: ['\ud800'] }],
  systemPrompt: ['x'.repeat(32_769), '{context}'.repeat(11), ...UNSTORABLE, 1, []],
  userPrompt: ['x'.repeat(32_769), 1, []],
  promptType: ['cooked', 1],
  promptTemplate: ['x'.repeat(32_769), 1, []],
};

const GOOD_FIELDS = {
  query: ['x', 'x'.repeat(8_192), ' padded '],
  conversationId: ['', null, 'made up by me / 会話', 'x'.repeat(255)],
  visitorId: ['', null, 'visitor', 'x'.repeat(255)],
  temperature: [null, 0, 1],
  streaming: [null, false],
  modelName: [null, 'gpt_3_5_turbo', 'gpt_3_5_turbo_16k', 'gpt_4'],
  maxTokens: [null, 1, 1_000_000],
  presencePenalty: [null, -2, 2],
  frequencyPenalty: [null, -2, 2],
  topP: [null, 0, 1],
  topK: [null, 1, 100],
  minScore: [null, 0, 1],
  filters: [null, {}, { custom_ids: [], datasource_ids: null }],
  systemPrompt: [null, '', 'x'.repeat(32_768)],
  userPrompt: [null, '', '{query}'.repeat(10)],
  promptType: [null, '', 'raw', 'customer_support'],
  promptTemplate: [null, '', 'x'],
};

export const agentQuery: SpecificationPart = (fixture) => {
  describe('agent query', () => {
    it('refuses each invalid field by name, also with streaming, before a stream opens', async () => {
      const { alice } = fixture();
      const { id } = await alice.agent();
      const path = `/agents/${id}/query`;
      await assertEachRefused(alice.api, 'POST', path, { query: 'x' }, BAD_FIELDS);
      await assertEachRefused(alice.api, 'POST', path, { query: 'x', streaming: true }, { temperature: [2] });
      for (const body of BROKEN_BODIES) {
        const options = { body, headers: { 'content-type': 'application/json' } };
        (await alice.api.call('POST', path, options)).assertError('INVALID_REQUEST');
      }
      const streaming = { query: 'x', streaming: true };
      (await alice.api.post(`/agents/${UNKNOWN_ID}/query`, streaming)).assertError('NOT_FOUND');
    });

    it('accepts each valid field, and ignores unknown fields', async () => {
      const { alice } = fixture();
      const { id } = await alice.agent();
      const extras = { channel: 'website', attachments: [], truncateQuery: true, context: 'x' };
      await assertEachAccepted(
        alice.api,
        'POST',
        `/agents/${id}/query`,
        { query: 'Hello?', ...extras },
        GOOD_FIELDS,
        (response) => response.assertOk(),
      );
    });

    it('quotes passages when no model is configured, and says so', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const text = '# Hours\n\nThe lock keeper opens at six.\n\nBoats pay at the office.';
      const source = await alice.text(datastoreId, text, { name: 'Lock' });
      const { id } = await alice.agent({ datastoreIds: [datastoreId] });
      const answer = await alice.ask(id, 'When does the lock keeper open?');
      expect(answer.answer).toMatch(/opens at six/);
      expect(answer.answer).toMatch(/\[1\]/);
      expect(answer.answer).toMatch(/no (language )?model/i);
      expect(answer.usage).toBeUndefined();
      const [first] = answer.sources;
      expect([
        first?.datasource_id,
        first?.datasource_name,
        first?.source,
        first?.cited,
        first?.revision,
      ]).toEqual([source.id, 'Lock', 'Lock', true, 1]);
      expect(first?.quote).toEqual({ start: 9, end: 38, text: 'The lock keeper opens at six.' });
    });

    it('generates ids where none are given, and keeps ids that clients chose', async () => {
      const { alice } = fixture();
      const { id } = await alice.agent();
      const fresh = await alice.ask(id, 'Hello?');
      const other = await alice.ask(id, 'Hello?', { conversationId: '', visitorId: null });
      expect(fresh.conversationId).not.toBe('');
      expect(fresh.visitorId).not.toBe('');
      expect(other.conversationId).not.toBe(fresh.conversationId);
      expect(other.visitorId).not.toBe(fresh.visitorId);
      const own = { conversationId: 'my conversation', visitorId: 'my visitor' };
      const kept = await alice.ask(id, 'Hello?', own);
      expect([kept.conversationId, kept.visitorId]).toEqual([own.conversationId, own.visitorId]);
      const again = await alice.ask(id, 'Hello?', { conversationId: fresh.conversationId });
      expect(again.visitorId).toBe(fresh.visitorId);
    });

    it('answers with a model, from passages cited with exact offsets', async () => {
      const { alice, model } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const text = 'Rosehips are picked after the first frost.\n\nElderflowers are picked in June.';
      const source = await alice.text(datastoreId, text, { name: 'Picking', metadata: { season: 'late' } });
      const { id } = await alice.agent({ datastoreIds: [datastoreId], modelName: WITH_MODEL });
      model.next({ kind: 'chat', deltas: ['After the ', 'first frost [1]', ', not later [9].'] });
      const answer = await alice.ask(id, 'When are rosehips picked?');
      expect(answer.answer).toBe('After the first frost [1], not later.');
      expect(answer.abstained).toBe(false);
      expect(answer.usage && answer.usage.inputTokens > 0 && answer.usage.outputTokens > 0).toBe(true);
      const { text: whole } = (await alice.api.get(`/datasources/${source.id}/text`)).as(
        datasourceTextSchema,
      );
      for (const found of answer.sources) expect(found.text).toBe(whole.slice(found.start, found.end));
      expect(answer.sources[0]?.cited).toBe(true);
      const quote = 'Rosehips are picked after the first frost.';
      expect(answer.sources[0]?.quote).toEqual({ start: 0, end: quote.length, text: quote });
      expect(answer.sources[0]?.metadata).toEqual({ season: 'late' });
      expect(answer.sources[0]?.mime_type).toBe('text/plain');
    });

    it('needs a datastore, unless the agent has a model and may answer freely', async () => {
      const { alice, model } = fixture();
      for (const [restrictToSources, modelName, answers] of [
        [true, WITH_MODEL, false],
        [false, 'gpt_3_5_turbo', false],
        [false, WITH_MODEL, true],
      ] as const) {
        const { id } = await alice.agent({ datastoreIds: [], restrictToSources, modelName });
        for (const streaming of [false, true]) {
          if (answers) model.next({ kind: 'chat', deltas: ['Freely.'] });
          const answer = await alice.api.post(`/agents/${id}/query`, { query: 'Why?', streaming });
          if (answers) answer.assertOk();
          else expect(answer.assertError('CONFLICT').message).toMatch(/no datastore to answer from/);
        }
      }
    });

    it('abstains when nothing relevant is found, unless it may answer freely', async () => {
      const { alice, model } = fixture();
      const { id: datastoreId } = await alice.datastore();
      await alice.text(datastoreId, 'Herring is salted in barrels.');
      const { id } = await alice.agent({ datastoreIds: [datastoreId], modelName: WITH_MODEL });
      const calls = model.requests.length;
      const answer = await alice.ask(id, 'Who won the chess olympiad?');
      expect([answer.abstained, answer.sources]).toEqual([true, []]);
      expect(model.requests).toHaveLength(calls);
      const filtered = await alice.ask(id, 'How is herring salted?', { filters: { custom_ids: ['none'] } });
      expect(filtered.abstained).toBe(true);
      (await alice.api.patch(`/agents/${id}`, { restrictToSources: false })).assertOk();
      model.next({ kind: 'chat', deltas: ['I believe so [1].'] });
      const free = await alice.ask(id, 'Who won the chess olympiad?');
      expect([free.abstained, free.sources, free.answer]).toEqual([false, [], 'I believe so.']);
    });

    it('uses at most topK passages with at least minScore, of the query, otherwise of the agent', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      for (const place of ['barrels', 'cellars'])
        await alice.text(datastoreId, `Herring is salted in ${place}.`, { name: place });
      for (const [settings, fields, sources] of [
        [{}, {}, 2],
        [{}, { topK: 1 }, 1],
        [{}, { minScore: 1 }, 0],
        [{ topK: 1 }, {}, 1],
        [{ topK: 1 }, { topK: 2 }, 2],
        [{ minScore: 1 }, {}, 0],
        [{ minScore: 1 }, { minScore: null }, 0],
        [{ minScore: 1 }, { minScore: 0 }, 2],
      ] as const) {
        const { id } = await alice.agent({ datastoreIds: [datastoreId], ...settings });
        const answer = await alice.ask(id, 'Where is herring salted?', fields);
        expect([settings, fields, answer.sources.length]).toEqual([settings, fields, sources]);
        expect(answer.abstained).toBe(sources === 0);
      }
    });

    it('answers 503 with Retry-After when the model fails, and stores no message', async () => {
      const { alice, model } = fixture();
      const { id } = await alice.agent({ modelName: WITH_MODEL });
      const conversationId = 'failed-model-call';
      for (const reply of [
        { kind: 'error', status: 500 },
        { kind: 'error', status: 429, retryAfter: '7' },
        { kind: 'error', status: 401, message: 'bad key sk-secret' },
      ] as const) {
        model.next(reply);
        const answer = await alice.api.post(`/agents/${id}/query`, { query: 'Hello?', conversationId });
        const envelope = answer.assertError('UPSTREAM_UNAVAILABLE');
        expect(Number(answer.header('retry-after'))).toBeGreaterThanOrEqual(1);
        expect(JSON.stringify(envelope)).not.toMatch(/sk-secret|bad key/);
      }
      (await alice.api.get(`/conversations/${conversationId}`)).assertError('NOT_FOUND');
    });
  });
};
