import { beforeEach, describe, expect, it } from '@jest/globals';
import { CitewellError, type PublicAnswer } from '@citewell/sdk';
import { Conversation, type VisitedAgent } from './conversation.js';
import { ConversationStore } from './conversation-store.js';
import type { Turn } from './turn.js';

const ANSWER: PublicAnswer = {
  answer: 'Two years [1].',
  conversationId: 'c',
  visitorId: 'v',
  visitorToken: 't',
  messageId: 'm',
  abstained: false,
  finishReason: 'stop' as const,
  sources: [{ number: 1, datasource_name: 'Warranty', source: 'Warranty', text: 'Two years.' }],
};

type Ask = VisitedAgent['ask'];
const START = { conversationId: 'c', visitorId: 'v', visitorToken: 't', messageId: 'm' };

const answers: Ask = async function* () {
  yield { type: 'text', text: 'Two ' };
  yield { type: 'text', text: 'years [1].' };
  yield { type: 'response', response: ANSWER };
};
const fails: Ask = () => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new CitewellError('NETWORK', 'x')) }),
});

describe('a conversation', () => {
  let items: Map<string, string>;
  let store: ConversationStore;
  let changes: Turn['state'][];

  beforeEach(() => {
    items = new Map();
    changes = [];
    store = new ConversationStore(
      {
        getItem: (name) => items.get(name) ?? null,
        setItem: (name, value) => void items.set(name, value),
        removeItem: (name) => void items.delete(name),
      },
      'agent',
    );
  });
  const open = (ask: Ask, more: Partial<VisitedAgent> = {}) => {
    const agent = { ask, follow: answers as never, stop: async () => undefined, ...more };
    return new Conversation(agent, store, ({ state }) => changes.push(state));
  };

  it('streams an answer, and continues with its token, also after a reload', async () => {
    const queries: object[] = [];
    const ask: Ask = (query, options) => {
      queries.push(query);
      return answers(query, options);
    };
    await open(ask).send('How long?');
    expect(changes).toEqual(['searching', 'streaming', 'streaming', 'done']);
    const reloaded = open(ask);
    expect(reloaded.turns).toMatchObject([
      { question: 'How long?', answer: ANSWER.answer, sources: ANSWER.sources, state: 'done' },
    ]);
    await reloaded.send('And the battery?');
    expect(queries).toEqual([
      { query: 'How long?' },
      { query: 'And the battery?', conversationId: 'c', visitorId: 'v', visitorToken: 't' },
    ]);
    reloaded.startOver();
    expect([reloaded.turns, open(ask).turns, items.size]).toEqual([[], [], 0]);
  });

  it('keeps a failed question for another attempt', async () => {
    let ask = fails;
    const conversation = open((query, options) => ask(query, options));
    await conversation.send('How long?');
    expect(conversation.turns).toMatchObject([{ state: 'failed', error: 'interrupted' }]);
    expect(items.size).toBe(0);
    ask = answers;
    for (const turn of conversation.turns) await conversation.retry(turn);
    expect(conversation.turns).toMatchObject([{ state: 'done', error: null, answer: ANSWER.answer }]);
  });

  it('keeps what has arrived when it is stopped, and sends one question at a time', async () => {
    const started = Promise.withResolvers<void>();
    const conversation = open(async function* (_, { signal }) {
      yield { type: 'text', text: 'Two ' };
      started.resolve();
      await new Promise((_resolve, reject) => signal?.addEventListener('abort', reject));
    });
    const sent = conversation.send('How long?');
    await started.promise;
    await conversation.send('Another?');
    expect([conversation.turns.length, conversation.isBusy]).toEqual([1, true]);
    conversation.stop();
    await sent;
    expect(conversation.turns).toMatchObject([{ state: 'stopped', answer: 'Two ', error: null }]);
  });

  /** Begins, and writes until the server stops it. */
  const stoppable = () => {
    const stopped = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const calls: string[] = [];
    const ask: Ask = async function* () {
      yield { type: 'started', start: START };
      yield { type: 'text', text: 'Two ' };
      begun.resolve();
      await stopped.promise;
      yield { type: 'response', response: { ...ANSWER, answer: 'Two ', state: 'stopped' } };
    };
    const stop = async (id: string, token: string) => {
      calls.push(`${id} ${token}`);
      stopped.resolve();
    };
    return { ask, stop, begun: begun.promise, calls };
  };

  it('stops an answer on the server, and keeps its sources', async () => {
    const { ask, stop, begun, calls } = stoppable();
    const conversation = open(ask, { stop });
    const sent = conversation.send('How long?');
    await begun;
    conversation.stop();
    await sent;
    expect(calls).toEqual(['m t']);
    expect(conversation.turns).toMatchObject([
      { state: 'stopped', answer: 'Two ', sources: ANSWER.sources, messageId: null },
    ]);
  });

  it('stops an answer whose stream has not begun, when it begins', async () => {
    const { ask, stop, calls } = stoppable();
    const conversation = open(ask, { stop });
    const sent = conversation.send('How long?');
    conversation.stop();
    await sent;
    expect([calls, conversation.turns[0]?.state]).toEqual([['m t'], 'stopped']);
  });

  it('stops an answer once, however often it is asked to', async () => {
    const { ask, stop, begun, calls } = stoppable();
    const conversation = open(ask, { stop });
    const sent = conversation.send('How long?');
    await begun;
    for (let times = 0; times < 3; times += 1) conversation.stop();
    await sent;
    expect(calls).toEqual(['m t']);
  });

  it.each(['before', 'after'])('stops an answer that is forgotten %s its first event', async (when) => {
    const { ask, stop, begun, calls } = stoppable();
    const conversation = open(ask, { stop });
    const sent = conversation.send('How long?');
    if (when === 'after') await begun;
    conversation.startOver();
    expect(conversation.isBusy).toBe(false);
    await sent;
    expect([calls, conversation.turns, items.size]).toEqual([['m t'], [], 0]);
  });

  it('asks the next question at once after it started over', async () => {
    const { ask, stop, calls } = stoppable();
    let next: Ask = ask;
    const conversation = open((query, options) => next(query, options), { stop });
    const first = conversation.send('How long?');
    conversation.startOver();
    next = answers;
    await conversation.send('How heavy?');
    await first;
    expect(calls).toEqual(['m t']);
    expect(conversation.turns).toMatchObject([{ question: 'How heavy?', state: 'done' }]);
    expect(open(fails).turns).toMatchObject([{ question: 'How heavy?' }]);
  });

  it('continues the answer in progress after a reload', async () => {
    const { ask, begun } = stoppable();
    void open(ask).send('How long?');
    await begun;
    const followed: string[] = [];
    const reloaded = open(fails, {
      follow: (id, token, options) => {
        followed.push(`${id} ${token}`);
        return answers({ query: '' }, options);
      },
    });
    expect(reloaded.turns).toMatchObject([{ question: 'How long?', state: 'searching' }]);
    await reloaded.resume();
    expect(followed).toEqual(['m t']);
    expect(reloaded.turns).toMatchObject([{ state: 'done', answer: ANSWER.answer, messageId: null }]);
    expect(open(fails).turns).toMatchObject([{ state: 'done' }]);
  });

  it.each([
    ['comes back to an answer whose connection broke', 'NETWORK', 'm'],
    ['asks anew after an answer that failed', 'UPSTREAM_UNAVAILABLE', null],
  ] as const)('%s', async (_, code, messageId) => {
    const conversation = open(async function* () {
      yield { type: 'started', start: START };
      throw new CitewellError(code, 'x');
    });
    await conversation.send('How long?');
    expect(conversation.turns).toMatchObject([{ state: 'failed', messageId }]);
    expect(open(fails).turns.length).toBe(messageId === null ? 0 : 1);
  });

  it.each(['{', '1', '{}', '{"conversationId":"c","visitorToken":"t","visitorId":"v","turns":[{}]}'])(
    'begins anew when what was saved is damaged: %s',
    (saved) => {
      items.set('citewell:agent', saved);
      expect(open(answers).turns).toEqual([]);
    },
  );
});
