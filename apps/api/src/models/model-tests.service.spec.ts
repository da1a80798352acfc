import { once } from 'node:events';
import { TenantScope } from '@citewell/database';
import { type ChatModel, ModelError, type ModelErrorReason } from '@citewell/models';
import { expect, it } from '@jest/globals';
import { ModelTests, wrongField } from './model-tests.service.js';
import type { ModelUse } from './model-usage.service.js';

const TENANT = new TenantScope('o');

/** A chat model that sends a text, and then does something. */
function modelThat(
  text: string,
  end: (signal: AbortSignal) => Promise<void> = async () => undefined,
): ChatModel {
  return {
    name: 'm',
    async *stream(_, { signal }) {
      if (text !== '') yield { text };
      await end(signal);
    },
  };
}

async function testOf(model: ChatModel) {
  const counted: (ModelUse & { tokens: number })[] = [];
  const tests = new ModelTests({
    count: async (use, meter) => void counted.push({ ...use, tokens: meter.read().inputTokens }),
  });
  tests.timeoutMs = 1;
  const { shown: result, failure } = await tests.chat(TENANT, model);
  return { result, failure, counted };
}

const hang = async (signal: AbortSignal): Promise<void> => {
  await once(signal, 'abort');
  signal.throwIfAborted();
};

it.each([
  ['answers', modelThat(''), { ok: true, message: 'The model answered.', sample: null }, true],
  [
    'fails',
    modelThat('', () => Promise.reject(new ModelError('permanent', 'The model provider rejected the key.'))),
    { ok: false, message: 'The model provider rejected the key.' },
    false,
  ],
  ['hangs', modelThat('', hang), { ok: false, message: 'The model did not answer within 0.001 s.' }, false],
])('a model that %s', async (_, model, expected, isCharged) => {
  const { result, counted } = await testOf(model);
  expect(result).toMatchObject(expected);
  expect(counted).toMatchObject([{ tenant: TENANT, agentId: null, model: 'm', isCharged }]);
});

it.each<[reason: ModelErrorReason | undefined, field: string]>([
  ['key', 'apiKey'],
  ['quota', 'apiKey'],
  ['not-found', 'model'],
  ['refused', 'model'],
  ['unavailable', 'baseUrl'],
  [undefined, 'baseUrl'],
])('a failure because of %s is one of the field %s', (reason, field) => {
  expect(wrongField(new ModelError('permanent', 'It failed.', reason ? { reason } : {}))).toBe(field);
});

it('does not hide errors of the server', async () => {
  const model = modelThat('', () => Promise.reject(new TypeError('bug')));
  await expect(testOf(model)).rejects.toThrow(TypeError);
});

it('counts the tokens of a test that does not wait for the end', async () => {
  const { counted } = await testOf(modelThat('x'.repeat(300), hang));
  expect(counted[0]).toMatchObject({ isCharged: true, tokens: expect.any(Number) });
  expect(counted[0]?.tokens).toBeGreaterThan(0);
});
