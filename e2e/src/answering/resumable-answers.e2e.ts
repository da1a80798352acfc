import { expect, it } from '@jest/globals';
import { until } from '../client/tenant.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { modelFixture } from '../deployments/model.deployment.js';
import {
  answering,
  collect,
  HALF,
  HALF_TEXT,
  SLOWLY,
  startOf,
  TEXT,
  WORDS,
} from './resumable-answers/answering.js';

describeDeployment('an answer that stays', (start) => {
  // Two answers at once are the limit.
  const fixture = modelFixture(start, { CHAT_MODEL: 'test-chat', MAX_CONCURRENT_ANSWERS: '2' });
  const { nextReply, client, bicycles, leaveAfter, messagesOf, isFree } = answering(fixture);

  it('has its question and its ids from the start, goes on without its client, and is streamed to who returns', async () => {
    const agentId = await bicycles();
    nextReply(WORDS, SLOWLY);
    const { conversationId, messageId } = await leaveAfter(agentId, 3);
    const [answer, question] = await messagesOf(conversationId);
    expect(question).toMatchObject({ from: 'human', text: 'How long are bicycles guaranteed?' });
    expect(answer).toMatchObject({ id: messageId, from: 'agent', state: 'answering' });
    const followers = await Promise.all(
      [1, 2].map(() => collect(client().agents.follow(agentId, messageId))),
    );
    for (const events of followers) {
      const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
      expect([text, events.length > 10]).toEqual([TEXT, true]);
      expect(events.at(-1)).toMatchObject({ response: { messageId, conversationId, answer: text } });
    }
    const [complete] = await messagesOf(conversationId);
    expect(complete).toMatchObject({ state: 'complete', text: TEXT });
    expect(complete?.sources).toHaveLength(1);
    expect(followers[0]?.at(-1)).toMatchObject({ response: { sources: complete?.sources } });
    // Also after its end.
    expect((await collect(client().agents.follow(agentId, messageId))).at(-1)).toMatchObject({
      response: { answer: complete?.text, sources: complete?.sources },
    });
    await isFree(agentId);
  });

  it('is complete when nobody returns, before and after its first word', async () => {
    const agentId = await bicycles();
    for (const firstDelayMs of [0, 1_500]) {
      nextReply(['Two ', 'years.'], { firstDelayMs, delayMs: 500 });
      const stream = client().agents.streamResumable(agentId, { query: 'How long are bicycles guaranteed?' });
      const first = await stream.next();
      await stream.return();
      const { conversationId } = startOf(first.value);
      await until(
        async () => (await messagesOf(conversationId))[0]?.state === 'complete',
        'the answer to end',
      );
      expect((await messagesOf(conversationId))[0]?.text).toBe('Two years.');
    }
  });

  it('is stopped with its sources, and the call of the model ends', async () => {
    const { model } = fixture();
    const agentId = await bicycles();
    const calls = model.requests.length;
    nextReply(HALF.deltas, HALF);
    const { conversationId, messageId } = await leaveAfter(agentId, 1);
    const following = collect(client().agents.follow(agentId, messageId));
    expect(await client().agents.stop(agentId, messageId)).toEqual({ messageId, state: 'answering' });
    expect((await following).at(-1)).toMatchObject({
      response: { state: 'stopped', answer: HALF_TEXT, sources: [{ cited: true }] },
    });
    await until(async () => model.requests[calls]?.aborted, 'the model call to be cancelled', 3_000);
    const [answer] = await messagesOf(conversationId);
    expect(answer).toMatchObject({ state: 'stopped', text: HALF_TEXT, sources: [{ cited: true }] });
    expect(answer?.sources[0]?.quote?.text).toBe('Bicycles are guaranteed for two years.');
    expect(await client().agents.stop(agentId, messageId)).toEqual({ messageId, state: 'stopped' });
    await isFree(agentId);
  });

  it('is stopped before its first word', async () => {
    const agentId = await bicycles();
    const calls = fixture().model.requests.length;
    nextReply(['late'], { firstDelayMs: 20_000 });
    const stream = client().agents.streamResumable(agentId, { query: 'How long are bicycles guaranteed?' });
    const { messageId } = startOf((await stream.next()).value);
    await until(async () => fixture().model.requests[calls], 'the model to be called');
    await client().agents.stop(agentId, messageId);
    expect(await collect(stream)).toMatchObject([
      { type: 'response', response: { answer: '', state: 'stopped' } },
    ]);
  });

  it('fails with what it had, for everybody, and is no part of the history', async () => {
    const { model } = fixture();
    const agentId = await bicycles();
    nextReply(['Two years ', 'and '], { end: 'cut' });
    const stream = client().agents.streamResumable(agentId, { query: 'How long are bicycles guaranteed?' });
    const { conversationId, messageId } = startOf((await stream.next()).value);
    const failure = { code: 'UPSTREAM_UNAVAILABLE' };
    await expect(collect(stream)).rejects.toMatchObject(failure);
    await expect(collect(client().agents.follow(agentId, messageId))).rejects.toMatchObject(failure);
    const [answer] = await messagesOf(conversationId);
    expect(answer).toMatchObject({ state: 'failed', error: failure, sources: [{ cited: false }] });
    expect(answer?.text).toMatch(/^Two years/);
    await fixture().tenant.ask(agentId, 'Is the answer there now?', { conversationId });
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('Two years and');
  });

  it('ends with its conversation', async () => {
    const { model, tenant } = fixture();
    const agentId = await bicycles();
    const calls = model.requests.length;
    nextReply(HALF.deltas, HALF);
    const { conversationId } = await leaveAfter(agentId, 1);
    (await tenant.api.delete(`/conversations/${conversationId}`)).assertOk();
    await until(async () => model.requests[calls]?.aborted, 'the model call to be cancelled', 3_000);
  });

  it('needs a stream', async () => {
    const { tenant } = fixture();
    const agent = await tenant.agent();
    (await tenant.api.post(`/agents/${agent.id}/query`, { query: 'Hello?', resumable: true })).assertError(
      'INVALID_REQUEST',
      'resumable',
    );
  });
});
