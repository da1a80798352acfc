import {
  datasourceSchema,
  datastoreSchema,
  listedDatastoreSchema,
  searchExplanationSchema,
  type Filters,
} from '@citewell/contracts/schemas';
import { Citewell } from '@citewell/sdk';
import { CitewellRetriever, type CitewellRetrieverInput } from '@citewell/sdk/langchain';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Tenant } from '../client/tenant.js';
import {
  assertEachAccepted,
  BROKEN_BODIES,
  INVALID_NAMES,
  NON_STRINGS,
  assertEachRefused,
  UNSTORABLE,
} from './field-checks.js';
import type { SpecificationPart } from './describe-specification.js';

const strict = datastoreSchema.strict();

const BAD_FIELDS = {
  name: INVALID_NAMES,
  description: ['x'.repeat(4_097), ...NON_STRINGS],
  type: ['pinecone', '', ...NON_STRINGS],
  visibility: ['secret', ...NON_STRINGS],
};

const BAD_QUERIES = {
  query: ['', '  \n ', 'x'.repeat(8_193), ...UNSTORABLE, undefined, ...NON_STRINGS],
  topK: [0, 101, 1.5, -1, '5', true, [], {}],
  filters: [
    'x',
    [],
    1,
    true,
    { custom_ids: 'x' },
    { custom_ids: [1] },
    { datasource_ids: {} },
    { datasource_ids: [null] },
    { names: 'x' },
    { names: [] },
    { types: ['pdf'] },
    { types: [] },
    { created_after: 'yesterday' },
    { created_before: '2026-02-30' },
    { created_after: 1_772_000_000 },
    { metadata: [] },
    { metadata: {} },
    { metadata: { a: null } },
    { metadata: { a: [] } },
    { metadata: { a: { $ne: 1 } } },
    { metadata: { a: ['\0'] } },
    { metadata: { '\ud800': 1 } },
  ],
};

