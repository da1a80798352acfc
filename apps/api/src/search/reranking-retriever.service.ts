import type { Config } from '@citewell/config';
import type { DatastoreEntity, TenantScope } from '@citewell/database';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import type { RerankModel } from '@citewell/models';
import { type Logger, Metrics } from '@citewell/observability';
import type { AnalyzedQuestion } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { RerankModels } from '../models/rerank-models.js';
import { type RankedPassage, rerankPassages } from './rerank-passages.js';
import { type FoundPassage, Retriever, type RetrieveOptions } from './retriever.service.js';

/** Passages that the rerank model scores. Text Embeddings Inference accepts 32 by default. */
const CANDIDATES = 30;

/** Finds the passages for a question, and orders them with the rerank model, if one is configured. */
@Injectable()
export class RerankingRetriever {
  constructor(
    @Inject(Retriever) private readonly retriever: Retriever,
    @Inject(RerankModels) private readonly models: Pick<RerankModels, 'of'>,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** At most `limit` passages, best first. If the model fails or is too slow, their order is that of {@link Retriever}. */
  async retrieve(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    question: AnalyzedQuestion,
    options: Omit<RetrieveOptions, 'leg'>,
  ): Promise<RankedPassage[]> {
    const model = await this.models.of(tenant);
    if (!model) return this.retriever.retrieve(tenant, datastores, question, options);
    const limit = Math.max(options.limit, CANDIDATES);
    const passages = await this.retriever.retrieve(tenant, datastores, question, { ...options, limit });
    const scores = await this.score(model, question.text, passages.slice(0, CANDIDATES), options.signal);
    return rerankPassages(passages, scores).slice(0, options.limit);
  }

  /** @returns one score per passage; none if the model fails or is too slow, or if there is nothing to order */
  private async score(
    model: RerankModel,
    question: string,
    passages: readonly FoundPassage[],
    callerSignal: AbortSignal | undefined,
  ): Promise<number[]> {
    if (passages.length < 2) return [];
    const timeout = AbortSignal.timeout(this.config.RERANK_TIMEOUT_MS);
    const signal = callerSignal ? AbortSignal.any([callerSignal, timeout]) : timeout;
    const texts = passages.map(({ header, text }) => (header === '' ? text : `${header}\n${text}`));
    try {
      const scores = await model.rerank(question, texts, { signal });
      this.metrics.rerankings.inc({ outcome: 'done' });
      return scores;
    } catch (error) {
      callerSignal?.throwIfAborted();
      this.metrics.rerankings.inc({ outcome: timeout.aborted ? 'timeout' : 'failed' });
      this.logger.warn({ err: error }, 'Passages were not reranked, and keep the order of the search');
      return [];
    }
  }
}
