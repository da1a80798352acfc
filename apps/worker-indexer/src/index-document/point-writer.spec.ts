import {
  DatasourceEntity,
  type ProviderPauseRepository,
  RunEntity,
  type RunLifecycleRepository,
} from '@citewell/database';
import type { StageWork } from '@citewell/ingestion';
import { type EmbeddingModel, ModelError } from '@citewell/models';
import type { Point, VectorStore } from '@citewell/vector-store';
import { describe, expect, it } from '@jest/globals';
import type { WeightedChunk } from '../chunking/chunk-thread.protocol.js';
import { ChunkVectorizer, PointWriter } from './point-writer.js';

const TARGET = { space: { name: 'current', dense: null }, model: null, isInterim: false };
const DATASOURCE_ID = '0190a5a4-0000-7000-8000-000000000002';

const runIn = (id: string, space: string | null): RunEntity =>
  Object.assign(new RunEntity(), { id, organizationId: 'o', space });
const chunkAt = (ordinal: number): WeightedChunk => ({
  ordinal,
  text: 'text',
  header: '',
  tokens: 1,
  headingPath: [],
  start: ordinal * 10,
  end: ordinal * 10 + 10,
  contentHash: `${ordinal}`,
  lexical: { indices: [], values: [] },
  isListing: false,
});

/** A writer on fakes that record their calls. */
function createWriter(stored = 0) {
  const calls: string[] = [];
  const points: Point[] = [];
  const store = {
    ensureSpace: async ({ name }: { name: string }) => void calls.push(`ensure ${name}`),
    deleteRun: async ({ runId }: { runId: string }) => void calls.push(`delete ${runId}`),
    upsert: async (_: unknown, batch: Point[]) => void points.push(...batch),
    count: async () => stored,
  };
  const vectorizer = {
    vectorsOf: async (_: unknown, _target: unknown, embedded: readonly RunEntity[]) => {
      calls.push(`copy vectors of ${embedded.map(({ id }) => id).join()}`);
      return { vectors: [], isPartlyRefused: false };
    },
  };
  const lifecycle = {
    recordSpace: async (_: unknown, space: string) => void calls.push(`record ${space}`),
  };
  // The writer uses only the methods that the fakes have.
  const writer = new PointWriter(
    store as unknown as VectorStore,
    vectorizer as unknown as ChunkVectorizer,
    lifecycle as unknown as RunLifecycleRepository,
  );
  return { writer, calls, points };
}

describe('PointWriter', () => {
  it('keeps points of an earlier attempt in the current space', async () => {
    const { writer, calls } = createWriter();
    await writer.prepare(runIn('r', 'current'), TARGET);
    expect(calls).toEqual(['ensure current']);
  });

  it('deletes points of an earlier attempt in another space before it records the current one', async () => {
    const { writer, calls } = createWriter();
    await writer.prepare(runIn('r', 'older'), TARGET);
    expect(calls).toEqual(['ensure current', 'delete r', 'record current']);
  });

  it('writes a point for each chunk and reports progress', async () => {
    const { writer, calls, points } = createWriter();
    const progress: number[] = [];
    const work: StageWork = {
      run: runIn('r', 'current'),
      datasource: Object.assign(new DatasourceEntity(), { id: DATASOURCE_ID }),
      serving: runIn('serving', 'older'),
      reindexed: runIn('reindexed', 'current'),
      wasWriting: true,
      signal: new AbortController().signal,
      report: ({ done }) => progress.push(done),
    };
    const document = {
      characters: 30,
      changed: null,
      async *batches() {
        yield [chunkAt(0), chunkAt(1)];
        yield [chunkAt(2)];
      },
      close: () => undefined,
    };
    const written: number[] = [];
    for await (const { chunks } of writer.write(work, document, TARGET)) {
      written.push(...chunks.map(({ ordinal }) => ordinal));
    }
    expect(written).toEqual([0, 1, 2]);
    expect(points.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
    expect(progress).toEqual([20, 30]);
    // The serving run is in another space: its vectors cannot be copied.
    expect(calls).toEqual(['copy vectors of r,reindexed', 'copy vectors of r,reindexed']);
  });

  it('deletes all points of the run when their number is wrong', async () => {
    const { writer, calls } = createWriter(3);
    await writer.verifyCount(runIn('r', 'current'), TARGET, 3);
    expect(calls).toEqual([]);
    await expect(writer.verifyCount(runIn('r', 'current'), TARGET, 2)).rejects.toMatchObject({
      code: 'DEPENDENCY_UNAVAILABLE',
    });
    expect(calls).toEqual(['delete r']);
  });
});

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
