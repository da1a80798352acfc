import { IngestionError } from '@citewell/contracts/errors';
import {
  type DatasourceEntity,
  GroupCommit,
  ProviderPauseRepository,
  type RunEntity,
  RunLifecycleRepository,
} from '@citewell/database';
import { embeddedText, windowsOf } from '@citewell/documents';
import { LOGGER, type ModelSpace, VECTOR_STORE } from '@citewell/infrastructure';
import type { StageWork } from '@citewell/ingestion';
import { type EmbeddingModel, ModelError } from '@citewell/models';
import type { Logger } from '@citewell/observability';
import type { Point, Space, VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { v5 } from 'uuid';
import type { OpenDocument } from '../chunking/chunk-thread.js';
import type { WeightedChunk } from '../chunking/chunk-thread.protocol.js';

/** The vectors of chunks, in their order. */
export interface ChunkVectors {
  /** Of each chunk; an empty array without an embedding model. */
  readonly vectors: readonly (readonly Float32Array[])[];
  /** Whether the model refused a part of the text, which has no vectors therefore. */
  readonly isPartlyRefused: boolean;
}

/** Pause of all workers when a provider's rate limit comes without a `Retry-After`. */
const UNSTATED_PAUSE_MS = 5_000;

/**
 * Dense vectors of chunks, one for each window: copied from runs that have the same text, otherwise computed
 * by the embedding model.
 */
@Injectable()
export class ChunkVectorizer {
  constructor(
    @Inject(VECTOR_STORE) private readonly vectorStore: VectorStore,
    @Inject(ProviderPauseRepository) private readonly pauses: ProviderPauseRepository,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * @param target the space, and the model
   * @param embedded runs to copy vectors from
   * @throws IngestionError `RATE_LIMITED` while the provider's rate limit holds
   * @throws ModelError
   */
  async vectorsOf(
    chunks: readonly WeightedChunk[],
    { space, model }: ModelSpace,
    embedded: readonly RunEntity[],
    signal: AbortSignal,
  ): Promise<ChunkVectors> {
    if (!model) return { vectors: [], isPartlyRefused: false };
    const known = new Map<string, readonly Float32Array[]>();
    for (const run of embedded) {
      const missing = chunks.map((chunk) => chunk.contentHash).filter((hash) => !known.has(hash));
      const { organizationId, id: runId } = run;
      const vectors = await this.vectorStore.fetchVectors(space, { organizationId, runId }, missing);
      for (const [hash, vector] of vectors) known.set(hash, vector);
    }
    const fresh = chunks.filter((chunk) => !known.has(chunk.contentHash));
    const windows = fresh.map(embeddedWindows);
    const { vectors, isPartlyRefused } = await this.embed(model, windows.flat(), signal);
    let start = 0;
    for (const [index, chunk] of fresh.entries()) {
      const end = start + (windows[index]?.length ?? 0);
      known.set(chunk.contentHash, vectors.slice(start, end).filter(isUsable));
      start = end;
    }
    return { vectors: chunks.map((chunk) => known.get(chunk.contentHash) ?? []), isPartlyRefused };
  }

  /** Calls the provider, unless a rate limit that any worker met still holds. */
  private async embed(
    model: EmbeddingModel,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: Float32Array[]; isPartlyRefused: boolean }> {
    let isPartlyRefused = false;
    if (texts.length === 0) return { vectors: [], isPartlyRefused };
    const onRefusedText = (_: number, error: ModelError): void => {
      isPartlyRefused = true;
      this.logger.warn({ err: error, says: error.providerSentence }, 'the embedding model refused a text');
    };
    const remaining = await this.pauses.remaining(model.account);
    if (remaining > 0) throw new IngestionError('RATE_LIMITED', { retryAfterMs: remaining });
    try {
      const vectors = await model.embed(texts, { signal, kind: 'document', onRefusedText });
      return { vectors, isPartlyRefused };
    } catch (error) {
      if (error instanceof ModelError && error.kind === 'rate-limited')
        await this.pauses.pause(model.account, error.retryAfterMs ?? UNSTATED_PAUSE_MS);
      throw error;
    }
  }
}

/** A table of contents or an index has no vectors: it is similar to many questions and answers none. */
function embeddedWindows({ header, text, isListing }: WeightedChunk): string[] {
  if (isListing) return [];
  return windowsOf(text).map((window) => embeddedText({ header, text: window }));
}

/** A refused text has no vector. One of which the model knows no word can have the zero vector, similar to nothing. */
function isUsable(vector: Float32Array): boolean {
  return vector.some((value) => value !== 0);
}

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
    confidence: chunk.confidence ?? null,
    headingPath: chunk.headingPath,
    anchor: chunk.anchor ?? null,
    start: chunk.start,
    end: chunk.end,
    contentHash: chunk.contentHash,
    lexical: chunk.lexical,
    dense,
  };
}
