import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeTinyModel } from '@citewell/testing';
import { readModelFiles } from './model-files.js';
import { poolVectors, toProbability } from './onnx-model.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'citewell-model-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('readModelFiles', () => {
  it.each([
    ['an unknown model', 'me/other', {}, 'mean', { query: '', document: '' }],
    ['E5', 'Xenova/multilingual-e5-small', {}, 'mean', { query: 'query: ', document: 'passage: ' }],
    [
      'a family named in config.json',
      './model',
      { 'config.json': { _name_or_path: 'nomic-ai/nomic-embed-text-v1.5' } },
      'mean',
      { query: 'search_query: ', document: 'search_document: ' },
    ],
    ['BGE', 'Xenova/bge-m3', {}, 'first', { query: '', document: '' }],
    [
      'files of Sentence Transformers',
      'me/e5-other',
      {
        '1_Pooling/config.json': { pooling_mode_lasttoken: true },
        'config_sentence_transformers.json': { prompts: { query: 'Q ', passage: 'P ' } },
      },
      'last',
      { query: 'Q ', document: 'P ' },
    ],
  ])('reads pooling and prompts of %s', async (title, name, files, pooling, prompts) => {
    const folder = join(directory, title);
    await writeTinyModel(folder, 'embed', { cat: [1] }, files);
    expect(await readModelFiles(folder, name)).toMatchObject({ pooling, prompts });
  });
});

describe('poolVectors', () => {
  // Two texts of two tokens and two dimensions. The second token of the first text is padding.
  const tokens = Float32Array.of(3, 4, 9, 9, 0, 2, 2, 0);
  it.each([
    ['mean', [0.6, 0.8, Math.SQRT1_2, Math.SQRT1_2]],
    ['first', [0.6, 0.8, 0, 1]],
    ['last', [0.6, 0.8, 1, 0]],
  ] as const)('takes the %s of the tokens, without padding, to length 1', (pooling, expected) => {
    const vectors = poolVectors(tokens, [2, 2, 2], [1, 2], pooling).flatMap((vector) => [...vector]);
    expect(vectors.map((value, at) => Math.abs(value - expected[at]!) < 1e-6)).not.toContain(false);
  });
});

describe('toProbability', () => {
  it.each([
    [[0], 0.5],
    [[-2], 0.119],
    [[1, 3], 0.881],
  ])('of the logits %j is %d', (logits, expected) => {
    expect(toProbability(Float32Array.from(logits))).toBeCloseTo(expected, 3);
  });
});
