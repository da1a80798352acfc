import {
  apiKeyWithSecretSchema,
  conversationSchema,
  conversationWithMessagesSchema,
  feedbackItemSchema,
  organizationSettingsSchema,
  type Scope,
  sessionSchema,
  sharedConversationSchema,
  shareSchema,
} from '@citewell/contracts/schemas';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { join, type Member } from '../client/join.js';
import { Tenant } from '../client/tenant.js';
import { UNKNOWN_ID } from './field-checks.js';
import { type SpecificationPart, WITH_MODEL } from './describe-specification.js';

const whole = conversationWithMessagesSchema.strict();
const list = z.array(conversationSchema.strict());
const SECRET = 'My password is swordfish.';

/** Conversations belong to the people who ask. */
export const ownConversations: SpecificationPart = (fixture) => {
  describe('conversations of people and keys', () => {
    let tenant: Tenant;
    let grace: Member;
    let owner: Member;
    let agentId: string;
    const others: Record<string, Tenant> = {};
    const other = (name: string): Tenant => others[name] ?? tenant;

    async function keyWith(...scopes: Scope[]): Promise<Tenant> {
      const { key } = (await tenant.api.post('/api-keys', { name: 'K', scopes })).as(apiKeyWithSecretSchema);
      return new Tenant(tenant.api.with(key), tenant.organizationId);
    }

    beforeAll(async () => {
      tenant = await Tenant.create(fixture().deployment, 'Conversations');
      agentId = (await tenant.agent({ modelName: WITH_MODEL })).id;
      grace = await join(tenant, 'member');
      owner = await join(tenant, 'owner');
      Object.assign(others, {
        'another member': await join(tenant, 'member'),
        'an editor': await join(tenant, 'editor'),
        'an owner': owner,
        'the first key': tenant,
        'a key that reads': await keyWith('read', 'agents:query', 'write'),
      });
    });

    const OTHERS = ['another member', 'an editor', 'an owner', 'the first key', 'a key that reads'];

    it.each(OTHERS)('%s neither reads nor changes the conversation of a person', async (name) => {
      const stranger = other(name);
      const conversationId = `of grace ${name}`;
      const { messageId } = await grace.ask(agentId, SECRET, {
        conversationId,
        visitorId: `visitor ${name}`,
      });
      const path = `/conversations/${encodeURIComponent(conversationId)}`;
      (await stranger.api.get(path)).assertError('NOT_FOUND');
      (await stranger.api.delete(path)).assertError('NOT_FOUND');
      const feedback = `${path}/messages/${messageId}/feedback`;
      (await stranger.api.post(feedback, { rating: 'bad' })).assertError('NOT_FOUND');
      const answer = `/agents/${agentId}/answers/${messageId}`;
      (await stranger.api.get(`${answer}/stream`)).assertError('NOT_FOUND');
      (await stranger.api.post(`${answer}/stop`)).assertError('NOT_FOUND');
      for (const listing of [
        '/conversations?limit=100',
        '/conversations?search=swordfish',
        '/exports/conversations',
      ])
        expect((await stranger.api.get(listing)).text).not.toContain('swordfish');
      // Not even those who may delete visitors.
      const removal = await stranger.api.delete(`/visitors/${encodeURIComponent(`visitor ${name}`)}`);
      expect([403, 404]).toContain(removal.status);
      const { messages } = (await grace.api.get(path)).as(whole);
      expect(messages.map(({ text, rating }) => [text, rating])).toEqual([
        [expect.any(String), undefined],
        [SECRET, undefined],
      ]);
    });

    it.each(OTHERS)('%s with the same id begins another conversation, without its history', async (name) => {
      const stranger = other(name);
      const { model } = fixture();
      const conversationId = `same ${name}`;
      await grace.ask(agentId, SECRET, { conversationId });
      const answer = await stranger.ask(agentId, 'What is my password?', { conversationId });
      expect(answer.conversationId).toBe(conversationId);
      expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('swordfish');
      // Both go on with their own.
      await grace.ask(agentId, 'And mine?', { conversationId });
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('swordfish');
      const path = `/conversations/${encodeURIComponent(conversationId)}`;
      expect((await grace.api.get(path)).as(whole)).toMatchObject({ messageCount: 4, own: true });
      expect((await stranger.api.get(path)).as(whole)).toMatchObject({ messageCount: 2, own: true });
    });

    it('a member lists, exports, rates and deletes the own ones', async () => {
      const { conversationId, messageId } = await grace.ask(agentId, 'Mine?');
      const found = (await grace.api.get('/conversations?own=true&search=mine')).as(list);
      expect(found.map(({ id }) => id)).toContain(conversationId);
      expect(found[0]).toMatchObject({ own: true, person: { id: grace.personId, name: 'Grace' } });
      expect((await grace.api.get('/exports/conversations')).text).toContain('Mine?');
      const path = `/conversations/${conversationId}`;
      (await grace.api.post(`${path}/messages/${messageId}/feedback`, { rating: 'good' })).assertOk();
      (await grace.api.delete(path)).as(conversationSchema.strict());
      (await grace.api.get(path)).assertError('NOT_FOUND');
    });

    it('a key without `admin` sees those that it began, owners and `admin` those of all keys', async () => {
      const [one, two] = [
        await keyWith('read', 'agents:query', 'write'),
        await keyWith('read', 'agents:query'),
      ];
      const { conversationId, messageId } = await one.ask(agentId, 'Of a key?');
      const path = `/conversations/${conversationId}`;
      expect((await one.api.get('/conversations')).as(list).map(({ id }) => id)).toEqual([conversationId]);
      expect((await two.api.get('/conversations')).json).toEqual([]);
      expect((await two.api.get('/exports/conversations')).text).not.toContain('Of a key?');
      (await two.api.get(path)).assertError('NOT_FOUND');
      (await two.api.post(`${path}/messages/${messageId}/feedback`, { rating: 'bad' })).assertError(
        'NOT_FOUND',
      );
      (await two.api.get(`/agents/${agentId}/answers/${messageId}/stream`)).assertError('NOT_FOUND');
      const query = { query: 'And now?', conversationId };
      (await two.api.post(`/agents/${agentId}/query`, query)).assertError('CONFLICT');
      for (const reader of [tenant, owner, other('an editor')])
        expect((await reader.api.get(path)).as(whole)).toMatchObject({ own: false, person: null });
      (await grace.api.get(path)).assertError('NOT_FOUND');
      (await two.api.delete(path)).assertError('FORBIDDEN');
      (await one.api.delete(path)).assertOk();
    });

    it('a key goes on with the conversations of a key that was revoked', async () => {
      const former = (await tenant.api.post('/api-keys', { name: 'K', scopes: ['agents:query'] })).as(
        apiKeyWithSecretSchema,
      );
      const begun = await new Tenant(tenant.api.with(former.key), '').ask(agentId, SECRET);
      const next = await keyWith('agents:query', 'read');
      (await tenant.api.delete(`/api-keys/${former.id}`)).assertOk();
      await next.ask(agentId, 'Again?', { conversationId: begun.conversationId });
      expect(JSON.stringify(fixture().model.requests.at(-1)?.body)).toContain('swordfish');
      (await next.api.get(`/conversations/${begun.conversationId}`)).assertError('NOT_FOUND');
    });

    it('get a name from their person, and keep it', async () => {
      const { conversationId } = await grace.ask(agentId, 'A very long question?');
      const path = `/conversations/${conversationId}`;
      const named = async (title: unknown) => grace.api.patch(path, { title });
      const before = (await grace.api.get(path)).as(whole);
      expect((await named('Renamed')).as(conversationSchema.strict())).toMatchObject({
        title: 'Renamed',
        updatedAt: before.updatedAt,
      });
      await grace.ask(agentId, 'More?', { conversationId });
      expect((await grace.api.get(path)).as(whole).title).toBe('Renamed');
      expect((await grace.api.get('/conversations?search=rename')).as(list)).toHaveLength(1);
      for (const bad of ['', ' ', 'a\nb', 'x'.repeat(256), 1, undefined])
        (await named(bad)).assertError('INVALID_REQUEST');
      for (const name of OTHERS) (await other(name).api.patch(path, { title: 'x' })).assertError('NOT_FOUND');
      expect((await named(null)).as(conversationSchema.strict()).title).toBe('A very long question?');
    });

    it('are read by a link inside the organization, until it is ended', async () => {
      const { id: datastoreId } = await tenant.datastore();
      await tenant.text(datastoreId, 'Kelp is harvested in spring.');
      const source = await tenant.text(datastoreId, 'Lobsters are caught in autumn.');
      const reader = await tenant.agent({ datastoreIds: [datastoreId] });
      const { conversationId, messageId } = await grace.ask(reader.id, 'When are lobsters caught?');
      const path = `/conversations/${conversationId}`;
      (
        await grace.api.post(`${path}/messages/${messageId}/feedback`, { rating: 'bad', comment: 'Hm.' })
      ).assertOk();
      const share = async () => (await grace.api.post(`${path}/share`)).as(shareSchema.strict());
      const first = await share();
      const link = `/shared-conversations/${first.id}`;
      await grace.ask(reader.id, 'And later?', { conversationId });
      for (const name of ['another member', 'an editor', 'an owner']) {
        const shared = (await other(name).api.get(link)).as(sharedConversationSchema.strict());
        expect(shared).toMatchObject({ title: 'When are lobsters caught?', sharedBy: 'Grace' });
        // Without what came later, and nothing else of the person.
        expect(shared.messages.map(({ from }) => from)).toEqual(['agent', 'human']);
        const text = JSON.stringify(shared);
        for (const secret of ['Hm.', '"bad"', 'Kelp', grace.personId, conversationId])
          expect(text).not.toContain(secret);
        expect(text).toContain('Lobsters are caught');
        // A link is for reading.
        (await other(name).api.get(path)).assertError('NOT_FOUND');
        (await other(name).api.get(`${link}?limit=1`)).assertOk();
      }
      for (const key of [tenant, other('a key that reads')])
        (await key.api.get(link)).assertError('NOT_FOUND');
      (await fixture().bob.api.get(link)).assertError('NOT_FOUND');
      const stranger = await join(fixture().bob, 'owner');
      (await stranger.api.get(link)).assertError('NOT_FOUND');
      for (const name of OTHERS) {
        (await other(name).api.post(`${path}/share`)).assertError('NOT_FOUND');
        (await other(name).api.delete(`${path}/share`)).assertError('NOT_FOUND');
      }

      const again = await share();
      expect(again.id).toBe(first.id);
      expect((await owner.api.get(link)).as(sharedConversationSchema).messages).toHaveLength(4);
      expect((await grace.api.get(path)).as(whole).share).toEqual(again);

      // The library of a deleted document is not known: only owners, and the person, still read it.
      (await tenant.api.delete(`/datasources/${source.id}`)).assertOk();
      (await other('another member').api.get(link)).assertError('NOT_FOUND');
      (await owner.api.get(link)).assertOk();
      (await grace.api.get(link)).assertOk();

      expect((await grace.api.delete(`${path}/share`)).as(conversationSchema.strict()).share).toBeNull();
      (await owner.api.get(link)).assertError('NOT_FOUND');
      // An ended link stays ended, and a deleted conversation has none.
      const second = await share();
      expect(second.id).not.toBe(first.id);
      (await owner.api.get(link)).assertError('NOT_FOUND');
      (await owner.api.get(`/shared-conversations/${second.id}`)).assertOk();
      (await grace.api.delete(path)).assertOk();
      (await owner.api.get(`/shared-conversations/${second.id}`)).assertError('NOT_FOUND');
      for (const id of ['x', UNKNOWN_ID, conversationId])
        (await owner.api.get(`/shared-conversations/${id}`)).assertError('NOT_FOUND');
    });

    it('the answer to an Idempotency-Key of another person is not repeated', async () => {
      const create = async (person: Tenant): Promise<string> => {
        const headers = { 'Idempotency-Key': 'same' };
        const response = await person.api.call('POST', '/agents', { headers, json: { name: 'Of one' } });
        response.assertOk();
        return z.object({ id: z.string() }).parse(response.json).id;
      };
      const [first, second] = [await create(owner), await create(other('an editor'))];
      expect(first).not.toBe(second);
      expect(await create(owner)).toBe(first);
    });

    it('are read by owners from the moment on at which the organization decides so, and people are told', async () => {
      const admins = [tenant, owner];
      const others = [other('an editor'), other('another member'), other('a key that reads')];
      const before = (await grace.ask(agentId, SECRET)).conversationId;
      const since = async (person: Tenant) =>
        (await person.api.get('/session')).as(sessionSchema.strict()).organization
          .ownersReadConversationsSince;
      expect(await since(grace)).toBeNull();
      for (const refused of others)
        (await refused.api.patch('/organization', { ownersReadConversations: true })).assertError(
          'FORBIDDEN',
        );
      (await owner.api.patch('/organization', { ownersReadConversations: 'yes' })).assertError(
        'INVALID_REQUEST',
      );
      const set = async (ownersReadConversations: boolean) =>
        (await owner.api.patch('/organization', { ownersReadConversations })).as(
          organizationSettingsSchema.strict(),
        );
      const first = await set(true);
      expect(first.ownersReadConversations).toBe(true);
      expect(await set(true)).toEqual(first);
      expect(await since(grace)).toBe(first.ownersReadConversationsSince);

      const { conversationId, messageId } = await grace.ask(agentId, SECRET);
      for (const reader of admins) {
        const found = (await reader.api.get('/conversations?limit=100'))
          .as(list)
          .filter(({ person }) => person?.id === grace.personId);
        expect(found.map(({ title, person }) => [title, person?.name])).toEqual([[SECRET, 'Grace']]);
        const path = `/conversations/${found[0]?.id}`;
        expect((await reader.api.get(path)).as(whole).messages).toHaveLength(2);
        const exported = (await reader.api.get('/exports/conversations')).text;
        expect([exported.includes(found[0]?.id ?? ''), exported.includes(before)]).toEqual([true, false]);
        // Reading is all.
        (await reader.api.delete(path)).assertError('NOT_FOUND');
        const rating = `${path}/messages/${messageId}/feedback`;
        (await reader.api.post(rating, { rating: 'bad' })).assertError('NOT_FOUND');
        (await reader.api.get(`/agents/${agentId}/answers/${messageId}/stream`)).assertError('NOT_FOUND');
        for (const id of [before, conversationId])
          (await reader.api.get(`/conversations/${id}`)).assertError('NOT_FOUND');
        expect((await reader.api.get('/conversations?search=swordfish')).json).toEqual([]);
      }
      for (const reader of others)
        expect((await reader.api.get('/conversations?limit=100')).text).not.toContain(grace.personId);
      await set(false);
      for (const reader of admins)
        expect((await reader.api.get('/conversations?limit=100')).text).not.toContain(grace.personId);
    });

    it('show owners questions without an answer, and ratings, without who asked', async () => {
      const team = await Tenant.create(fixture().deployment, 'Feedback');
      const { id } = await team.agent({
        datastoreIds: [(await team.datastore()).id],
        restrictToSources: true,
      });
      const [member, boss] = [await join(team, 'member'), await join(team, 'owner', 'Olga')];
      await member.ask(id, 'Who counts?', { visitorId: 'visitor of grace' });
      const { conversationId, messageId } = await member.ask(id, 'Why?');
      const rating = `/conversations/${conversationId}/messages/${messageId}/feedback`;
      (await member.api.post(rating, { rating: 'bad', comment: 'Useless.' })).assertOk();
      await team.ask(id, 'And who asks without an account?');
      for (const reader of [team, boss]) {
        const items = async (query = '') =>
          (await reader.api.get(`/feedback${query}`)).as(z.array(feedbackItemSchema.strict()));
        expect((await items()).map(({ question, comment }) => [question, comment])).toEqual([
          ['And who asks without an account?', null],
          ['Why?', 'Useless.'],
          ['Who counts?', null],
        ]);
        expect((await items('?kind=bad')).map(({ question }) => question)).toEqual(['Why?']);
        expect(await items('?kind=good')).toEqual([]);
        expect(await items(`?kind=unanswered&agentId=${agentId}`)).toEqual([]);
        expect(await items('?agentId=x')).toEqual([]);
        const { text } = await reader.api.get('/feedback');
        for (const secret of [conversationId, 'visitor of grace', member.personId, 'Grace'])
          expect(text).not.toContain(secret);
      }
      (await member.api.get('/feedback')).assertError('FORBIDDEN');
    });

    it('are removed with their person', async () => {
      const leaver = await join(tenant, 'member');
      const { conversationId } = await leaver.ask(agentId, 'Bye?');
      (await tenant.api.delete(`/people/${leaver.personId}`)).assertOk();
      const path = `/conversations/${conversationId}`;
      for (const reader of [tenant, owner]) (await reader.api.get(path)).assertError('NOT_FOUND');
    });
  });
};
