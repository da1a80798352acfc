import type { ChatModel } from '@citewell/models';
import { expect, it } from '@jest/globals';
import { AnswerWarmUp } from './answer-warm-up.service.js';

it('prepares each chat model once, and asks none', async () => {
  const prepared: string[] = [];
  const modelOf = (name: string): ChatModel => ({
    name,
    prepare: async () => void prepared.push(name),
    stream: () => {
      throw new Error('It was asked.');
    },
  });
  const [small, big] = [modelOf('small'), modelOf('big')];
  await new AnswerWarmUp({ get: (name) => (name === 'gpt_4' ? big : small) }).onApplicationBootstrap();
  expect(prepared.toSorted()).toEqual(['big', 'small']);
  await new AnswerWarmUp({ get: () => null }).onApplicationBootstrap();
});
