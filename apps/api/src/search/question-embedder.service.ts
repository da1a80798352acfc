import { type ModelSpace, SPACES, type Spaces } from '@citewell/infrastructure';
import { type EmbeddingModel, ModelError } from '@citewell/models';
import { CosineScale, UNRELATED_TEXTS } from '@citewell/retrieval';
import type { Space } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';

const TIMEOUT_MS = 20_000;
/**
 * Weights of the search by meaning in a search by words and meaning, 0..1; see docs/retrieval.md. That of the built-in model
 * is best for XQuAD in five languages, and nearly so for FAQs. That of neural models was measured with all-MiniLM-L6-v2.
 */
const BUILTIN_DENSE_WEIGHT = 0.3;
const NEURAL_DENSE_WEIGHT = 0.7;

/** The vector of a question in one space, and the scale of the model's cosines. */
export interface EmbeddedQuestion {
  readonly space: Space;
  readonly vector: Float32Array;
  readonly scale: CosineScale;
  readonly denseWeight: number;
  /** See `EmbeddingModel.isNeural`. */
  readonly isNeural: boolean;
}

/** Embeds questions. The first request to a model also embeds unrelated texts, which calibrate its cosines. */
@Injectable()
export class QuestionEmbedder {
  private readonly scales = new WeakMap<EmbeddingModel, CosineScale>();

  constructor(@Inject(SPACES) private readonly spaces: Spaces) {}

  /**
   * @param names of the spaces to search
   * @returns the question in each of the spaces whose model is open, by name
   * @throws ModelError, also if the model does not answer within 20 s; the signal's reason
   */
  async embed(
    question: string,
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Map<string, EmbeddedQuestion>> {
    const { indexing, embedding, retired = [] } = this.spaces;
    const searched = [indexing, embedding, ...retired]
      .filter((target) => target !== null)
      .filter(({ space }) => names.includes(space.name));
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const limit = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const embedded = await Promise.all(searched.map((target) => this.embedIn(target, question, limit))).catch(
      (error: unknown) => {
        if (error !== timeout.reason) throw error;
        const seconds = TIMEOUT_MS / 1_000;
        throw new ModelError('transient', `The embedding model did not answer within ${seconds} s.`);
      },
    );
    return new Map(embedded.flatMap((one) => (one ? [[one.space.name, one] as const] : [])));
  }

  private async embedIn(
    { space, model }: ModelSpace,
    question: string,
    signal: AbortSignal,
  ): Promise<EmbeddedQuestion | null> {
    if (!model) return null;
    const known = this.scales.get(model);
    const texts = known ? [question] : [question, ...UNRELATED_TEXTS];
    const [vector, ...unrelated] = await model.embed(texts, { kind: 'query', signal });
    const scale = known ?? CosineScale.of(unrelated);
    this.scales.set(model, scale);
    const { isNeural } = model;
    const denseWeight = isNeural ? NEURAL_DENSE_WEIGHT : BUILTIN_DENSE_WEIGHT;
    return vector ? { space, vector, scale, denseWeight, isNeural } : null;
  }
}
