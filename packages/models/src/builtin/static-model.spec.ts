import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { builtinEmbeddingModel, loadBuiltinEmbeddingModel } from './builtin-embedding.model.js';
import { StaticModel } from './static-model.js';

const signal = new AbortController().signal;

let file: Buffer;
let model: StaticModel;

beforeAll(async () => {
  file = await readFile(new URL('./static-model.bin', import.meta.url));
  model = new StaticModel(file);
});

describe('StaticModel', () => {
  it('makes the pieces and vectors that the Python script makes', async () => {
    const expected = JSON.parse(
      await readFile(new URL('./static-model.expected.json', import.meta.url), 'utf8'),
    ) as { text: string; pieces: number[]; vector: number[] }[];
    for (const { text, pieces, vector } of expected) {
      expect({ text, pieces: model.tokenizer.encode(text) }).toEqual({ text, pieces });
      const made = [...model.embed(text).subarray(0, vector.length)];
      expect(made.map((value, at) => Math.abs(value - vector[at]!) < 1e-5)).not.toContain(false);
    }
  });

  it.each([
    ['How do I list the files of a folder?', 'Showing a directory', 'The king died in the battle'],
    ['Wie lösche ich eine Datei?', 'Deleting files', 'The weather was cold in winter'],
  ])('finds %j nearer to %j than to %j', (question, near, far) => {
    const [a, b, c] = [question, near, far].map((text) => model.embed(text)) as [
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    expect(cosine(a, b)).toBeGreaterThan(cosine(a, c));
    expect(cosine(a, a)).toBeCloseTo(1);
  });

  it.each(['', ' …!?', '\u{1F600}'])('gives %j the zero vector', (text) => {
    expect(model.embed(text).every((value) => value === 0)).toBe(true);
  });

  it('ignores the end of a long text', () => {
    const long = 'x'.repeat(16_384);
    expect(model.tokenizer.encode(`${long} end`)).toEqual(model.tokenizer.encode(long));
  });

  it('reads bytes at any offset of their memory', () => {
    const shifted = new Uint8Array(file.length + 1).subarray(1);
    shifted.set(file);
    expect(new StaticModel(shifted).embed('a file')).toEqual(model.embed('a file'));
  });

  it.each([
    ['empty', () => file.subarray(0, 0)],
    ['truncated', () => file.subarray(0, -1)],
    ['of another kind', () => Buffer.from('PK'.repeat(50))],
  ])('refuses a file that is %s', (_, bytes) => {
    expect(() => new StaticModel(bytes())).toThrow('damaged');
  });
});

describe('the built-in embedding model', () => {
  it('is read once, and returns vectors in the order of the texts', async () => {
    const builtin = await loadBuiltinEmbeddingModel();
    expect(await loadBuiltinEmbeddingModel()).toBe(builtin);
    const texts = Array.from({ length: 300 }, (_, at) => `text ${at}`);
    const vectors = await builtin.embed(texts, { signal, kind: 'document' });
    expect(vectors).toEqual(texts.map((text) => model.embed(text)));
    expect(builtin).toMatchObject({ dimensions: model.dimensions, account: 'builtin' });
  });

  it('has a fingerprint that depends on the file', () => {
    const other = Buffer.from(file);
    other[other.length - 1]! ^= 1;
    const { fingerprint } = builtinEmbeddingModel(file);
    expect(fingerprint).toMatch(/^[a-z0-9_]+$/);
    expect(builtinEmbeddingModel(other).fingerprint).not.toBe(fingerprint);
  });

  it('stops when the signal is aborted', async () => {
    const builtin = await loadBuiltinEmbeddingModel();
    const embedding = builtin.embed(['a'], { signal: AbortSignal.abort(new Error('stop')), kind: 'query' });
    await expect(embedding).rejects.toThrow('stop');
  });
});

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}