export const datastores: SpecificationPart = (fixture) => {
  describe('datastores', () => {
    it('are created with only a name', async () => {
      const { alice } = fixture();
      const { id, timestamps, ...fields } = await alice.datastore('Plain');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(timestamps.createdAt).toBe(timestamps.updatedAt);
      expect(fields).toEqual({
        name: 'Plain',
        description: '',
        type: 'qdrant',
        visibility: 'private',
        readers: 'everyone',
      });
    });

    it('refuse each invalid field, accept each valid one, and ignore unknown fields of an update', async () => {
      const { alice } = fixture();
      const { id } = await alice.datastore();
      await assertEachRefused(alice.api, 'POST', '/datastores', { name: 'D' }, BAD_FIELDS);
      await assertEachRefused(alice.api, 'POST', '/datastores', {}, { name: [undefined] });
      await assertEachRefused(alice.api, 'PATCH', `/datastores/${id}`, {}, BAD_FIELDS);
      for (const [method, path, base] of [
        ['POST', '/datastores', { name: 'D' }],
        ['PATCH', `/datastores/${id}`, { extra: 1 }],
      ] as const) {
        const good = {
          name: ['x'.repeat(255), '🦊'],
          description: ['', 'x'.repeat(4_096)],
          type: ['qdrant'],
          visibility: ['public', 'private'],
        };
        await assertEachAccepted(alice.api, method, path, base, good, (response, field, value) => {
          const store = response.as(strict);
          expect(Object.entries(store).find(([name]) => name === field)?.[1]).toEqual(value);
        });
      }
      for (const body of BROKEN_BODIES) {
        const options = { body, headers: { 'content-type': 'application/json' } };
        (await alice.api.call('POST', '/datastores', options)).assertError('INVALID_REQUEST');
        (await alice.api.call('POST', `/datastores/${id}/query`, options)).assertError('INVALID_REQUEST');
      }
    });

    it('change the given fields and keep the others', async () => {
      const { alice } = fixture();
      const created = await alice.datastore('Before');
      const path = `/datastores/${created.id}`;
      expect((await alice.api.patch(path, {})).as(strict)).toEqual(created);
      const described = (await alice.api.patch(path, { description: 'd' })).as(strict);
      expect({ ...described, timestamps: created.timestamps }).toEqual({ ...created, description: 'd' });
      expect((await alice.api.get(path)).as(strict)).toEqual(described);
    });

    it('are listed with the number of their datasources', async () => {
      const tenant = await Tenant.create(fixture().deployment);
      const [empty, store] = [await tenant.datastore('Empty'), await tenant.datastore('Filled')];
      await tenant.text(store.id, 'One.');
      await tenant.text(store.id, 'Two.');
      for (const type of ['web_page', 'web_site']) {
        const config = { source_url: 'http://127.0.0.1:1/' };
        const created = await tenant.api.post('/datasources', { type, datastoreId: store.id, config });
        await tenant.waitUntilFinished(created.as(datasourceSchema.strict()).id);
      }
      const listed = (await tenant.api.get('/datastores')).as(z.array(listedDatastoreSchema.strict()));
      expect(listed.map(({ id, documents }) => [id, documents])).toEqual([
        [store.id, { total: 4, inProgress: 0, failed: 2 }],
        [empty.id, { total: 0, inProgress: 0, failed: 0 }],
      ]);
    });

    it('refuse invalid queries by field name', async () => {
      const { alice } = fixture();
      const { id } = await alice.datastore();
      await assertEachRefused(alice.api, 'POST', `/datastores/${id}/query`, { query: 'x' }, BAD_QUERIES);
      for (const extra of [
        {},
        { topK: null, filters: null },
        { filters: {} },
        { filters: { custom_ids: null } },
      ]) {
        expect(await alice.search(id, 'x'.repeat(8_192), extra)).toEqual([]);
      }
      expect(await alice.search(id, '?!… 🦊', { topK: 100, more: true })).toEqual([]);
    });

    it('find the most similar passages, in descending order of score', async () => {
      const { alice } = fixture();
      const { id } = await alice.datastore();
      const facts = [
        'The ferry to Lismore leaves at noon.',
        'A ferry needs a crew of four.',
        'Lismore has one school and a garden.',
        'Bread is baked in the old mill.',
        'The mill stands by the ferry landing.',
        'Rain falls on two hundred days.',
        'The ferry was painted blue.',
      ];
      for (const [index, fact] of facts.entries())
        await alice.text(id, fact, { name: `Fact ${index}`, custom_id: `fact-${index}` });
      const found = await alice.search(id, 'When does the ferry to Lismore leave?');
      expect(found[0]?.text).toBe(facts[0]);
      expect(found[0]?.datasource_name).toBe('Fact 0');
      expect(found[0]?.source).toBe('Fact 0');
      expect(found[0]?.custom_id).toBe('fact-0');
      expect(found.length).toBeLessThanOrEqual(5);
      expect(found.length).toBeGreaterThanOrEqual(4);
      const scores = found.map(({ score }) => score);
      expect(scores.every((score, at) => score > 0 && score <= 1 && score <= (scores[at - 1] ?? 1))).toBe(
        true,
      );
      expect(await alice.search(id, 'ferry', { topK: 2 })).toHaveLength(2);
      expect(await alice.search(id, 'ferry mill Lismore', { topK: 100 })).toHaveLength(7);
      // A search by meaning always finds the nearest passages. Their relevance is low.
      const unrelated = await alice.search(id, 'zebra xylophone');
      expect(unrelated.every(({ score }) => score < 0.5)).toBe(true);
      expect(await alice.search(id, 'zebra xylophone', { minScore: 0.5 })).toEqual([]);
      const relevant = await alice.search(id, 'When does the ferry to Lismore leave?', { minScore: 0.5 });
      expect(relevant).toEqual(found.filter(({ score }) => score >= 0.5));
      expect(relevant.length).toBeGreaterThanOrEqual(1);
    });

    it('filter by datasource ids, by custom ids and by both, and are safe from injection', async () => {
      const { alice } = fixture();
      const { id } = await alice.datastore();
      const blue = await alice.text(id, 'The blue heron waits.', { custom_id: 'blue' });
      const grey = await alice.text(id, 'The grey heron waits.', { config: { custom_id: 'grey' } });
      const search = async (filters: object): Promise<string[]> =>
        (await alice.search(id, 'heron waits', { filters })).map((item) => item.datasource_id).toSorted();
      const both = [blue.id, grey.id].toSorted();
      expect(await search({})).toEqual(both);
      expect(await search({ custom_ids: [], datasource_ids: [] })).toEqual(both);
      expect(await search({ datasource_ids: [blue.id] })).toEqual([blue.id]);
      expect(await search({ datasource_ids: [blue.id.toUpperCase()] })).toEqual([blue.id]);
      expect(await search({ datasource_ids: both, custom_ids: ['grey'] })).toEqual([grey.id]);
      expect(await search({ custom_ids: ['blue', 'grey', 'nothing'] })).toEqual(both);
      expect(await search({ custom_ids: ['nothing'] })).toEqual([]);
      expect(await search({ datasource_ids: [blue.id], custom_ids: ['grey'] })).toEqual([]);
      for (const evil of ["' OR 1=1 --", '") or (datasource_id != "', '%', '*']) {
        expect(await search({ datasource_ids: [evil] })).toEqual([]);
        expect(await search({ custom_ids: [evil] })).toEqual([]);
      }
    });

    it('filter by metadata, name, type and date, in every interface', async () => {
      const { alice, deployment } = fixture();
      const { id } = await alice.datastore();
      const it = { name: 'Heron it', metadata: { department: 'it', year: 2024, tags: ['a', 'b'] } };
      const hr = { name: 'Heron "hr"', metadata: { department: 'hr', year: 2025, open: true } };
      await alice.text(id, 'The blue heron waits.', it);
      await alice.text(id, 'The grey heron waits.', hr);
      await alice.file(id, 'The white heron waits.', 'heron.txt', []);
      const cases: [filters: Filters, names: string[]][] = [
        [{ metadata: { department: 'it' } }, [it.name]],
        [{ metadata: { department: ['it', 'hr'] } }, [hr.name, it.name]],
        [{ metadata: { year: [2025, 2026] } }, [hr.name]],
        [{ metadata: { year: '2025' } }, []],
        [{ metadata: { tags: 'b' } }, [it.name]],
        [{ metadata: { tags: ['c', 'a'], year: 2024 } }, [it.name]],
        [{ metadata: { department: 'it', year: 2025 } }, []],
        [{ metadata: { open: true } }, [hr.name]],
        [{ metadata: { "' OR true --": 'x' } }, []],
        [{ metadata: { department: '"it"' } }, []],
        [{ names: [hr.name, 'none'] }, [hr.name]],
        [{ names: ['Heron'] }, []],
        [{ types: ['file'] }, ['heron.txt']],
        [{ types: ['web_page', 'web_site'] }, []],
        [{ types: ['text'], metadata: { department: 'hr' } }, [hr.name]],
        [{ created_after: '2026-01-01', names: [it.name] }, [it.name]],
        [{ created_after: '2100-01-01' }, []],
        [{ created_before: '2026-01-01T00:00:00+02:00' }, []],
        [{ created_before: '2100-01-01', types: ['file'] }, ['heron.txt']],
      ];
      for (const [filters, names] of cases) {
        const found = await alice.search(id, 'heron waits', { filters });
        expect([filters, found.map(({ datasource_name }) => datasource_name).toSorted()]).toEqual([
          filters,
          names,
        ]);
      }
      const agent = await alice.agent({ datastoreIds: [id] });
      const { sources } = await alice.ask(agent.id, 'Which heron waits?', {
        filters: { metadata: { department: 'hr' } },
      });
      expect(new Set(sources.map(({ datasource_name }) => datasource_name))).toEqual(new Set([hr.name]));
      const search = async (path: string, json: object): Promise<string> => {
        const response = await fetch(deployment.origin + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${alice.api.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(json),
        });
        expect(response.status).toBe(200);
        return response.text();
      };
      const openai = await search(`/v1/vector_stores/${id}/search`, {
        query: 'heron waits',
        filters: { type: 'eq', key: 'department', value: 'it' },
      });
      const args = { datastore: id, query: 'heron waits', filters: { metadata: { department: 'it' } } };
      const mcp = await search('/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search', arguments: args },
      });
      for (const text of [openai, mcp]) {
        expect(text).toContain('blue heron');
        expect(text).not.toMatch(/grey heron|white heron/);
      }
    });

    it('are retrievers of LangChain, with the same passages', async () => {
      const { alice, deployment } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const guide = '# Harbour\n\nThe pilot boards at dawn.\n\n# Pilot house\n\nIts roof is green.';
      const file = await alice.file(datastoreId, guide, 'guide.md', [['custom_id', 'guide']]);
      const metadata = { year: 1923 };
      await alice.text(datastoreId, 'A pilot needs a licence.', { name: 'Licence', metadata });
      await alice.text(datastoreId, 'The roof of the mill leaks.', { custom_id: 'mill' });
      const client = new Citewell({ baseUrl: deployment.origin, apiKey: alice.api.key ?? '' });
      const custom = { custom_ids: ['mill', 'guide'] };
      const searches: [string, number, Omit<CitewellRetrieverInput, 'client' | 'datastoreId'>][] = [
        ['When does the pilot board?', 4, {}],
        ['Which roof is green?', 4, {}],
        ['pilot', 1, { topK: 1 }],
        ['pilot roof', 3, { topK: 100, filters: custom }],
        ['pilot roof', 2, { filters: { datasource_ids: [file.id] } }],
        ['zebra', 0, { filters: { custom_ids: ['none'] } }],
      ];
      for (const [query, count, options] of searches) {
        const found = await alice.search(datastoreId, query, options);
        const documents = await new CitewellRetriever({ client, datastoreId, ...options }).invoke(query);
        expect(found).toHaveLength(count);
        expect(
          documents.map(({ id, pageContent, metadata: rest }) => [id, { text: pageContent, ...rest }]),
        ).toEqual(found.map((passage) => [passage.chunk_id, passage]));
      }
    });

    it('explain a search: the rank and score of each leg, and the terms that match', async () => {
      const { alice } = fixture();
      const { id } = await alice.datastore();
      const kelp = await alice.text(id, 'Kelp is harvested in spring.', { name: 'kelp' });
      await alice.text(id, 'Spring tides are high.', { name: 'tides' });
      const explain = async (body: Record<string, unknown>) =>
        (await alice.api.post(`/datastores/${id}/explain`, body)).as(searchExplanationSchema.strict());
      const query = 'harvesting kelp in spring';
      const { terms, passages, words, meaning } = await explain({ query, topK: 2 });
      expect(terms).toEqual(['harvest', 'kelp', 'spring']);
      expect(passages.map(({ chunk_id, score }) => [chunk_id, score])).toEqual(
        (await alice.search(id, query, { topK: 2 })).map(({ chunk_id, score }) => [chunk_id, score]),
      );
      expect(
        words.map((passage) => [passage.datasource_name, passage.matched_terms, passage.words?.rank]),
      ).toEqual([
        ['kelp', ['harvest', 'kelp', 'spring'], 1],
        ['tides', ['spring'], 2],
      ]);
      expect(meaning?.map((passage) => [passage.datasource_name, passage.meaning?.rank])).toEqual([
        ['kelp', 1],
        ['tides', 2],
      ]);
      expect(passages.map((passage) => passage.meaning?.rank)).toEqual([1, 2]);
      const filtered = await explain({ query: 'tides', filters: { datasource_ids: [kelp.id] } });
      expect(filtered.words).toEqual([]);
      // The rank is that among all passages, although only one document is searched.
      expect(
        filtered.passages.map(({ datasource_name, overall, words: byWords, missing_terms }) => [
          datasource_name,
          overall?.rank,
          byWords,
          missing_terms,
        ]),
      ).toEqual([['kelp', 2, null, ['tide']]]);
      (await alice.api.post(`/datastores/${id}/explain`, { query, explain: true })).assertError(
        'INVALID_REQUEST',
      );
    });

    it('are gone once deleted, with all their datasources', async () => {
      const { alice } = fixture();
      const store = await alice.datastore('Doomed');
      const source = await alice.text(store.id, 'Whales sleep standing.');
      const agent = await alice.agent({ datastoreIds: [store.id] });
      const path = `/datastores/${store.id}`;
      expect((await alice.api.delete(path)).as(strict)).toEqual(store);
      (await alice.api.post(`${path}/query`, { query: 'whales' })).assertError('NOT_FOUND');
      for (const method of ['GET', 'DELETE'] as const)
        (await alice.api.call(method, path)).assertError('NOT_FOUND');
      (await alice.api.patch(path, { name: 'x' })).assertError('NOT_FOUND');
      for (const below of ['', '/text', '/runs', '/urls', '/chunks', '/file', '/events'])
        (await alice.api.get(`/datasources/${source.id}${below}`)).assertError('NOT_FOUND');
      expect((await alice.api.get(`/datasources?datastoreId=${store.id}`)).json).toEqual([]);
      (await alice.api.post('/datasources', { type: 'text', text: 'x', datastoreId: store.id })).assertError(
        'NOT_FOUND',
      );
      const answer = await alice.api.post(`/agents/${agent.id}/query`, { query: 'How do whales sleep?' });
      expect(answer.assertError('CONFLICT').message).toMatch(/^The agent has no datastore to answer from\./);
    });
  });
};
