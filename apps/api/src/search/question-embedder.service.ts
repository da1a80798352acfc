import { EMBEDDING_MODEL } from '@citewell/infrastructure';
import type { EmbeddingModel } from '@citewell/models';
import { CosineScale, UNRELATED_TEXTS } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';

const TIMEOUT_MS = 20_000;

/** The vector of a question, and the scale of the model's cosines. */
export interface EmbeddedQuestion {
  readonly vector: Float32Array;
  readonly scale: CosineScale;
  /** See `EmbeddingModel.denseWeight`. */
  readonly denseWeight: number;
}

/** Embeds questions. The first request also embeds unrelated texts, which calibrate the model's cosines. */
@Injectable()
export class QuestionEmbedder {
  private scale: CosineScale | null = null;

  constructor(@Inject(EMBEDDING_MODEL) private readonly model: EmbeddingModel | null) {}

  /**
   * @returns null without an embedding model
   * @throws ModelError, or the reason of a signal
   */
  async embed(question: string, signal: AbortSignal | undefined): Promise<EmbeddedQuestion | null> {
    const { model } = this;
    if (!model) return null;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const [vector, ...unrelated] = await model.embed(
      this.scale === null ? [question, ...UNRELATED_TEXTS] : [question],
      { kind: 'query', signal: signal ? AbortSignal.any([signal, timeout]) : timeout },
    );
    if (unrelated.length > 0) this.scale = CosineScale.of(unrelated);
    return vector && this.scale ? { vector, scale: this.scale, denseWeight: model.denseWeight } : null;
  }
}
