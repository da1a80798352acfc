import { datasourceSchema, shareSchema, tokenWithSecretSchema } from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { join, type Member } from '../client/join.js';
import { Tenant } from '../client/tenant.js';
import { type SpecificationPart, WITH_MODEL } from './describe-specification.js';
import { assertTellsNothing, sendRoute, UNKNOWN } from './route-requests.js';
import { type Ids, isOfMissingPart, type Route, ROUTES } from './routes.js';

/** In everything that the restricted document has. */
const WORD = 'obsidiana';
const QUESTION = `What is the code of the ${WORD} and of the lighthouse?`;
const CODE = `${WORD}-4711`;
/** How soon an open stream ends for somebody who may not read any more. */
const CUT_OFF_MS = 5_000;

/** A library for everyone with a document that its source shows to one person. */
export const restricted: SpecificationPart = (fixture) => {
  let team: Tenant;
  /** The only reader of the document. */
  let reader: Member;
  let others: Record<string, Tenant>;
  let agent: string;
  let writer: string;
  /** With the restricted document, and what the reader has made of it. */
  let ids: Ids;
  /** With the other document of the library. */
  let open: Ids;

  /** Does what the sync of a source does. */
  async function setReaders(principals: string): Promise<void> {
    const client = new pg.Client({ connectionString: fixture().deployment.databaseUrl });
    await client.connect();
    try {
      await client.query(
        `UPDATE datasources SET access = ARRAY(SELECT 'person:' || email FROM people WHERE id::text = $2) WHERE id = $1`,
        [ids.datasource, principals],
      );
      await client.query(`DELETE FROM document_changes WHERE datasource_id = $1`, [ids.datasource]);
      await client.query(`UPDATE organizations SET has_restricted_documents = true WHERE id = $1`, [
        team.organizationId,
      ]);
    } finally {
      await client.end();
    }
  }

  beforeAll(async () => {
    team = await Tenant.create(fixture().deployment, 'Restricted');
    reader = await join(team, 'editor');
    others = { editor: await join(team, 'editor'), owner: await join(team, 'owner'), key: team };
    const { id: datastore } = await team.datastore();
    const { id: datasource } = await team.text(datastore, `The code of the ${WORD} is ${CODE}.`, {
      name: `${WORD} note`,
      custom_id: `${WORD}-id`,
    });
    const { id: other } = await team.text(datastore, 'The code of the lighthouse is 1234.');
    ids = { ...UNKNOWN, datastore, datasource };
    await setReaders(reader.personId);
    const datastoreIds = [datastore];
    ({ id: agent } = await team.agent({ name: 'Quotes', datastoreIds }));
    ({ id: writer } = await team.agent({ name: 'Writer', datastoreIds, modelName: WITH_MODEL }));
    const asked = await reader.ask(agent, QUESTION);
    const shared = await reader.api.post(`/conversations/${asked.conversationId}/share`);
    const { id: evaluation } = await reader.evaluate({ agentId: agent });
    const made = { agent, conversation: asked.conversationId, message: asked.messageId };
    const { id: share } = shared.as(shareSchema.strict());
    ids = { ...ids, ...made, visitor: asked.visitorId, share, evaluation };
    open = { ...UNKNOWN, datastore, datasource: other, agent, evaluation };
  });

  const isOfDocument = ({ path }: Route): boolean =>
    [':datasource', ':conversation', ':message', ':share'].some((kind) => path.includes(kind));

  describe('a document whose source names its readers', () => {
    it('is told to nobody else by any route with its ids: editors, owners, and API keys', async () => {
      const routes = ROUTES.filter((route) => route.scope !== 'admin' && isOfDocument(route));
      expect(routes.length).toBeGreaterThan(20);
      const before = (await reader.api.get(`/datasources/${ids.datasource}`)).text;
      for (const [name, { api }] of Object.entries(others))
        for (const route of routes) {
          const told = await sendRoute(api, route, ids);
          const unknown = await sendRoute(api, route, { ...ids, ...documentOf(UNKNOWN) });
          const withoutId = ({ text }: { text: string }) => text.replace(/"requestId":"[^"]*"/, '');
          expect([name, told.request, told.status]).toEqual([name, told.request, unknown.status]);
          if (told.status !== 200)
            expect([told.request, withoutId(told)]).toEqual([told.request, withoutId(unknown)]);
          assertTellsNothing(told, [WORD, ids.datasource]);
        }
      expect((await reader.api.get(`/datasources/${ids.datasource}`)).text).toBe(before);
    });

    it('is told by no other route, with what the caller may read', async () => {
      for (const { api } of Object.values(others)) {
        // The audit trail has the name of what a person has added, here the document before it was restricted.
        const reads = ROUTES.filter(
          (route) =>
            route.method === 'GET' && !route.path.endsWith('/audit-events') && !isOfMissingPart(route),
        );
        for (const route of reads)
          assertTellsNothing(await sendRoute(api, route, open), [WORD, ids.datasource]);
        for (const route of ROUTES.filter(
          ({ method, path }) => method === 'POST' && /query|explain/.test(path),
        ))
          for (const query of [
            QUESTION,
            'What is it about?',
            'Which documents do you have?',
            'Summarise the newest document.',
          ]) {
            const asking: Route = { ...route, json: (own) => ({ ...Object(route.json?.(own)), query }) };
            // The question itself is told.
            assertTellsNothing(await sendRoute(api, asking, open), [CODE, `${WORD} note`, ids.datasource]);
          }
        for (const filters of [{ custom_ids: [`${WORD}-id`] }, { datasource_ids: [ids.datasource] }]) {
          const json = { query: QUESTION, filters };
          const filtered = await api.post(`/datastores/${ids.datastore}/query`, json);
          assertTellsNothing(filtered, [CODE, ids.datasource]);
        }
      }
    });

    it('answers its reader, in the prompt of the model too, and nobody else', async () => {
      const { model } = fixture();
      for (const [person, isReader] of [
        [reader, true],
        [others['editor'], false],
        [others['owner'], false],
        [team, false],
      ] as const) {
        const answer = await person?.ask(agent, QUESTION);
        expect([isReader, JSON.stringify(answer).includes(CODE)]).toEqual([isReader, isReader]);
        const start = model.requests.length;
        await person?.ask(writer, QUESTION);
        const prompts = JSON.stringify(model.requests.slice(start).map(({ body }) => body));
        expect([isReader, prompts.includes(CODE)]).toEqual([isReader, isReader]);
      }
      const listed = await reader.api.get(`/datasources?datastoreId=${ids.datastore}`);
      expect(listed.as(z.array(datasourceSchema)).map(({ id }) => id)).toContain(ids.datasource);
    });

    it('is kept from programs with a token of another person: the format of OpenAI, and MCP', async () => {
      const body = { name: 'T', scopes: ['read', 'datastores:query', 'agents:query'] };
      const { token } = (await others['owner']?.api.post('/tokens', body))?.as(tokenWithSecretSchema) ?? {};
      const program = new ApiClient(fixture().deployment.origin, token ?? null);
      const messages = [{ role: 'user', content: QUESTION }];
      const call = (name: string, input: object) =>
        program.post(
          '/mcp',
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
          { accept: 'application/json, text/event-stream' },
        );
      const { datastore, datasource } = ids;
      const answers = [
        await program.post('/v1/chat/completions', { model: agent, messages }),
        await program.post(`/v1/vector_stores/${datastore}/search`, { query: QUESTION }),
        await call('search', { datastore, query: QUESTION }),
        await call('ask', { agent: 'Quotes', question: QUESTION }),
      ];
      for (const answer of answers) {
        assertTellsNothing(answer, [CODE, `${WORD} note`, datasource]);
        expect(answer.text).toContain('lighthouse');
      }
      assertTellsNothing(await call('read_source', { datasource_id: datasource }), [WORD]);
    });

    it('is lost with the next request when the source revokes it, and open streams end', async () => {
      const path = `/datasources/${ids.datasource}`;
      (await reader.api.get(`${path}/text`)).assertOk();
      const events = (await reader.api.open('GET', `${path}/events`)).text();
      await setReaders('nobody');
      const revokedAt = Date.now();
      (await reader.api.get(`${path}/text`)).assertError('NOT_FOUND');
      expect(JSON.stringify((await reader.ask(agent, QUESTION)).sources)).not.toContain(ids.datasource);
      await events;
      expect(Date.now() - revokedAt).toBeLessThan(CUT_OFF_MS);
    });
  });
};

function documentOf({ datasource, conversation, message, share }: Ids): Partial<Ids> {
  return { datasource, conversation, message, share };
}
