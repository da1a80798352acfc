import type { Spaces } from '@citewell/infrastructure';
import { type EmbeddingModel, ModelError } from '@citewell/models';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { QuestionEmbedder } from './question-embedder.service.js';

/** A model that never answers. */
const silent = {
  embed: (_texts: readonly string[], { signal }: { signal: AbortSignal }) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
} as unknown as EmbeddingModel;
const spaces = {
  indexing: { space: { name: 's', dense: null }, model: silent, isInterim: false },
  embedding: null,
} as unknown as Spaces;

const LOGGER = { warn: () => undefined };

describe('embedding a question', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('leaves a space to words whose model does not answer in time', async () => {
    jest
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));
    const embedded = new QuestionEmbedder(spaces, LOGGER).embed('why?', ['s'], undefined);
    expect(await embedded).toEqual(new Map());
  });

  it.each([
    ['is down', new ModelError('transient', 'down'), 1],
    ['limits the requests', new ModelError('rate-limited', 'slow down', { retryAfterMs: 30_000 }), 1],
    ['refuses the question', new ModelError('permanent', 'too long', { reason: 'too-long' }), 2],
  ])('leaves a space to words whose model %s', async (_, error, asked) => {
    let calls = 0;
    const model: Pick<EmbeddingModel, 'embed'> = {
      embed: async () => {
        calls += 1;
        throw error;
      },
    };
    const failing = { ...spaces, indexing: { ...spaces.indexing, model } } as unknown as Spaces;
    const embedder = new QuestionEmbedder(failing, LOGGER);
    expect(await embedder.embed('why?', ['s'], undefined)).toEqual(new Map());
    expect(await embedder.embed('and?', ['s'], undefined)).toEqual(new Map());
    expect(calls).toBe(asked);
  });

  it('does not hide errors of the server', async () => {
    const model: Pick<EmbeddingModel, 'embed'> = { embed: () => Promise.reject(new TypeError('bug')) };
    const failing = { ...spaces, indexing: { ...spaces.indexing, model } } as unknown as Spaces;
    await expect(new QuestionEmbedder(failing, LOGGER).embed('why?', ['s'], undefined)).rejects.toThrow(
      TypeError,
    );
  });

  it('rejects with the reason of the caller’s signal', async () => {
    const reason = new Error('the client is gone');
    const embedded = new QuestionEmbedder(spaces, LOGGER).embed('why?', ['s'], AbortSignal.abort(reason));
    await expect(embedded).rejects.toBe(reason);
  });
});
