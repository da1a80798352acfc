import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ApiResponse } from '../client/api-response.js';
import type { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import type { SpecificationPart } from './describe-specification.js';

const idsOf = (answer: ApiResponse): string[] =>
  answer.as(z.array(z.looseObject({ id: z.string() }))).map(({ id }) => id);

export const lists: SpecificationPart = (fixture) => {
  describe('lists', () => {
    it('are newest first, in pages with a link to the next', async () => {
      const tenant = await Tenant.create(fixture().deployment);
      const store = await tenant.datastore();
      const agent = await tenant.agent({ datastoreIds: [store.id] });
      const made: Record<string, string[]> = {
        '/agents': [agent.id],
        '/datastores': [store.id],
        '/datasources': [],
        '/conversations': [],
      };
      for (let index = 0; index < 5; index += 1) {
        made['/agents']?.unshift((await tenant.agent({ datastoreIds: [store.id] })).id);
        made['/datastores']?.unshift((await tenant.datastore()).id);
        made['/datasources']?.unshift((await tenant.text(store.id, `text ${index}`)).id);
        made['/conversations']?.unshift((await tenant.ask(agent.id, 'Hello?')).conversationId);
      }
      for (const [path, ids] of Object.entries(made)) {
        expect([path, idsOf(await tenant.api.get(path))]).toEqual([path, ids]);
        for (const limit of [1, 2, 5, 100])
          expect([path, await walk(tenant.api, path, limit)]).toEqual([path, ids]);
      }
      const runs = `/datasources/${made['/datasources']?.[0]}/runs`;
      expect(idsOf(await tenant.api.get(runs))).toHaveLength(1);
      const filtered = `/datasources?datastoreId=${store.id}&status=synched`;
      expect(await walk(tenant.api, filtered, 2)).toEqual(made['/datasources']);
    });

    it('of messages and keys are paginated too', async () => {
      const tenant = await Tenant.create(fixture().deployment);
      const agent = await tenant.agent();
      const { conversationId } = await tenant.ask(agent.id, 'One?');
      await tenant.ask(agent.id, 'Two?', { conversationId });
      const schema = z.looseObject({ messages: z.array(z.looseObject({ text: z.string() })) });
      const first = await tenant.api.get(`/conversations/${conversationId}?limit=3`);
      expect(first.as(schema).messages).toHaveLength(3);
      const rest = await tenant.api.get(nextOf(first) ?? '');
      expect(rest.as(schema).messages.map(({ text }) => text)).toEqual(['One?']);
      for (const name of ['a', 'b', 'c']) await tenant.api.post('/api-keys', { name, scopes: ['read'] });
      expect(await walk(tenant.api, '/api-keys', 3)).toHaveLength(4);
    });

    it('refuse invalid pagination parameters', async () => {
      const { alice } = fixture();
      const paths = ['/agents', '/datastores', '/datasources', '/conversations', '/api-keys'];
      for (const path of paths) {
        for (const limit of ['0', '101', '-1', '1.5', 'x', '', '1&limit=2']) {
          (await alice.api.get(`${path}?limit=${limit}`)).assertError('INVALID_REQUEST', 'limit');
        }
        (await alice.api.get(`${path}?cursor=nonsense`)).assertError('INVALID_REQUEST', 'cursor');
        (await alice.api.get(`${path}?cursor=`)).assertError('INVALID_REQUEST', 'cursor');
        (await alice.api.get(`${path}?limit=100&unknown=1`)).assertError('INVALID_REQUEST', 'unknown');
      }
      (await alice.api.get('/datasources?status=lost')).assertError('INVALID_REQUEST', 'status');
      expect((await alice.api.get('/datasources?datastoreId=x')).json).toEqual([]);
      expect((await alice.api.get('/conversations?visitorId=nobody')).json).toEqual([]);
    });
  });
};

/** All ids of a list, read page by page. */
async function walk(api: ApiClient, path: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  while (next !== null) {
    const answer = await api.get(next);
    const page = idsOf(answer);
    expect(page.length).toBeLessThanOrEqual(limit);
    ids.push(...page);
    next = nextOf(answer);
  }
  return ids;
}

/**
 * Path of the next page relative to the API's base URL, from the `Link` header (RFC 8288); null on the last
 * page.
 */
function nextOf(answer: ApiResponse): string | null {
  const link = /^<\/api([^>]+)>; rel="next"$/.exec(answer.header('link') ?? '');
  return link?.[1] ?? null;
}
