import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conversationSchema, conversationWithMessagesSchema, messageSchema } from '@citewell/contracts/http';
import { z } from 'zod';
import { NO_STRINGS, refusesEach, UNKNOWN_ID, UNSTORABLE } from './field-checks.js';
import { type Part, WITH_MODEL } from './play.js';

const whole = conversationWithMessagesSchema.strict();

export const conversations: Part = (play) => {
  describe('conversations', () => {
    it('hold every turn, newest first, with quotes that stay', async () => {
      const { alice } = play();
      const { id: datastoreId } = await alice.datastore();
      const source = await alice.text(datastoreId, 'Kelp is harvested in spring.');
      const agent = await alice.agent({ datastoreIds: [datastoreId] });
      const first = await alice.ask(agent.id, 'When is kelp harvested?', { visitorId: 'v-1' });
      const { conversationId } = first;
      await alice.ask(agent.id, 'And who won at chess?', { conversationId });
      (await alice.api.delete(`/datasources/${source.id}`)).succeeded();
      const { messages, ...conversation } = (await alice.api.get(`/conversations/${conversationId}`)).as(
        whole,
      );
      assert.deepEqual(
        [conversation.id, conversation.agentId, conversation.visitorId],
        [conversationId, agent.id, 'v-1'],
      );
      assert.deepEqual(
        messages.map(({ from }) => from),
        ['agent', 'human', 'agent', 'human'],
      );
      assert.equal(messages[3]?.text, 'When is kelp harvested?');
      assert.equal(messages[2]?.id, first.messageId);
      assert.equal(messages[2]?.text, first.answer);
      assert.deepEqual(messages[2]?.sources, first.sources);
    });

    it('are of one agent: the same id elsewhere is another, and ambiguous without the agent', async () => {
      const { alice } = play();
      const [one, two] = [await alice.agent({ name: 'One' }), await alice.agent({ name: 'Two' })];
      const conversationId = 'shared by two';
      await alice.ask(one.id, 'First?', { conversationId });
      await alice.ask(two.id, 'Second?', { conversationId });
      const path = `/conversations/${encodeURIComponent(conversationId)}`;
      (await alice.api.get(path)).refusedWith('CONFLICT');
      (await alice.api.delete(path)).refusedWith('CONFLICT');
      const { messages } = (await alice.api.get(`${path}?agentId=${two.id}`)).as(whole);
      assert.deepEqual([messages.length, messages[1]?.text], [2, 'Second?']);
      (await alice.api.get(`${path}?agentId=${UNKNOWN_ID}`)).refusedWith('NOT_FOUND');
      (await alice.api.get(`${path}?agentId=x`)).refusedWith('NOT_FOUND');
      (await alice.api.delete(`${path}?agentId=${one.id}`)).as(conversationSchema.strict());
      assert.equal((await alice.api.get(path)).as(whole).agentId, two.id);
    });

    it('of two organizations under one id know nothing of each other', async () => {
      const { alice, bob, model } = play();
      const conversationId = 'same in both';
      const hers = await alice.agent({ modelName: WITH_MODEL });
      const his = await bob.agent({ modelName: WITH_MODEL });
      await alice.ask(hers.id, 'The password is swordfish.', { conversationId, visitorId: 'v' });
      await bob.ask(his.id, 'What is the password?', { conversationId, visitorId: 'v' });
      assert.ok(!JSON.stringify(model.requests.at(-1)?.body).includes('swordfish'));
      assert.equal((await bob.api.get(`/conversations/${conversationId}`)).as(whole).messages.length, 2);
      (await bob.api.delete('/visitors/v')).succeeded();
      assert.equal((await alice.api.get(`/conversations/${conversationId}`)).as(whole).messages.length, 2);
    });

    it('are listed by agent and visitor, and forgotten with either', async () => {
      const { alice } = play();
      const agent = await alice.agent();
      const visitorId = `visitor ${agent.id}`;
      const one = await alice.ask(agent.id, 'One?', { visitorId });
      const two = await alice.ask(agent.id, 'Two?', { visitorId });
      await alice.ask(agent.id, 'Three?', { visitorId: 'somebody else' });
      const list = z.array(conversationSchema.strict());
      const byAgent = (await alice.api.get(`/conversations?agentId=${agent.id}`)).as(list);
      assert.equal(byAgent.length, 3);
      const query = `visitorId=${encodeURIComponent(visitorId)}`;
      const byVisitor = (await alice.api.get(`/conversations?${query}`)).as(list);
      assert.deepEqual(
        byVisitor.map(({ id }) => id),
        [two.conversationId, one.conversationId],
      );
      (await alice.api.delete(`/conversations/${one.conversationId}`)).as(conversationSchema.strict());
      (await alice.api.delete(`/conversations/${one.conversationId}`)).refusedWith('NOT_FOUND');
      const forgotten = await alice.api.delete(`/visitors/${encodeURIComponent(visitorId)}`);
      assert.deepEqual(forgotten.json, { id: visitorId, conversations: 1 });
      (await alice.api.delete(`/visitors/${encodeURIComponent(visitorId)}`)).refusedWith('NOT_FOUND');
      assert.deepEqual((await alice.api.get(`/conversations?${query}`)).json, []);
    });

    it('take feedback on answers', async () => {
      const { alice } = play();
      const agent = await alice.agent();
      const { conversationId, messageId } = await alice.ask(agent.id, 'Good?');
      const path = `/conversations/${conversationId}/messages/${messageId}/feedback`;
      await refusesEach(
        alice.api,
        'POST',
        path,
        { rating: 'good' },
        {
          rating: ['great', '', undefined, ...NO_STRINGS],
          comment: ['x'.repeat(4_097), ...UNSTORABLE, 1, []],
        },
      );
      const rated = (await alice.api.post(path, { rating: 'good', comment: 'thanks' })).as(
        messageSchema.strict(),
      );
      assert.deepEqual([rated.id, rated.rating], [messageId, 'good']);
      (await alice.api.post(path, { rating: 'bad', comment: null })).succeeded();
      const { messages } = (await alice.api.get(`/conversations/${conversationId}`)).as(whole);
      assert.equal(messages[0]?.rating, 'bad');
      const human = `/conversations/${conversationId}/messages/${messages[1]?.id}/feedback`;
      (await alice.api.post(human, { rating: 'good' })).refusedWith('NOT_FOUND');
    });
  });
};
