import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  agentSchema,
  datasourceSchema,
  datastoreSchema,
  evaluationSchema,
  possibleReadersSchema,
  readersSchema,
  tokenWithSecretSchema,
  usageReportSchema,
  shareSchema,
} from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import type { ApiResponse } from '../client/api-response.js';
import { join, type Member } from '../client/join.js';
import { Tenant } from '../client/tenant.js';
import { type SpecificationPart, WITH_MODEL } from './describe-specification.js';
import { UNKNOWN_ID } from './field-checks.js';
import { assertTellsNothing, sendRoute, UNKNOWN } from './route-requests.js';
import { type Ids, isOfMissingPart, type Route, ROUTES } from './routes.js';

/** What one person may read and the other may not. The word is in everything that the library has. */
interface Side {
  word: string;
  id: string;
  person: Tenant;
  ids: Ids;
}

/** Kinds of resources that belong to a library. */
const OF_A_LIBRARY = [':datastore', ':datasource', ':evaluation', ':conversation', ':message', ':share'];
const QUESTION = 'What is the code of the zanzibarium and of the quetzalcore?';
/** How soon an open stream ends for somebody who may not read any more. */
const CUT_OFF_MS = 5_000;

/** Two people with different libraries, and one agent over both. */
export const readers: SpecificationPart = (fixture) => {
  let team: Tenant;
  let group: string;
  /** A member of no group, for whom no library is left. */
  let outsider: Tenant;
  let agent: string;
  let writer: string;
  let ann: Side;
  let ben: Side;
  /** A page that is never answered. */
  let silent: Server;

  async function library(word: string, chosen: { people?: string[]; groups?: string[] }): Promise<Ids> {
    const body = { name: `${word} library`, description: word, readers: { everyone: false, ...chosen } };
    const { id: datastore } = (await team.api.post('/datastores', body)).as(datastoreSchema.strict());
    const text = `The code of the ${word} is ${word}-4711.`;
    const fields = { name: `${word} note`, custom_id: `${word}-id`, metadata: { word } };
    const { id: datasource } = await team.text(datastore, text, fields);
    return { ...UNKNOWN, datastore, datasource };
  }

  beforeAll(async () => {
    silent = createServer(() => undefined).listen(0, '127.0.0.1');
    team = await Tenant.create(fixture().deployment, 'Readers');
    ({ id: group } = await team.group('Zoo'));
    const [first, second] = [await join(team, 'editor'), await join(team, 'editor')];
    outsider = await join(team, 'member');
    await team.api.call('PUT', `/groups/${group}/members/${first.personId}`);
    const [own, other] = [
      await library('zanzibarium', { groups: [group] }),
      await library('quetzalcore', { people: [second.personId] }),
    ];
    const datastoreIds = [other.datastore, own.datastore];
    ({ id: agent } = await team.agent({ name: 'Both', datastoreIds }));
    ({ id: writer } = await team.agent({ name: 'Writer', datastoreIds, modelName: WITH_MODEL }));
    const sideOf = async (word: string, person: Member, ids: Ids): Promise<Side> => {
      const { conversationId, messageId, visitorId } = await person.ask(agent, `Who knows the ${word}?`);
      const { id: evaluation } = await person.evaluate({ agentId: agent }, { name: `${word} evaluation` });
      const shared = await person.api.post(`/conversations/${conversationId}/share`);
      const { id: share } = shared.as(shareSchema.strict());
      const asked = { agent, conversation: conversationId, message: messageId, visitor: visitorId, share };
      return { word, id: person.personId, person, ids: { ...ids, ...asked, evaluation } };
    };
    // Conversations of nobody, of which editors see those whose sources they may read.
    await team.ask(agent, QUESTION);
    ann = await sideOf('zanzibarium', first, own);
    ben = await sideOf('quetzalcore', second, other);
  });
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  /** Fails if a response tells anything of a side. */
  const assertNothingOf = ({ word, ids }: Side, response: ApiResponse): void =>
    assertTellsNothing(response, [word, ids.datastore, ids.datasource, ids.evaluation]);

  const isOfLibrary = ({ path }: Route): boolean => OF_A_LIBRARY.some((kind) => path.includes(kind));
  /** Last, because they delete. */
  const isDeletion = ({ method }: Route): boolean => method === 'DELETE';

  describe('who may read a library', () => {
    it('is told to nobody else by any route with its ids, and nothing of it is changed', async () => {
      const named = ROUTES.filter(({ scope }) => scope !== 'admin').filter(
        (route) =>
          isOfLibrary(route) || JSON.stringify(route.json?.(ben.ids) ?? '').includes(ben.ids.datastore),
      );
      expect(named.length).toBeGreaterThan(20);
      const before = await Promise.all(
        ['datastores', 'datasources'].map((kind) =>
          team.api.get(`/${kind}/${kind === 'datastores' ? ben.ids.datastore : ben.ids.datasource}`),
        ),
      );
      for (const route of named) {
        const foreign = await sendRoute(ann.person.api, route, ben.ids);
        const unknown = await sendRoute(ann.person.api, route, UNKNOWN);
        const withoutId = (response: ApiResponse) => {
          const { requestId: _, ...rest } = response.assertError('NOT_FOUND');
          return rest;
        };
        expect([foreign.request, withoutId(foreign)]).toEqual([foreign.request, withoutId(unknown)]);
        assertNothingOf(ben, foreign);
      }
      for (const response of before)
        expect((await team.api.get(response.request.replace('GET ', ''))).text).toBe(response.text);
    });

    it('is told by no other route, with the own ids', async () => {
      const routes = ROUTES.filter(
        (route) => route.scope !== 'admin' && route.path !== '/sites/preview' && !isOfMissingPart(route),
      );
      for (const route of routes.filter((one) => !isDeletion(one) && one.method === 'GET')) {
        const response = await sendRoute(ann.person.api, route, ann.ids);
        assertNothingOf(ben, response);
        expect([response.request, response.status]).toEqual([response.request, 200]);
      }
      for (const route of routes.filter(
        ({ method, path }) => method === 'POST' && /query|explain/.test(path),
      ))
        for (const query of [
          QUESTION,
          'quetzalcore',
          'What is it about?',
          'Hello!',
          'Which documents do you have?',
          'Summarise the newest document.',
        ]) {
          const api = ann.person.api;
          const json = { ...(route.json?.(ann.ids) as object), query };
          const path = route.path.replace(':agent', agent).replace(':datastore', ann.ids.datastore);
          const response = await api.call('POST', path, { json });
          // The question itself is told.
          assertNothingOf({ ...ben, word: 'quetzalcore-4711' }, response);
          assertNothingOf({ ...ben, word: 'quetzalcore note' }, response);
        }
    });

    it('decides from which libraries an agent answers: JSON, stream, and the prompt of the model', async () => {
      for (const [side, other] of [
        [ann, ben],
        [ben, ann],
      ] as const) {
        const answer = await side.person.ask(agent, QUESTION);
        expect(answer.sources.map(({ datasource_id: id }) => id)).toEqual([side.ids.datasource]);
        expect(answer.answer).toContain(`${side.word}-4711`);
        expect(JSON.stringify(answer)).not.toContain(`${other.word}-4711`);
        const { model } = fixture();
        for (const fields of [{ streaming: true }, { streaming: true, resumable: true }]) {
          const before = model.requests.length;
          const json = { query: QUESTION, ...fields };
          const stream = await side.person.api.call('POST', `/agents/${writer}/query`, { json });
          stream.assertOk();
          expect(stream.text).not.toContain(`${other.word}-4711`);
          expect(stream.text).not.toContain(other.ids.datasource);
          const prompts = JSON.stringify(model.requests.slice(before).map(({ body }) => body));
          expect(prompts).toContain(`${side.word}-4711`);
          expect(prompts).not.toContain(`${other.word}-4711`);
          expect(prompts).not.toContain(`${other.word} note`);
        }
        const filters = { custom_ids: [`${other.word}-id`], datasource_ids: [other.ids.datasource] };
        const filtered = await side.person.ask(agent, QUESTION, { filters });
        expect([filtered.abstained, filtered.sources]).toEqual([true, []]);
      }
      const owner = await team.ask(agent, QUESTION);
      expect(owner.sources).toHaveLength(2);
    });

    it('decides what the agent of all libraries answers from, which cannot be public', async () => {
      for (const side of [ann, ben]) {
        const other = side === ann ? ben : ann;
        const { id, datastoreIds } = (await side.person.api.get('/agents/all')).as(agentSchema);
        expect(datastoreIds).toContain(side.ids.datastore);
        expect(datastoreIds).not.toContain(other.ids.datastore);
        const { sources } = await side.person.ask(id, QUESTION);
        expect(sources.map(({ datasource_id }) => datasource_id)).toEqual([side.ids.datasource]);
      }
      const all = (await team.api.get('/agents/all')).as(agentSchema);
      (await team.api.patch(`/agents/${all.id}`, { visibility: 'public' })).assertError('CONFLICT');
      const chosen = { datastoreIds: [ann.ids.datastore] };
      (await team.api.patch(`/agents/${all.id}`, chosen)).assertError('CONFLICT');
      (await team.api.delete(`/agents/${all.id}`)).assertError('CONFLICT');
      (await ann.person.api.patch(`/agents/${all.id}`, { retentionDays: 1 })).assertError('FORBIDDEN');
      (await ann.person.api.patch(`/agents/${all.id}`, { systemPrompt: 'Be brief.' })).assertOk();
    });

    it('leaves an agent without libraries to others, as an empty agent', async () => {
      const { id: empty } = await team.agent({ name: 'Empty', datastoreIds: [] });
      const query = { query: QUESTION };
      const asked = await outsider.api.post(`/agents/${agent}/query`, query);
      const { requestId: _, ...refusal } = asked.assertError('CONFLICT');
      const { requestId: __, ...ofEmpty } = (
        await outsider.api.post(`/agents/${empty}/query`, query)
      ).assertError('CONFLICT');
      expect(refusal).toEqual(ofEmpty);
      for (const side of [ann, ben]) assertNothingOf(side, asked);
      for (const path of ['/datastores', '/datasources', '/evaluations'])
        expect([path, (await outsider.api.get(path)).json]).toEqual([path, []]);
    });

    it('decides what is shown of an agent, and a change keeps the rest', async () => {
      const shown = async (of: Tenant) =>
        (await of.api.get(`/agents/${writer}`)).as(agentSchema).datastoreIds;
      expect([await shown(ann.person), await shown(ben.person)]).toEqual([
        [ann.ids.datastore],
        [ben.ids.datastore],
      ]);
      const datastoreIds = [ann.ids.datastore];
      const changed = await ann.person.api.patch(`/agents/${writer}`, { datastoreIds });
      expect(changed.as(agentSchema).datastoreIds).toEqual(datastoreIds);
      expect(await shown(team)).toEqual([ann.ids.datastore, ben.ids.datastore]);
      for (const [method, path] of [
        ['POST', '/agents'],
        ['PATCH', `/agents/${writer}`],
      ] as const)
        (
          await ann.person.api.call(method, path, {
            json: { name: 'Writer', datastoreIds: [ben.ids.datastore] },
          })
        ).assertError('NOT_FOUND');
      // Visitors would be answered from both libraries.
      const publish = { visibility: 'public' };
      (await ann.person.api.patch(`/agents/${writer}`, publish)).assertError('FORBIDDEN');
      (await team.api.patch(`/agents/${writer}`, publish)).assertOk();
    });

    it('hides evaluations that searched it, and evaluates for a person what the person may read', async () => {
      const evaluation = await ann.person.api.get(`/evaluations/${ann.ids.evaluation}`);
      evaluation.assertOk();
      assertNothingOf(ben, evaluation);
      const { id } = await team.evaluate({ agentId: agent });
      for (const side of [ann, ben]) {
        (await side.person.api.get(`/evaluations/${id}`)).assertError('NOT_FOUND');
        (await side.person.api.delete(`/evaluations/${id}`)).assertError('NOT_FOUND');
        const listed = (await side.person.api.get('/evaluations')).as(z.array(evaluationSchema));
        expect(listed.map((one) => one.id)).toEqual([side.ids.evaluation]);
      }
    });

    it('gives a stored answer to nobody else with the same Idempotency-Key', async () => {
      const body = { name: 'quetzalcore shelf', readers: { everyone: false, people: [ben.id] } };
      const key = { 'idempotency-key': 'shared' };
      const first = (await ben.person.api.post('/datastores', body, key)).as(datastoreSchema.strict());
      const again = (await ben.person.api.post('/datastores', body, key)).as(datastoreSchema.strict());
      expect(again.id).toBe(first.id);
      const own = { name: 'shelf', readers: { everyone: false, people: [ann.id] } };
      const other = (await ann.person.api.post('/datastores', own, key)).as(datastoreSchema.strict());
      expect(other.id).not.toBe(first.id);
      const refused = await ann.person.api.post('/datastores', body, { 'idempotency-key': 'another' });
      refused.assertError('INVALID_REQUEST', 'readers.people');
      for (const { id, of } of [
        { id: first.id, of: ben },
        { id: other.id, of: ann },
      ])
        (await of.person.api.delete(`/datastores/${id}`)).assertOk();
    });

    it('is not counted for others', async () => {
      const stored = async (of: Tenant): Promise<number> =>
        (await of.api.get('/usage')).as(usageReportSchema).storedCharacters.used;
      const [own, others, outside] = [
        await stored(ann.person),
        await stored(ben.person),
        await stored(outsider),
      ];
      expect(outside).toBe(0);
      expect(await stored(team)).toBe(own + others);
      expect(own).toBeGreaterThan(0);
    });

    it('does not reserve names: another library may have the name of one that is not seen', async () => {
      const made = (await ann.person.api.post('/datastores', { name: 'quetzalcore library' })).as(
        datastoreSchema.strict(),
      );
      const fields = { custom_id: 'quetzalcore-id', upsert: true };
      const { id } = await ann.person.text(made.id, 'Another text.', fields);
      expect(id).not.toBe(ben.ids.datasource);
      expect((await ben.person.datasource(ben.ids.datasource)).name).toBe('quetzalcore note');
      (await team.api.delete(`/datastores/${made.id}`)).assertOk();
    });

    it('decides what programs with a token of a person get: the format of OpenAI, and MCP', async () => {
      const { origin } = fixture().deployment;
      for (const [side, other] of [
        [ann, ben],
        [ben, ann],
      ] as const) {
        const body = { name: 'T', scopes: ['read', 'datastores:query', 'agents:query', 'write'] };
        const { token } = (await side.person.api.post('/tokens', body)).as(tokenWithSecretSchema);
        const program = new ApiClient(origin, token);
        const words = ['-4711', ' note', ' library'].map((end) => `${other.word}${end}`);
        const secrets = [...words, other.ids.datastore, other.ids.datasource];
        const told: string[] = [];
        const assertKept = (response: ApiResponse): ApiResponse => {
          const found = secrets.filter((secret) => response.text.includes(secret));
          expect([response.request, response.status, found]).toEqual([response.request, 200, []]);
          told.push(response.text);
          return response;
        };
        const messages = [{ role: 'user', content: QUESTION }];
        for (const model of ['Both', agent, writer])
          for (const stream of [false, true])
            assertKept(await program.post('/v1/chat/completions', { model, messages, stream }));
        for (const path of ['/v1/models', `/v1/models/${agent}`, '/v1/vector_stores'])
          assertKept(await program.get(path));
        const search = { query: QUESTION };
        assertKept(await program.get(`/v1/vector_stores/${side.ids.datastore}`));
        assertKept(await program.post(`/v1/vector_stores/${side.ids.datastore}/search`, search));
        expect((await program.get(`/v1/vector_stores/${other.ids.datastore}`)).status).toBe(404);
        const foreign = await program.post(`/v1/vector_stores/${other.ids.datastore}/search`, search);
        expect(foreign.status).toBe(404);

        const call = (name: string, input: object) =>
          program.post(
            '/mcp',
            { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
            { accept: 'application/json, text/event-stream' },
          );
        assertKept(await call('list_datastores', {}));
        assertKept(await call('list_agents', {}));
        assertKept(await call('ask', { agent: 'Both', question: QUESTION }));
        assertKept(await call('search', { datastore: side.ids.datastore, query: QUESTION }));
        for (const [name, input] of [
          ['search', { datastore: other.ids.datastore, query: 'code' }],
          ['search', { datastore: `${other.word} library`, query: 'code' }],
          ['read_source', { datasource_id: other.ids.datasource }],
          ['add_text', { datastore: `${other.word} library`, name: 'n', text: 'taken over' }],
        ] as const) {
          const refused = assertKept(await call(name, input));
          expect(refused.text).toMatch(/There is no such (datastore|datasource)\./);
        }
        // The word of the own library shows that there was something to tell.
        expect(told.join()).toContain(`${side.word}-4711`);
      }
    });

    it('decides who opens the link of a shared conversation', async () => {
      const shared = await ben.person.api.post(`/conversations/${ben.ids.conversation}/share`);
      const { id } = shared.as(z.looseObject({ id: z.string() }));
      const refused = await ann.person.api.get(`/shared-conversations/${id}`);
      refused.assertError('NOT_FOUND');
      assertNothingOf(ben, refused);
      const owner = await join(team, 'owner');
      (await owner.api.get(`/shared-conversations/${id}`)).assertOk();
    });

    it('is changed as a whole, and keeps the editor who changes it', async () => {
      const path = `/datastores/${ann.ids.datastore}/readers`;
      const chosen = (await ann.person.api.get(path)).as(readersSchema.strict());
      expect(chosen).toEqual({ everyone: false, people: [], groups: [{ id: group, name: 'Zoo' }] });
      for (const [json, field] of [
        [{ everyone: false }, 'people'],
        [{ everyone: false, people: [ben.id] }, 'people'],
        [{ everyone: false, people: [ann.id, UNKNOWN_ID] }, 'people'],
        [{ everyone: false, people: [ann.id], groups: [UNKNOWN_ID, 'x'] }, 'groups'],
        [{ everyone: true, people: [ann.id] }, 'everyone'],
        [{ people: [ann.id] }, 'everyone'],
      ] as const)
        (await ann.person.api.put(path, json)).assertError('INVALID_REQUEST', field);
      expect((await ann.person.api.get(path)).json).toEqual(chosen);
      const found = (await ann.person.api.get('/readers?search=ZOO')).as(possibleReadersSchema.strict());
      expect(found).toEqual({ people: [], groups: [{ id: group, name: 'Zoo' }] });
      (await outsider.api.get('/readers')).assertError('FORBIDDEN');
      const widened = await ann.person.api.put(path, { everyone: true });
      expect(widened.as(readersSchema.strict())).toEqual({ everyone: true, people: [], groups: [] });
      (await outsider.api.get(`/datasources/${ann.ids.datasource}/text`)).assertOk();
      (await ann.person.api.put(path, { everyone: false, groups: [group] })).assertOk();
      (await outsider.api.get(`/datasources/${ann.ids.datasource}/text`)).assertError('NOT_FOUND');
    });

    it('takes effect on the next request, and ends open streams within seconds', async () => {
      const { port } = silent.address() as AddressInfo;
      const config = { source_url: `http://127.0.0.1:${port}/` };
      const body = { type: 'web_page', datastoreId: ann.ids.datastore, config };
      const { id } = (await ann.person.api.post('/datasources', body)).as(datasourceSchema);
      const stream = await ann.person.api.open('GET', `/datasources/${id}/events`);
      expect(stream.status).toBe(200);
      const events = stream.text();
      (await team.api.delete(`/groups/${group}/members/${ann.id}`)).assertOk();
      const removedAt = Date.now();
      for (const path of [`/datasources/${id}`, `/datastores/${ann.ids.datastore}`])
        (await ann.person.api.get(path)).assertError('NOT_FOUND');
      (await ann.person.api.post(`/agents/${agent}/query`, { query: QUESTION })).assertError('CONFLICT');
      expect(await events).toMatch(/event: deleted\ndata: \{\}\n\n$/);
      expect(Date.now() - removedAt).toBeLessThan(CUT_OFF_MS);
      // The own conversation stays, and its citation does not open any more.
      (await ann.person.api.get(`/conversations/${ann.ids.conversation}`)).assertOk();
      (await ann.person.api.get(`/datasources/${ann.ids.datasource}/text`)).assertError('NOT_FOUND');
      (await team.api.call('PUT', `/groups/${group}/members/${ann.id}`)).assertOk();
      (await ann.person.api.get(`/datasources/${id}`)).assertOk();
      (await team.api.delete(`/datasources/${id}`)).assertOk();
    });

    it('is nobody but the owners when the group of its readers is deleted', async () => {
      (await team.api.delete(`/groups/${group}`)).assertOk();
      for (const { person } of [ann, ben])
        (await person.api.get(`/datastores/${ann.ids.datastore}`)).assertError('NOT_FOUND');
      const owner = await join(team, 'owner');
      (await owner.api.get(`/datastores/${ann.ids.datastore}`)).assertOk();
      expect((await owner.ask(agent, QUESTION)).sources).toHaveLength(2);
    });
  });
};
