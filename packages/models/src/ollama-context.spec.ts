import { expect, it } from '@jest/globals';
import { OllamaContext } from './ollama-context.js';

it('asks for all requests, whichever of them ends', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<Response>();
  let requests = 0;
  const fetcher = async (): Promise<Response> => {
    requests += 1;
    return answered;
  };
  const context = new OllamaContext({ model: 'm', fetcher } as never);
  const stopped = new AbortController();
  const first = context.limit(stopped.signal);
  const second = context.limit(new AbortController().signal);
  stopped.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  resolve(Response.json({ model_info: { 'llama.context_length': 4_096 } }));
  expect([await second, await context.limit(new AbortController().signal), requests]).toEqual([
    4_096, 4_096, 1,
  ]);
});

it('asks again after a failure', async () => {
  let requests = 0;
  const fetcher = async (): Promise<Response> => {
    requests += 1;
    if (requests === 1) throw new Error('starting');
    return Response.json({ model_info: { 'llama.context_length': 8_192 } });
  };
  const context = new OllamaContext({ model: 'm', fetcher } as never);
  const { signal } = new AbortController();
  expect([await context.limit(signal), await context.limit(signal)]).toEqual([null, 8_192]);
});
