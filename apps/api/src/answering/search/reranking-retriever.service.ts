import type { Config } from '@citewell/config';
import type { DatastoreEntity, TenantScope } from '@citewell/database';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import type { RerankModel } from '@citewell/models';
import { type Logger, Metrics } from '@citewell/observability';
import {
  type AnalyzedQuestion,
  corrected,
  type Correction,
  nearestSpellings,
  questionTermIds,
  RELEVANT,
  unknownWords,
} from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { RerankModels } from '../../models/rerank-models.js';
import { type RankedPassage, rerankPassages } from './rerank-passages.js';
import { type FoundPassage, Retriever, type RetrieveOptions } from './retriever.service.js';

/** Passages that the rerank model scores. Text Embeddings Inference accepts 32 by default. */
const CANDIDATES = 30;

/** Passages in which the words themselves are looked for: rare ones come first. */
const WORD_PASSAGES = 20;
/** Unknown words of a question that are tried. */
const MAX_UNKNOWN = 3;
/** Passages in which spellings of unknown words are looked for. */
const SPELLING_PASSAGES = 50;

/** What was found for a question. */
export interface FoundPassages {
  /** The question as it was searched. */
  readonly question: AnalyzedQuestion;
  /** Words that no document has, and what was searched instead. */
  readonly corrections: readonly Correction[];
  /** Best first. */
  readonly passages: RankedPassage[];
}

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

  /**
   * As {@link retrieve}. If no passage is relevant, a word that no document has is searched as the nearest known one, if that
   * finds relevant passages.
   */
  async find(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    question: AnalyzedQuestion,
    options: Omit<RetrieveOptions, 'leg'>,
  ): Promise<FoundPassages> {
    const passages = await this.retrieve(tenant, datastores, question, options);
    const uncorrected = { question, corrections: [], passages };
    // Comparing spellings takes longer than the search.
    if ((passages[0]?.score ?? 0) >= RELEVANT) return uncorrected;
    const { filters } = options;
    const havingTerms = (ids: readonly number[], limit: number): Promise<FoundPassage[]> =>
      this.retriever.havingTerms(tenant, datastores, ids, questionTermIds(question), { limit, filters });
    const notFound = unknownWords(question, new Set(passages.flatMap(({ terms }) => terms)));
    if (notFound.length === 0) return uncorrected;
    const withWords = await havingTerms(
      notFound.map(({ id }) => id),
      WORD_PASSAGES,
    );
    const known = new Set(withWords.flatMap(({ terms }) => terms));
    const unknown = notFound.filter(({ id }) => !known.has(id)).slice(0, MAX_UNKNOWN);
    if (unknown.length === 0) return uncorrected;
    const having = await havingTerms(
      unknown.flatMap(({ spellings }) => [...spellings.keys()]),
      SPELLING_PASSAGES,
    );
    const corrections = nearestSpellings(unknown, question, having);
    if (corrections.length === 0) return uncorrected;
    const other = corrected(question, corrections);
    const found = await this.retrieve(tenant, datastores, other, options);
    const best = found[0]?.score ?? 0;
    return best >= RELEVANT ? { question: other, corrections, passages: found } : uncorrected;
  }

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
