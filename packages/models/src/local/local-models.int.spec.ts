import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddingModel } from '../model.port.js';
import type { ModelCall } from '../model-call.js';
import { installRuntime } from './install-runtime.js';
import { ModelProcess } from './model-process.js';
import { type LocalModelOptions, openLocalEmbeddingModel, openLocalRerankModel } from './open-local-model.js';
import { writeTinyModel } from '@citewell/testing';

const WORDS = { cat: [1, 0, 0], dog: [0, 1, 0], query: [0, 0, 1], passage: [0, 0, -1] };
const signal = new AbortController().signal;
const steps: string[] = [];
const calls: ModelCall[] = [];

let directory: string;
let embedding: EmbeddingModel;

const optionsFor = (name: string): LocalModelOptions => ({
  name,
  directory: join(directory, 'models'),
  onProgress: ({ step }) => steps.push(step),
  onCall: (call) => calls.push(call),
});
/** Many texts that keep the model busy. */
const distinctTexts = (): string[] => Array.from({ length: 2_000 }, (_, at) => `cat dog cat dog ${at}`);
const rounded = (vectors: readonly Float32Array[]): number[][] =>
  vectors.map((vector) => [...vector].map((value) => Math.round(value * 100) / 100));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'citewell-local-'));
  await writeTinyModel(join(directory, 'tiny'), 'embed', WORDS);
  embedding = await openLocalEmbeddingModel(optionsFor(`local:${join(directory, 'tiny')}`));
}, 120_000);

afterAll(() => rm(directory, { recursive: true }));

describe('local models', () => {
  it('install the runtime once, for this platform only', async () => {
    expect(steps).toEqual(['installing', 'loading']);
    const runtime = await installRuntime(join(directory, 'models'), ({ step }) => steps.push(step));
    expect(steps).toHaveLength(2);
    const [version] = await readdir(join(runtime, 'node_modules/onnxruntime-node/bin'));
    const binaries = join(runtime, 'node_modules/onnxruntime-node/bin', String(version));
    expect(await readdir(join(binaries, process.platform))).toEqual([process.arch]);
  });

  it('return one vector per text, in the order of the texts, whatever their lengths', async () => {
    const texts = ['cat cat dog', 'dog', 'unknown', 'cat', 'cat dog '.repeat(100)];
    const vectors = await embedding.embed(texts, { kind: 'document', signal });
    expect(rounded(vectors)).toEqual([
      [0.89, 0.45, 0],
      [0, 1, 0],
      [0, 0, 0],
      [1, 0, 0],
      [0.71, 0.71, 0],
    ]);
    expect(embedding).toMatchObject({ dimensions: 3, maxInputTokens: 16, account: 'local' });
    expect(calls.at(-1)).toMatchObject({
      kind: 'embedding',
      outcome: 'done',
      inputTokens: 5 + 3 + 3 + 3 + 16,
    });
  });

  it('embed equal texts once', async () => {
    const vectors = await embedding.embed(['cat', 'dog', 'cat'], { kind: 'document', signal });
    expect(rounded(vectors)).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [1, 0, 0],
    ]);
    expect(calls.at(-1)).toMatchObject({ inputTokens: 3 + 3 });
  });

  it('put the prompts of a model before its texts, and distinguish models by them', async () => {
    const prompts = { prompts: { query: 'query ', document: 'passage ' } };
    const files = { 'config_sentence_transformers.json': prompts };
    await writeTinyModel(join(directory, 'prompts'), 'embed', WORDS, files);
    const model = await openLocalEmbeddingModel(optionsFor(`local:${join(directory, 'prompts')}`));
    expect(rounded(await model.embed([''], { kind: 'query', signal }))).toEqual([[0, 0, 1]]);
    expect(rounded(await model.embed([''], { kind: 'document', signal }))).toEqual([[0, 0, -1]]);
    expect(model.fingerprint).toMatch(/^local_prompts_[0-9a-f]{8}$/);
    expect(model.fingerprint.slice(-8)).not.toBe(embedding.fingerprint.slice(-8));
  });

  it('answer a question before the documents that wait', async () => {
    const order: string[] = [];
    const documents = distinctTexts();
    const all = embedding.embed(documents, { kind: 'document', signal }).then(() => order.push('documents'));
    await embedding.embed(['cat'], { kind: 'query', signal }).then(() => order.push('question'));
    await all;
    expect(order).toEqual(['question', 'documents']);
  });

  it('stop when the caller aborts', async () => {
    const controller = new AbortController();
    const reason = new Error('gone');
    const request = embedding.embed(distinctTexts(), {
      kind: 'document',
      signal: controller.signal,
    });
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
    expect(rounded(await embedding.embed(['dog'], { kind: 'document', signal }))).toEqual([[0, 1, 0]]);
  });

  it('score texts with a cross-encoder', async () => {
    await writeTinyModel(join(directory, 'scores'), 'score', { cat: [2], dog: [-2] });
    const model = await openLocalRerankModel(optionsFor(`local:${join(directory, 'scores')}`));
    const scores = await model.rerank('cat', ['dog', 'cat', 'dog dog'], { signal });
    // 1 / (1 + e^-x) of the sums 0, 4 and -2.
    expect(scores.map((score) => score.toFixed(3))).toEqual(['0.500', '0.982', '0.119']);
    expect(calls.at(-1)).toMatchObject({ kind: 'rerank', outcome: 'done' });
  });

  it('start the process again after it has ended', async () => {
    const runtime = await installRuntime(join(directory, 'models'), () => undefined);
    const model = new ModelProcess({ runtime, directory: join(directory, 'tiny'), name: 'tiny' });
    const pending = model.request({ embed: Array<string>(2_000).fill('cat dog'), kind: 'document' }, signal);
    await model.load();
    await model.close();
    await expect(pending).rejects.toMatchObject({ name: 'ModelError', kind: 'transient' });
    expect(await model.request({ embed: ['cat'], kind: 'query' }, signal)).toMatchObject({ tokens: 3 });
    await model.close();
  });

  it('name the file that a directory lacks', async () => {
    await rm(join(directory, 'scores/onnx'), { recursive: true });
    await expect(
      openLocalRerankModel(optionsFor(`local:${join(directory, 'scores')}`)),
    ).rejects.toMatchObject({
      kind: 'permanent',
      message: expect.stringContaining('no weights in ONNX format'),
    });
  });
});
