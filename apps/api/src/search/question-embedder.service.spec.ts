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

describe('embedding a question', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('reports a model that does not answer in time as unavailable', async () => {
    jest
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));
    const embedded = new QuestionEmbedder(spaces).embed('why?', ['s'], undefined);
    await expect(embedded).rejects.toThrow(ModelError);
    await expect(embedded).rejects.toMatchObject({
      kind: 'transient',
      message: 'The embedding model did not answer within 20 s.',
    });
  });

  it('rejects with the reason of the caller’s signal', async () => {
    const reason = new Error('the client is gone');
    const embedded = new QuestionEmbedder(spaces).embed('why?', ['s'], AbortSignal.abort(reason));
    await expect(embedded).rejects.toBe(reason);
  });
});
