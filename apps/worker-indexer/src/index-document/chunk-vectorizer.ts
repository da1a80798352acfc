import { IngestionError } from '@citewell/contracts/errors';
import type { RunEntity } from '@citewell/database';
import { type Chunk, embeddedText } from '@citewell/documents';
import { EMBEDDING_MODEL, SPACE, VECTOR_STORE } from '@citewell/infrastructure';
import { type EmbeddingModel, ModelError } from '@citewell/models';
import type { Space, VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';

/** The dense vectors of chunks: copied where the serving run has the same text, computed where it does not. */
@Injectable()
export class ChunkVectorizer {
  constructor(
    @Inject(VECTOR_STORE) private readonly vectorStore: VectorStore,
    @Inject(SPACE) private readonly space: Space,
    @Inject(EMBEDDING_MODEL) private readonly model: EmbeddingModel | null,
  ) {}

  /**
   * @param serving the run to copy from
   * @returns a vector for each chunk; none without an embedding model
   */
  async vectorsOf(
    chunks: readonly Chunk[],
    serving: RunEntity | null,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    if (!this.model) return [];
    const known = serving
      ? await this.vectorStore.fetchVectors(
          this.space,
          { organizationId: serving.organizationId, runId: serving.id },
          chunks.map((chunk) => chunk.contentHash),
        )
      : new Map<string, Float32Array>();
    const fresh = chunks.filter((chunk) => !known.has(chunk.contentHash));
    const vectors = await this.embed(this.model, fresh, signal);
    fresh.forEach((chunk, index) => {
      const vector = vectors[index];
      if (vector) known.set(chunk.contentHash, vector);
    });
    return chunks.map((chunk) => known.get(chunk.contentHash));
  }

  private async embed(
    model: EmbeddingModel,
    chunks: readonly Chunk[],
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    if (chunks.length === 0) return [];
    try {
      return await model.embed(chunks.map(embeddedText), { signal, kind: 'document' });
    } catch (error) {
      throw error instanceof ModelError ? toIngestionError(error) : error;
    }
  }
}

function toIngestionError(error: ModelError): IngestionError {
  switch (error.kind) {
    case 'rate-limited':
      return new IngestionError('RATE_LIMITED', {
        cause: error,
        ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
      });
    case 'transient':
      return new IngestionError('DEPENDENCY_UNAVAILABLE', { cause: error });
    case 'permanent':
      return new IngestionError('MODEL_REFUSED', { cause: error });
  }
}
