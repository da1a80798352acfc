import {
  conversationSchema,
  conversationWithMessagesSchema,
  messageSchema,
} from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { NON_STRINGS, assertEachRefused, UNKNOWN_ID, UNSTORABLE } from './field-checks.js';
import { type SpecificationPart, WITH_MODEL } from './describe-specification.js';

const whole = conversationWithMessagesSchema.strict();

export const conversations: SpecificationPart = (fixture) => {
  describe('conversations', () => {
    it('hold all messages, newest first, with sources that outlive the datasource', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const source = await alice.text(datastoreId, 'Kelp is harvested in spring.');
      const agent = await alice.agent({ datastoreIds: [datastoreId] });
      const first = await alice.ask(agent.id, 'When is kelp harvested?', { visitorId: 'v-1' });
      const { conversationId } = first;
      await alice.ask(agent.id, 'And who won at chess?', { conversationId });
      (await alice.api.delete(`/datasources/${source.id}`)).assertOk();
      const { messages, ...conversation } = (await alice.api.get(`/conversations/${conversationId}`)).as(
        whole,
      );
      expect([conversation.id, conversation.agentId, conversation.visitorId]).toEqual([
        conversationId,
        agent.id,
        'v-1',
      ]);
      expect(messages.map(({ from }) => from)).toEqual(['agent', 'human', 'agent', 'human']);
      expect(messages[3]?.text).toBe('When is kelp harvested?');
      expect(messages[2]?.id).toBe(first.messageId);
      expect(messages[2]?.text).toBe(first.answer);
      expect(messages[2]?.sources).toEqual(first.sources);
    });

    it('belong to one agent: an id used with two agents is ambiguous without the agent', async () => {
      const { alice } = fixture();
      const [one, two] = [await alice.agent({ name: 'One' }), await alice.agent({ name: 'Two' })];
      const conversationId = 'shared by two';
      await alice.ask(one.id, 'First?', { conversationId });
      await alice.ask(two.id, 'Second?', { conversationId });
      const path = `/conversations/${encodeURIComponent(conversationId)}`;
      (await alice.api.get(path)).assertError('CONFLICT');
      (await alice.api.delete(path)).assertError('CONFLICT');
      const { messages } = (await alice.api.get(`${path}?agentId=${two.id}`)).as(whole);
      expect([messages.length, messages[1]?.text]).toEqual([2, 'Second?']);
      (await alice.api.get(`${path}?agentId=${UNKNOWN_ID}`)).assertError('NOT_FOUND');
      (await alice.api.get(`${path}?agentId=x`)).assertError('NOT_FOUND');
      (await alice.api.delete(`${path}?agentId=${one.id}`)).as(conversationSchema.strict());
      expect((await alice.api.get(path)).as(whole).agentId).toBe(two.id);
    });

    it('with the same id in two organizations are separate', async () => {
      const { alice, bob, model } = fixture();
      const conversationId = 'same in both';
      const agentOfAlice = await alice.agent({ modelName: WITH_MODEL });
      const agentOfBob = await bob.agent({ modelName: WITH_MODEL });
      await alice.ask(agentOfAlice.id, 'The password is swordfish.', { conversationId, visitorId: 'v' });
      await bob.ask(agentOfBob.id, 'What is the password?', { conversationId, visitorId: 'v' });
      expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('swordfish');
      expect((await bob.api.get(`/conversations/${conversationId}`)).as(whole).messages).toHaveLength(2);
      (await bob.api.delete('/visitors/v')).assertOk();
      expect((await alice.api.get(`/conversations/${conversationId}`)).as(whole).messages).toHaveLength(2);
    });

    it('are listed by agent and visitor, and deleted with the visitor', async () => {
      const { alice } = fixture();
      const agent = await alice.agent();
      const visitorId = `visitor ${agent.id}`;
      const one = await alice.ask(agent.id, 'One?', { visitorId });
      const two = await alice.ask(agent.id, 'Two?', { visitorId });
      await alice.ask(agent.id, 'Three?', { visitorId: 'somebody else' });
      const list = z.array(conversationSchema.strict());
      const byAgent = (await alice.api.get(`/conversations?agentId=${agent.id}`)).as(list);
      expect(byAgent).toHaveLength(3);
      const query = `visitorId=${encodeURIComponent(visitorId)}`;
      const byVisitor = (await alice.api.get(`/conversations?${query}`)).as(list);
      expect(byVisitor.map(({ id }) => id)).toEqual([two.conversationId, one.conversationId]);
      (await alice.api.delete(`/conversations/${one.conversationId}`)).as(conversationSchema.strict());
      (await alice.api.delete(`/conversations/${one.conversationId}`)).assertError('NOT_FOUND');
      const deleted = await alice.api.delete(`/visitors/${encodeURIComponent(visitorId)}`);
      expect(deleted.json).toEqual({ id: visitorId, conversations: 1, messages: 2 });
      (await alice.api.delete(`/visitors/${encodeURIComponent(visitorId)}`)).assertError('NOT_FOUND');
      expect((await alice.api.get(`/conversations?${query}`)).json).toEqual([]);
    });

    it('tell their question, whether it was answered, and the worst rating', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      await alice.text(datastoreId, 'Kelp is harvested in spring.');
      const agent = await alice.agent({ datastoreIds: [datastoreId] });
      const kelp = 'When is kelp harvested?';
      const ask = async (conversationId: string, question: string, ...ratings: ('good' | 'bad')[]) => {
        const { messageId } = await alice.ask(agent.id, question, { conversationId });
        const path = `/conversations/${conversationId}/messages/${messageId}/feedback?agentId=${agent.id}`;
        for (const rating of ratings)
          (await alice.api.post(path, { rating, comment: '=HYPERLINK("x")' })).assertOk();
      };
      await ask('plain', kelp);
      await ask('liked', kelp, 'good');
      await ask('mixed', kelp, 'good');
      await ask('mixed', kelp, 'bad');
      await ask('failed', '+Who won at chess?');
      await ask('failed', kelp);

      const list = z.array(conversationSchema.strict());
      const query = async (filter: string): Promise<string[]> => {
        const conversations = await alice.api.get(`/conversations?agentId=${agent.id}${filter}`);
        return conversations.as(list).map(({ id }) => id);
      };
      expect(await query('&unanswered=true')).toEqual(['failed']);
      expect(await query('&unanswered=false')).toEqual(['mixed', 'liked', 'plain']);
      expect(await query('&rating=bad')).toEqual(['mixed']);
      expect(await query('&rating=good')).toEqual(['liked']);
      (await alice.api.get('/conversations?unanswered=maybe')).assertError('INVALID_REQUEST');

      const pages = `/conversations?agentId=${agent.id}&unanswered=false&limit=2`;
      const first = await alice.api.get(pages);
      const next = /<\/api([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      expect((await alice.api.get(next)).as(list).map(({ id }) => id)).toEqual(['plain']);

      expect((await alice.api.get(`/conversations/failed?agentId=${agent.id}`)).as(whole)).toMatchObject({
        title: '+Who won at chess?',
        messageCount: 4,
        answered: false,
        rating: null,
      });

      const csv = await alice.api.get(`/exports/conversations?agentId=${agent.id}&rating=bad`);
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(csv.text.match(/mixed/g)).toHaveLength(2);
      expect(csv.text).toContain(`,"no","bad","'=HYPERLINK(""x"")",`);
      const failed = await alice.api.get(`/exports/conversations?agentId=${agent.id}&unanswered=true`);
      expect(failed.text).toContain(`,"failed","'+Who won at chess?",`);
      expect(failed.text).toContain(',"yes",,,,"complete",\r\n');
    });

    it('accept feedback on answers', async () => {
      const { alice } = fixture();
      const agent = await alice.agent();
      const { conversationId, messageId } = await alice.ask(agent.id, 'Good?');
      const path = `/conversations/${conversationId}/messages/${messageId}/feedback`;
      await assertEachRefused(
        alice.api,
        'POST',
        path,
        { rating: 'good' },
        {
          rating: ['great', '', undefined, ...NON_STRINGS],
          comment: ['x'.repeat(4_097), ...UNSTORABLE, 1, []],
        },
      );
      const rated = (await alice.api.post(path, { rating: 'good', comment: 'thanks' })).as(
        messageSchema.strict(),
      );
      expect(rated).toMatchObject({ id: messageId, rating: 'good', comment: 'thanks', abstained: true });
      (await alice.api.post(path, { rating: 'bad', comment: null })).assertOk();
      const { messages } = (await alice.api.get(`/conversations/${conversationId}`)).as(whole);
      expect(messages[0]?.rating).toBe('bad');
      expect(messages.map((message) => [message.comment, message.abstained])).toEqual([
        [undefined, true],
        [undefined, undefined],
      ]);
      const human = `/conversations/${conversationId}/messages/${messages[1]?.id}/feedback`;
      (await alice.api.post(human, { rating: 'good' })).assertError('NOT_FOUND');
    });
  });
};
