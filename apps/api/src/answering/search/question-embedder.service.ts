import { LOGGER, type ModelSpace, SPACES, type Spaces } from '@citewell/infrastructure';
import { type EmbeddingModel, ModelError, type ModelErrorReason } from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { CosineScale, UNRELATED_TEXTS } from '@citewell/retrieval';
import type { Space } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';

const TIMEOUT_MS = 10_000;
/** After a failure, a model is not asked for this time, unless its server states another one. */
const PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** Reasons that are about the question. */
const REFUSED_TEXTS: readonly (ModelErrorReason | undefined)[] = ['too-long', 'content-filter'];
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

  private readonly pausedUntil = new WeakMap<EmbeddingModel, number>();

  constructor(
    @Inject(SPACES) private readonly spaces: Spaces,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * A model that fails, or does not answer in time, does not fail the search: its space is searched by words. It is not
   * asked again for some seconds, so that not each question waits for it.
   *
   * @param names of the spaces to search
   * @returns the question in each of the spaces whose model answers, by name
   * @throws the signal's reason
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
    const embedded = await Promise.all(searched.map((target) => this.tryToEmbed(target, question, signal)));
    return new Map(embedded.flatMap((one) => (one ? [[one.space.name, one] as const] : [])));
  }

  private async tryToEmbed(
    target: ModelSpace,
    question: string,
    signal: AbortSignal | undefined,
  ): Promise<EmbeddedQuestion | null> {
    const { model } = target;
    if (model === null || (this.pausedUntil.get(model) ?? 0) > performance.now()) return null;
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const limit = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      return await this.embedIn(target, question, limit);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ModelError || error === timeout.reason)) throw error;
      this.logger.warn({ err: error, space: target.space.name }, 'the question is searched by words only');
      // The next question may be shorter.
      if (error instanceof ModelError && REFUSED_TEXTS.includes(error.reason)) return null;
      const pauseMs = (error instanceof ModelError ? error.retryAfterMs : undefined) ?? PAUSE_MS;
      this.pausedUntil.set(model, performance.now() + Math.min(pauseMs, MAX_PAUSE_MS));
      return null;
    }
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
