import { conversationWithMessagesSchema } from '@citewell/contracts/schemas';
import { Citewell, type ResumableAnswerEvent } from '@citewell/sdk';
import type { ChatReply } from '@citewell/testing';
import { describe, expect, it } from '@jest/globals';
import { until } from './client/tenant.js';
import type { StartDeployment } from './deployments/deployment.js';
import { describeDeployment } from './deployments/describe-deployment.js';
import { modelFixture } from './deployments/model.deployment.js';
import { startScaled } from './deployments/scaled.deployment.js';

const WORDS = Array.from({ length: 30 }, (_, index) => `${index} word `).concat('end');
const TEXT = WORDS.join('');
/** Slow enough to come back to. */
const SLOWLY: Partial<ChatReply> = { delayMs: 100 };
/** Half of an answer, then nothing. */
const HALF = { deltas: ['Two years [1],', ' at least'], end: 'hang' } as const;
const HALF_TEXT = 'Two years [1], at least';
const LONG_MS = 60_000;

/** Starts a deployment for the suite. Two answers at once are the limit. */
function answering(start: StartDeployment) {
  const fixture = modelFixture(start, { CHAT_MODEL: 'test-chat', MAX_CONCURRENT_ANSWERS: '2' });
  const nextReply = (deltas: readonly string[], more: Partial<ChatReply> = {}): void =>
    fixture().model.next({ kind: 'chat', deltas, ...more });
  const clientOf = (origin: string) =>
    new Citewell({ baseUrl: `${origin}/api`, apiKey: fixture().tenant.api.key ?? '' });
  const client = () => clientOf(fixture().deployment.origin);

  /** An agent with a document about bicycles. */
  async function bicycles(): Promise<string> {
    const { tenant } = fixture();
    const { id: datastoreId } = await tenant.datastore();
    await tenant.text(datastoreId, 'Bicycles are guaranteed for two years.');
    return (await tenant.agent({ datastoreIds: [datastoreId] })).id;
  }
  /** Asks, reads the given number of pieces, and leaves. */
  async function leaveAfter(agentId: string, pieces: number) {
    const query = 'How long are bicycles guaranteed?';
    let ids = { conversationId: '', messageId: '' };
    let left = pieces;
    for await (const event of client().agents.streamResumable(agentId, { query })) {
      if (event.type === 'started') ids = event.start;
      else left -= 1;
      if (left <= 0) break;
    }
    return ids;
  }
  async function messagesOf(conversationId: string) {
    const { api } = fixture().tenant;
    const path = `/conversations/${conversationId}`;
    return (await api.get(path)).as(conversationWithMessagesSchema).messages;
  }
  const isFree = async (agentId: string): Promise<void> => {
    const { tenant } = fixture();
    // Two at once are the limit.
    await Promise.all([tenant.ask(agentId, 'One?'), tenant.ask(agentId, 'Two?')]);
  };
  return { fixture, nextReply, clientOf, client, bicycles, leaveAfter, messagesOf, isFree };
}

describeDeployment('an answer that stays', (start) => {
  const { fixture, nextReply, client, bicycles, leaveAfter, messagesOf, isFree } = answering(start);

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

describe('an answer that stays, with another API process', () => {
  const { fixture, nextReply, clientOf, bicycles, leaveAfter } = answering(startScaled);

  it(
    'is followed and stopped there, and ends with its process',
    async () => {
      const { model, deployment } = fixture();
      const another = await deployment.startAnotherApi?.();
      if (another === undefined) throw new Error('There is only one process');
      const there = clientOf(another.origin);
      const agentId = await bicycles();

      nextReply(WORDS, SLOWLY);
      const followed = await leaveAfter(agentId, 3);
      const events = await collect(there.agents.follow(agentId, followed.messageId));
      expect(events.length).toBeGreaterThan(3);
      expect(events.at(-1)).toMatchObject({ response: { answer: TEXT } });

      const calls = model.requests.length;
      nextReply(HALF.deltas, HALF);
      const stopped = await leaveAfter(agentId, 1);
      await there.agents.stop(agentId, stopped.messageId);
      expect((await collect(there.agents.follow(agentId, stopped.messageId))).at(-1)).toMatchObject({
        response: { state: 'stopped', answer: HALF_TEXT, sources: [{ cited: true }] },
      });
      await until(async () => model.requests[calls]?.aborted, 'the model call to be cancelled', 3_000);

      // The other process writes, and is killed.
      nextReply(HALF.deltas, HALF);
      const stream = there.agents.streamResumable(agentId, { query: 'How long are bicycles guaranteed?' });
      const { messageId } = startOf((await stream.next()).value);
      await stream.next();
      const here = clientOf(deployment.origin);
      const following = collect(here.agents.follow(agentId, messageId)).catch((error: unknown) => error);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await another.process.kill();
      await expect(collect(stream)).rejects.toMatchObject({ code: 'NETWORK' });
      expect(await following).toMatchObject({ code: 'ANSWER_INTERRUPTED' });
    },
    LONG_MS,
  );
});

async function collect<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function startOf(event: ResumableAnswerEvent | void): { conversationId: string; messageId: string } {
  if (event?.type !== 'started') throw new Error('The stream did not begin with the ids');
  return event.start;
}
