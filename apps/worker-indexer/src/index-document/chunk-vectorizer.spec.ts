import type { ProviderPauseRepository, RunEntity } from '@citewell/database';
import { type EmbeddingModel, ModelError } from '@citewell/models';
import type { VectorStore } from '@citewell/vector-store';
import { describe, expect, it } from '@jest/globals';
import type { WeightedChunk } from '../chunking/chunk-thread.protocol.js';
import { ChunkVectorizer } from './chunk-vectorizer.js';

const SIGNAL = new AbortController().signal;
const chunk = (text: string): WeightedChunk => ({
  ordinal: 0,
  text,
  header: '',
  tokens: 1,
  headingPath: [],
  start: 0,
  end: text.length,
  contentHash: `hash of ${text}`,
  lexical: { indices: [], values: [] },
  isListing: false,
});
const run = (id: string): RunEntity => ({ id, organizationId: 'o' }) as RunEntity;

function vectorizer(options: {
  known?: Record<string, string[]>;
  embed?: (texts: readonly string[]) => Promise<Float32Array[]>;
  paused?: number;
}) {
  const embedded: string[][] = [];
  const pauses: number[] = [];
  const store = {
    fetchVectors: async (_: unknown, { runId }: { runId: string }, hashes: readonly string[]) =>
      new Map(
        hashes
          .filter((hash) => options.known?.[runId]?.includes(hash))
          .map((hash) => [hash, [Float32Array.of(1)]]),
      ),
  } as unknown as VectorStore;
  const model: EmbeddingModel = {
    fingerprint: 'f',
    account: 'account',
    isNeural: true,
    dimensions: 1,
    maxInputTokens: 100,
    embed: async (texts, { onRefusedText }) => {
      embedded.push([...texts]);
      for (const [index, text] of texts.entries())
        if (text === 'refused') onRefusedText?.(index, new ModelError('permanent', 'too long'));
      return options.embed ? options.embed(texts) : texts.map(() => Float32Array.of(2));
    },
  };
  const pauseRows = {
    remaining: async () => options.paused ?? 0,
    pause: async (_: string, ms: number) => void pauses.push(ms),
  } as unknown as ProviderPauseRepository;
  const vectorizer = new ChunkVectorizer(store, pauseRows, { warn: () => undefined });
  const target = { space: { name: 's', dense: { dimensions: 1 } }, model, isInterim: false };
  const write = (chunks: readonly WeightedChunk[], runs: readonly RunEntity[]) =>
    vectorizer.vectorsOf(chunks, target, runs, SIGNAL);
  const vectorsOf = async (chunks: readonly WeightedChunk[], runs: readonly RunEntity[]) =>
    (await write(chunks, runs)).vectors;
  return { vectorsOf, write, embedded, pauses };
}

describe('ChunkVectorizer', () => {
  it('copies vectors from every run that has them, and computes the others', async () => {
    const { vectorsOf, embedded } = vectorizer({ known: { one: ['hash of a'], two: ['hash of b'] } });
    const chunks = ['a', 'b', 'c'].map(chunk);
    const vectors = await vectorsOf(chunks, [run('one'), run('two')]);
    expect(vectors).toEqual([[Float32Array.of(1)], [Float32Array.of(1)], [Float32Array.of(2)]]);
    expect(embedded).toEqual([['c']]);
  });

  it('embeds each window below the header of its chunk, in one call, and drops zero vectors', async () => {
    const long = Array.from({ length: 120 }, (_, i) => `w${i}`).join(' ');
    const half = long.indexOf(' w60');
    const { vectorsOf, embedded } = vectorizer({
      embed: async (texts) =>
        texts.map((text) => Float32Array.of(text.includes('unknown') ? 0 : text.length)),
    });
    const chunks = [{ ...chunk(long), header: 'Title' }, chunk('unknown'), chunk('short')];
    const windows = [`Title\n${long.slice(0, half)}`, `Title\n${long.slice(half + 1)}`];
    const vectors = await vectorsOf(chunks, []);
    expect(embedded).toEqual([[...windows, 'unknown', 'short']]);
    expect(vectors).toEqual([windows.map(({ length }) => Float32Array.of(length)), [], [Float32Array.of(5)]]);
  });

  it('goes on without the vectors of a text that the model refuses, and says so', async () => {
    const { write } = vectorizer({
      embed: async (texts) =>
        texts.map((text) => (text === 'refused' ? new Float32Array() : Float32Array.of(2))),
    });
    expect(await write([chunk('a'), chunk('refused')], [])).toEqual({
      vectors: [[Float32Array.of(2)], []],
      isPartlyRefused: true,
    });
    expect(await write([chunk('a')], [])).toMatchObject({ isPartlyRefused: false });
  });

  it('embeds no table of contents', async () => {
    const { vectorsOf, embedded } = vectorizer({});
    expect(await vectorsOf([{ ...chunk('1 Plots … 3'), isListing: true }], [])).toEqual([[]]);
    expect(embedded).toEqual([]);
  });

  it('does not call a provider while a pause holds', async () => {
    const { vectorsOf, embedded } = vectorizer({ paused: 1_234 });
    await expect(vectorsOf([chunk('a')], [])).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 1_234,
    });
    expect(embedded).toEqual([]);
  });

  it('pauses all workers after a rate limit, for five seconds if the provider states no time', async () => {
    for (const [statedMs, pauseMs] of [
      [20_000, 20_000],
      [undefined, 5_000],
    ] as const) {
      const { vectorsOf, pauses } = vectorizer({
        embed: async () => {
          throw new ModelError(
            'rate-limited',
            'slow down',
            statedMs === undefined ? {} : { retryAfterMs: statedMs },
          );
        },
      });
      await expect(vectorsOf([chunk('a')], [])).rejects.toMatchObject({ kind: 'rate-limited' });
      expect(pauses).toEqual([pauseMs]);
    }
  });
});
