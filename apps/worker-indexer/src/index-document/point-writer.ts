import { IngestionError } from '@citewell/contracts/errors';
import {
  type DatasourceEntity,
  GroupCommit,
  type RunEntity,
  RunLifecycleRepository,
} from '@citewell/database';
import { type ModelSpace, VECTOR_STORE } from '@citewell/infrastructure';
import type { StageWork } from '@citewell/ingestion';
import type { Point, Space, VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { v5 } from 'uuid';
import type { OpenDocument } from '../chunking/chunk-thread.js';
import type { WeightedChunk } from '../chunking/chunk-thread.protocol.js';
import { ChunkVectorizer } from './chunk-vectorizer.js';

interface Write {
  readonly space: Space;
  readonly points: readonly Point[];
}

/** Chunks whose points are being written. */
export interface WrittenBatch {
  readonly chunks: readonly WeightedChunk[];
  /** See `ChunkVectors`. */
  readonly isPartlyRefused: boolean;
}

/**
 * Writes the points of a run to a vector space and verifies their number.
 *
 * All methods throw `VectorStoreUnavailableError` when the store does not answer.
 */
@Injectable()
export class PointWriter {
  /** Points of several runs are written together. The store replaces points that are written again. */
  private readonly writes = new GroupCommit<Write, void>(async (_, writes) => {
    const [first] = writes;
    if (first !== undefined)
      await this.vectorStore.upsert(
        first.space,
        writes.flatMap(({ points }) => points),
      );
    return writes.map(() => undefined);
  });

  constructor(
    @Inject(VECTOR_STORE) private readonly vectorStore: VectorStore,
    @Inject(ChunkVectorizer) private readonly vectorizer: ChunkVectorizer,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
  ) {}

  /**
   * Creates the space if needed. Deletes points that an earlier attempt wrote to another space, and records
   * the current space on the run. Points of an earlier attempt in the current space stay: they have the same
   * ids, and their vectors need not be computed again.
   *
   * @throws LeaseLostError
   */
  async prepare(run: RunEntity, { space }: ModelSpace): Promise<void> {
    await this.vectorStore.ensureSpace(space);
    if (run.space === space.name) return;
    await this.vectorStore.deleteRun({ organizationId: run.organizationId, runId: run.id });
    await this.lifecycle.recordSpace(run, space.name);
  }

  /**
   * Writes a point for each chunk, batch by batch, and reports progress in characters. Yields each batch once
   * its write has started. When the generator ends, all writes have succeeded.
   *
   * @throws IngestionError as {@link ChunkVectorizer.vectorsOf}; the signal's reason
   */
  async *write(
    { run, datasource, serving, reindexed, wasWriting, signal, report }: StageWork,
    document: OpenDocument,
    target: ModelSpace,
  ): AsyncGenerator<WrittenBatch, void, void> {
    // Only vectors in the same space can be copied: those of an earlier attempt, of the serving run, and of
    // the last reindex.
    const { space } = target;
    const embedded = [wasWriting ? run : null, serving, reindexed]
      .filter((source) => source !== null)
      .filter((source) => source.space === space.name);
    let pendingWrite: Promise<void> = Promise.resolve();
    for await (const chunks of document.batches()) {
      signal.throwIfAborted();
      const { vectors, isPartlyRefused } = await this.vectorizer.vectorsOf(chunks, target, embedded, signal);
      const points = chunks.map((chunk, index) => toPoint(chunk, vectors[index] ?? [], run, datasource));
      // The store writes one batch while the next one is computed.
      await pendingWrite;
      pendingWrite = this.writes.submit(space.name, { space, points });
      pendingWrite.catch(() => undefined);
      yield { chunks, isPartlyRefused };
      report({ done: chunks.at(-1)?.end ?? 0, total: document.characters });
    }
    await pendingWrite;
  }

  /**
   * Compares the number of stored points with the number of written ones.
   *
   * @throws IngestionError `DEPENDENCY_UNAVAILABLE` when they differ; all points of the run are deleted
   * before that
   */
  async verifyCount(run: RunEntity, { space }: ModelSpace, written: number): Promise<void> {
    const scope = { organizationId: run.organizationId, runId: run.id };
    const stored = await this.vectorStore.count(space, scope);
    if (stored === written) return;
    // Possibly points of an attempt by another release, which chunked differently. The next attempt starts
    // without them.
    await this.vectorStore.deleteRun(scope);
    throw new IngestionError('DEPENDENCY_UNAVAILABLE', {
      message: `${written} points were written, but ${stored} are stored`,
    });
  }
}

/**
 * The point of a chunk. Its id is derived from datasource, run and ordinal, so that writing is idempotent.
 */
function toPoint(
  chunk: WeightedChunk,
  dense: readonly Float32Array[],
  run: RunEntity,
  datasource: DatasourceEntity,
): Point {
  return {
    // UUIDv5, RFC 9562 section 5.5. The namespace is the datasource.
    id: v5(`${run.id}/${chunk.ordinal}`, datasource.id),
    organizationId: datasource.organizationId,
    datastoreId: datasource.datastoreId,
    datasourceId: datasource.id,
    groupId: datasource.groupId,
    runId: run.id,
    ordinal: chunk.ordinal,
    text: chunk.text,
    header: chunk.header,
    page: chunk.page ?? null,
    headingPath: chunk.headingPath,
    anchor: chunk.anchor ?? null,
    start: chunk.start,
    end: chunk.end,
    contentHash: chunk.contentHash,
    lexical: chunk.lexical,
    dense,
  };
}
