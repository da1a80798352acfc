import { IngestionError } from '@citewell/contracts/errors';
import { ProviderPauseRepository, type RunEntity } from '@citewell/database';
import { embeddedText, windowsOf } from '@citewell/documents';
import { LOGGER, type ModelSpace, VECTOR_STORE } from '@citewell/infrastructure';
import { type EmbeddingModel, ModelError } from '@citewell/models';
import type { Logger } from '@citewell/observability';
import type { VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
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
