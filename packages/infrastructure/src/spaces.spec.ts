import { type EmbeddingModel, loadBuiltinEmbeddingModel } from '@citewell/models';
import { describe, expect, it } from '@jest/globals';
import { spaceOf, spacesOf } from './spaces.js';

describe('spacesOf', () => {
  it('adds a space for embeddings, unless the model is the built-in one or none', async () => {
    const builtin = await loadBuiltinEmbeddingModel();
    const model: EmbeddingModel = { ...builtin, fingerprint: 'other', dimensions: 3 };
    const spaces = { builtin: spaceOf(builtin), other: spaceOf(model), words: spaceOf(null) };
    expect(await spacesOf(null)).toEqual({
      indexing: { space: spaces.words, model: null, isInterim: false },
      embedding: null,
    });
    expect(await spacesOf(builtin)).toEqual({
      indexing: { space: spaces.builtin, model: builtin, isInterim: false },
      embedding: null,
    });
    expect(await spacesOf(model)).toEqual({
      indexing: { space: spaces.builtin, model: builtin, isInterim: true },
      embedding: { space: spaces.other, model, isInterim: false },
    });
  });
});

describe('spaceOf', () => {
  it('has a different name for every embedding model', () => {
    const lexical = spaceOf(null);
    const small = spaceOf({ fingerprint: 'Small_384', dimensions: 384 });
    const large = spaceOf({ fingerprint: 'Large_1024', dimensions: 1_024 });
    expect(new Set([lexical.name, small.name, large.name]).size).toBe(3);
    expect([lexical.dense, small.dense]).toEqual([null, { dimensions: 384 }]);
    // Spaces with one vector per chunk had a name without the words per window.
    expect(small.name).toMatch(/^l\d+_small_384_w60$/);
    expect(lexical.name).toMatch(/^l\d+_lexical$/);
    for (const { name } of [lexical, small, large]) expect(name).toMatch(/^l\d+_[a-z0-9_]+$/);
  });
});
