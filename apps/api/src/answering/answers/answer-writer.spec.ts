import type { ChatEvent, ChatModel } from '@citewell/models';
import { describe, expect, it } from '@jest/globals';
import { type WrittenAnswer, writeWithModel } from './answer-writer.js';

interface Outcome extends WrittenAnswer {
  text: string;
}

async function write(
  events: readonly ChatEvent[],
  question = 'How long is the warranty?',
  abstaining: { abstains?: boolean; isOwnPrompt?: boolean } = {},
): Promise<Outcome> {
  const model: ChatModel = {
    name: 'm',
    async *stream() {
      yield* events;
    },
  };
  let text = '';
  const sink = {
    onText: async (piece: string) => void (text += piece),
    onRetract: () => void (text = ''),
  };
  const context = { question, passageCount: 3, passageText: '', ...abstaining };
  const { signal } = new AbortController();
  const written = await writeWithModel(model, { messages: [] }, context, sink, signal);
  return { ...written, text };
}

describe('an answer of a model', () => {
  it('is complete', async () => {
    const outcome = await write([{ text: 'Two years [2' }, { text: '].' }, { finishReason: 'stop' }]);
    expect(outcome).toEqual({ text: 'Two years [2].', cited: new Set([2]), finishReason: 'stop' });
  });

  it('has nothing of what was retracted, also no citation', async () => {
    const outcome = await write([
      { text: 'I see [3]' },
      { retracted: true },
      { text: 'Two years [1].' },
      { finishReason: 'stop' },
    ]);
    expect(outcome).toEqual({ text: 'Two years [1].', cited: new Set([1]), finishReason: 'stop' });
  });

  it.each([
    ['length', 'How long is the warranty?', '(The answer is incomplete: it has reached the maximum length.)'],
    [
      'length',
      'Wie lange gilt die Garantie?',
      '(Die Antwort ist unvollständig: Sie hat die größte erlaubte Länge erreicht.)',
    ],
    [
      'content_filter',
      'Quelle est la durée de la garantie ?',
      '(Un filtre de contenu a interrompu la réponse. Posez la question autrement.)',
    ],
    ['refusal', '保修期多长？', '（该问题被拒绝回答。）'],
    ['tool_calls', 'How long?', '(The answer is incomplete: it was stopped early. Ask again.)'],
    ['error', 'How long?', '(The answer is incomplete: it was stopped early. Ask again.)'],
  ] as const)(
    'ends with a sentence about %s, in the language of %j',
    async (finishReason, question, sentence) => {
      const outcome = await write([{ text: 'Two years [1]' }, { finishReason }], question);
      expect(outcome).toMatchObject({ text: `Two years [1]\n\n${sentence}`, finishReason });
    },
  );

  it.each([
    ['```js\nconst a', '```js\nconst a\n```\n\n('],
    ['- ~~~\n  a', '- ~~~\n  a\n\n('],
    ['~~~~\na\n~~~\nb', '~~~~\na\n~~~\nb\n~~~~\n\n('],
    ['```\na\n```', '```\na\n```\n\n('],
    ['```a```', '```a```\n\n('],
  ])('%j closes its code before the sentence', async (text, start) => {
    const outcome = await write([{ text }, { finishReason: 'length' }]);
    expect(outcome.text.startsWith(start)).toBe(true);
  });

  it.each([
    ['stop', /empty answer.*chat template/],
    ['length', /tokens before it began the answer.*maxTokens/],
    ['tool_calls', /called a tool/],
    ['error', /stopped before/],
  ] as const)('that is empty and ends with %s is an error', async (finishReason, message) => {
    for (const text of ['', ' \n', '[9]'])
      await expect(write([{ text }, { finishReason }])).rejects.toMatchObject({
        code: 'EMPTY_ANSWER',
        message: expect.stringMatching(message),
      });
    await expect(write([{ text: 'x' }, { retracted: true }, { finishReason }])).rejects.toMatchObject({
      code: 'EMPTY_ANSWER',
    });
  });

  it('that a filter or the model declines says so', async () => {
    expect((await write([{ finishReason: 'content_filter' }])).text.trim()).toMatch(
      /^\(The answer was stopped by a content filter/,
    );
    expect((await write([{ finishReason: 'refusal' }])).text.trim()).toBe(
      '(An answer to this question was declined.)',
    );
  });

  it.each<[texts: string[], isOwnPrompt: boolean, text: string, cited: number[] | null]>([
    [['NOT_IN', '_PASSAGES'], false, 'I found nothing about this in the documents.', null],
    [
      ['NOT_IN_PASSAGES. The passages are about [1].'],
      false,
      'I found nothing about this in the documents.',
      null,
    ],
    [['**NOT_IN_PASSAGES**'], true, 'I found nothing about this in the documents.', null],
    [['NOT_IN_PASSAGES\n', 'Call us.'], true, 'Call us.', null],
    [['I do not know. ', 'NOT_IN_PASSAGES'], false, 'I do not know. ', null],
    [['Two years [1]. NOT_IN_PASSAGES'], false, 'Two years [1].', [1]],
    [['NOT_IN_PASSAGES, but [2] says so.'], true, ', but [2] says so.', [2]],
  ])('abstains with %j (own prompt: %p)', async (texts, isOwnPrompt, text, cited) => {
    const events = [...texts.map((piece) => ({ text: piece })), { finishReason: 'stop' as const }];
    const outcome = await write(events, undefined, { abstains: true, isOwnPrompt });
    expect([outcome.text.trim(), outcome.isAbstained]).toEqual([text.trim(), cited ? undefined : true]);
    expect([...outcome.cited]).toEqual(cited ?? []);
  });

  it('that was not asked to abstain keeps its text', async () => {
    const outcome = await write([{ text: 'NOT_IN_PASSAGES' }, { finishReason: 'stop' }]);
    expect(outcome).toMatchObject({ text: 'NOT_IN_PASSAGES', finishReason: 'stop' });
  });
});
