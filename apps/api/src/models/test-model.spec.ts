import { once } from 'node:events';
import { ModelError } from '@citewell/models';
import { expect, it } from '@jest/globals';
import { testModel } from './test-model.js';

it.each([
  [
    'answers',
    async () => ({ sample: '', dimensions: 3 }),
    { ok: true, message: 'The model answered.', sample: null, dimensions: 3 },
  ],
  [
    'fails',
    () => Promise.reject(new ModelError('permanent', 'The model provider rejected the key.')),
    { ok: false, message: 'The model provider rejected the key.' },
  ],
  [
    'hangs',
    async (signal: AbortSignal) => {
      await once(signal, 'abort');
      signal.throwIfAborted();
      return {};
    },
    { ok: false, message: 'The model did not answer within 0.001 s.' },
  ],
])('a model that %s', async (_, call, expected) => {
  expect(await testModel(call, 1)).toMatchObject(expected);
});

it('does not hide errors of the server', async () => {
  await expect(testModel(() => Promise.reject(new TypeError('bug')))).rejects.toThrow(TypeError);
});
