import type { ChatModel } from '@citewell/models';
import { expect, it } from '@jest/globals';
import { chatReranker } from './chat-reranker.js';

async function scoresFor(pieces: readonly string[]): Promise<number[]> {
  const model: ChatModel = {
    name: 'm',
    async *stream() {
      for (const text of pieces) yield { text };
      yield { usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
  const { signal } = new AbortController();
  return chatReranker(model).rerank('How is kelp dried?', ['Herring is salted.', 'Kelp is dried.'], {
    signal,
  });
}

it('reads the scores of a streamed reply', async () => {
  expect(await scoresFor(['2', ': 1', '0\n'])).toEqual([0, 1]);
});

it('fails if the reply has another form', async () => {
  await expect(scoresFor(['Kelp is dried', ' in the sun.'])).rejects.toMatchObject({ kind: 'transient' });
});
