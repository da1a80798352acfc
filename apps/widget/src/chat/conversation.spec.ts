import { beforeEach, describe, expect, it } from '@jest/globals';
import { CitewellError, type PublicAnswer } from '@citewell/sdk';
import { type Ask, Conversation } from './conversation.js';
import { ConversationStore } from './conversation-store.js';
import type { Turn } from './turn.js';

const ANSWER: PublicAnswer = {
  answer: 'Two years [1].',
  conversationId: 'c',
  visitorId: 'v',
  visitorToken: 't',
  messageId: 'm',
  abstained: false,
  sources: [{ number: 1, datasource_name: 'Warranty', source: 'Warranty', text: 'Two years.' }],
};

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
  const open = (ask: Ask) => new Conversation(ask, store, ({ state }) => changes.push(state));

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

  it.each(['{', '1', '{}', '{"conversationId":"c","visitorToken":"t","visitorId":"v","turns":[{}]}'])(
    'begins anew when what was saved is damaged: %s',
    (saved) => {
      items.set('citewell:agent', saved);
      expect(open(answers).turns).toEqual([]);
    },
  );
});
