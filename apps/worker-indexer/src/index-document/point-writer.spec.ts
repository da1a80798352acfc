import { DatasourceEntity, RunEntity, type RunLifecycleRepository } from '@citewell/database';
import type { StageWork } from '@citewell/ingestion';
import type { Point, VectorStore } from '@citewell/vector-store';
import { describe, expect, it } from '@jest/globals';
import type { WeightedChunk } from '../chunking/chunk-thread.protocol.js';
import type { ChunkVectorizer } from './chunk-vectorizer.js';
import { PointWriter } from './point-writer.js';

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
