import { describe, expect, it } from '@jest/globals';
import type { SpecificationPart } from './describe-specification.js';
import { type Ids, pathTo, ROUTES } from './routes.js';

const STRICT = { prefer: 'respond-async, handling="strict"' };

export const unknownFields: SpecificationPart = (fixture) => {
  describe('unknown fields', () => {
    async function idsOf(): Promise<Ids> {
      const { alice } = fixture();
      const store = await alice.datastore();
      const agent = await alice.agent({ datastoreIds: [store.id] });
      const answer = await alice.ask(agent.id, 'Hello?');
      return {
        agent: agent.id,
        datastore: store.id,
        datasource: (await alice.text(store.id, 'A text.')).id,
        conversation: answer.conversationId,
        share: answer.messageId,
        message: answer.messageId,
        visitor: answer.visitorId,
        key: agent.id,
        person: agent.id,
        group: agent.id,
        identityProvider: agent.id,
        evaluation: agent.id,
        webhook: agent.id,
        gap: agent.id,
      };
    }

    it('are refused by our own routes; those of the specification ignore and name them', async () => {
      const { alice } = fixture();
      const ids = await idsOf();
      for (const route of ROUTES.filter(({ json }) => json)) {
        const json = { ...(route.json?.(ids) as object), nmae: 1 };
        const path = pathTo(route, ids);
        const answer = await alice.api.call(route.method, path, { json });
        if (!route.isLenient) {
          answer.assertError('INVALID_REQUEST', 'nmae');
          continue;
        }
        answer.assertOk();
        expect([path, answer.header('citewell-ignored-fields')]).toEqual([path, 'nmae']);
        const strict = await alice.api.call(route.method, path, { json, headers: STRICT });
        strict.assertError('INVALID_REQUEST', 'nmae');
      }
    });

    it('are not the only thing that strict handling refuses: an empty filter would show everything', async () => {
      const { alice } = fixture();
      const { datastore, agent } = await idsOf();
      for (const path of [`/datastores/${datastore}/query`, `/agents/${agent}/query`]) {
        const json = { query: 'A text?', filters: { datasource_ids: [] } };
        (await alice.api.call('POST', path, { json })).assertOk();
        const strict = await alice.api.call('POST', path, { json, headers: STRICT });
        strict.assertError('INVALID_REQUEST', 'filters.datasource_ids');
      }
    });

    it('are refused in filters, and in place of them: both may come from permissions', async () => {
      const { alice, deployment } = fixture();
      const { datastore, agent } = await idsOf();
      const { api } = alice;
      const known = 'custom_ids, datasource_ids, names, types, created_after, created_before, metadata';
      const meant = 'filter is unknown (did you mean filters?).';
      for (const [fields, sentence] of [
        [{ filters: { department: 'it' } }, `filters has no department: its conditions are ${known}.`],
        [
          { filters: { custom_ids: ['a'], customIds: ['a'], x: 1 } },
          `filters has no customIds, x: its conditions are ${known}.`,
        ],
        [{ filters: { datasourceIds: [] } }, `filters has no datasourceIds: its conditions are ${known}.`],
        [{ filter: { custom_ids: ['a'] } }, meant],
        [{ filter: null, filters: {} }, meant],
        [
          { filters: { metadata: { a: { b: 1 } } } },
          'filters.metadata.a does not match any of the allowed forms.',
        ],
      ] as const) {
        const json = { query: 'A text?', ...fields };
        for (const path of [`/datastores/${datastore}/query`, `/agents/${agent}/query`])
          expect((await api.post(path, json)).assertError('INVALID_REQUEST').message).toBe(sentence);
      }
      const search = await fetch(`${deployment.origin}/v1/vector_stores/${datastore}/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'x', filter: { type: 'eq', key: 'a', value: 'b' } }),
      });
      expect([search.status, await search.json()]).toMatchObject([400, { error: { message: meant } }]);
    });

    it('are named with the field that was probably meant, in bodies, forms and query strings', async () => {
      const { alice } = fixture();
      const { datastore, agent } = await idsOf();
      const update = await alice.api.call('PATCH', `/agents/${agent}`, {
        json: { system_prompt: 'x' },
        headers: STRICT,
      });
      expect(update.assertError('INVALID_REQUEST').message).toBe(
        'system_prompt is unknown (did you mean systemPrompt?).',
      );
      const list = await alice.api.get(`/datasources?datastore=${datastore}`);
      expect(list.assertError('INVALID_REQUEST').message).toBe(
        'datastore is unknown (did you mean datastoreId?).',
      );
      const form = await alice.api.upload([
        ['file', new Blob(['A file.']), 'a.txt'],
        ['datastoreId', datastore],
        ['customId', 'c'],
      ]);
      form.assertOk();
      expect(form.header('citewell-ignored-fields')).toBe('customId; meant=custom_id');
    });

    it('are named in the headers of a stream', async () => {
      const { alice } = fixture();
      const { agent } = await idsOf();
      const json = { query: 'Hello?', streaming: true, channel: 'dashboard', 'a,b': 1 };
      const stream = await alice.api.post(`/agents/${agent}/query`, json);
      stream.assertOk();
      expect(stream.header('citewell-ignored-fields')).toBe('channel, a%2Cb');
    });
  });
};
