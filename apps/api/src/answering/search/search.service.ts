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
  wholeDocumentQuestion,
} from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { RerankModels } from '../../models/rerank-models.js';
import { Introductions } from './introductions.service.js';
import { withoutCopies } from './passage-copies.js';
import { type FoundPassage, Retriever, type RetrieveOptions } from './retriever.service.js';

/** Passages that the rerank model scores. Text Embeddings Inference accepts 32 by default. */
const CANDIDATES = 30;

/** Passages in which the words themselves are looked for: rare ones come first. */
const WORD_PASSAGES = 20;
/** Unknown words of a question that are tried. */
const MAX_UNKNOWN = 3;
/** Passages in which spellings of unknown words are looked for. */
const SPELLING_PASSAGES = 50;

/** A passage in the order of a rerank model. */
export interface RankedPassage extends FoundPassage {
  /** Score of the rerank model, 0..1; absent if it did not score the passage. */
  rerankScore?: number;
}

export interface SearchOptions extends RetrieveOptions {
  /** Answers a question about whole documents with their introductions, as agents do. Default false. */
  introductions?: boolean;
  /** Whether the rerank model orders the passages. Default true. */
  rerank?: boolean;
  /** Which passages of a question are kept. Default: all. */
  keep?: (question: AnalyzedQuestion, passages: readonly FoundPassage[]) => readonly FoundPassage[];
}

type ScoredOptions = RetrieveOptions & Pick<SearchOptions, 'rerank'>;

/** What was found for a question. */
export interface FoundForQuestion {
  /** The question as it was searched. */
  readonly question: AnalyzedQuestion;
  /** Words that no document has, and what was searched instead. */
  readonly corrections: readonly Correction[];
  /** Passages that were kept, best first. */
  readonly passages: readonly RankedPassage[];
  /** The passages are introductions. They have no relevance, so no minimum score applies to them. */
  readonly areIntroductions?: true;
}

/** What was found for the questions of a message. */
export interface Found {
  readonly questions: readonly FoundForQuestion[];
  /** Passages that were kept: first the best of each question. */
  readonly passages: RankedPassage[];
}

/** The one way to search: retrieves passages for each question, reranks them, and shares out the places. */
@Injectable()
export class Search {
  constructor(
    @Inject(Retriever) private readonly retriever: Retriever,
    @Inject(Introductions) private readonly introductions: Pick<Introductions, 'find'>,
    @Inject(RerankModels) private readonly models: Pick<RerankModels, 'of'>,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Finds at most `limit` passages for each question. With `leg`, neither spellings nor the rerank model are tried. */
  async find(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    questions: readonly AnalyzedQuestion[],
    { introductions = false, keep = (_, passages) => passages, ...options }: SearchOptions,
  ): Promise<Found> {
    const found = await Promise.all(
      questions.map(async (question) => {
        const whole = introductions ? wholeDocumentQuestion(question.text) : null;
        const passages = whole && (await this.introductions.find(tenant, datastores, options.filters, whole));
        if (passages) return { question, corrections: [], passages, areIntroductions: true as const };
        const searched = await this.findOne(tenant, datastores, question, options);
        return { ...searched, passages: keep(question, searched.passages) };
      }),
    );
    return { questions: found, passages: sharePassages(found.map(({ passages }) => passages)) };
  }

  /** If no passage is relevant, replaces words that no document has by the nearest known ones, and searches again. */
  private async findOne(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    question: AnalyzedQuestion,
    options: ScoredOptions,
  ): Promise<FoundForQuestion> {
    const passages = await this.retrieve(tenant, datastores, question, options);
    const uncorrected = { question, corrections: [], passages };
    // Comparing spellings takes longer than the search.
    if (options.leg !== undefined || (passages[0]?.score ?? 0) >= RELEVANT) return uncorrected;
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
  private async retrieve(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    question: AnalyzedQuestion,
    { rerank = true, ...options }: ScoredOptions,
  ): Promise<RankedPassage[]> {
    const model = rerank && options.leg === undefined ? await this.models.of(tenant) : null;
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

/**
 * Orders passages by the scores of a rerank model. Equal scores keep their order.
 *
 * The relevance stays with the rank: the n-th passage gets the relevance of the passage that was the n-th before. Scores of
 * rerank models are not calibrated, so they do not change how relevant the best passage is, nor how many are relevant.
 *
 * @param passages best passage first, with descending relevance
 * @param scores of the first passages. Passages without a score follow in their order
 */
export function rerankPassages(
  passages: readonly FoundPassage[],
  scores: readonly number[],
): RankedPassage[] {
  const ranked = scores
    .flatMap((rerankScore, index): (FoundPassage & { rerankScore: number })[] => {
      const passage = passages[index];
      return passage ? [{ ...passage, rerankScore }] : [];
    })
    .sort((a, b) => b.rerankScore - a.rerankScore);
  return [...ranked, ...passages.slice(scores.length)].map((passage, rank) => ({
    ...passage,
    score: passages[rank]?.score ?? 0,
  }));
}

/**
 * Merges the passages of several questions so that each question gets its share: first the best passage of each, then the
 * second of each, and so on. A passage that several have found comes once, with the highest of its scores. Copies of a text
 * have as many places as in one ranking.
 *
 * @param rankings one for each question, best passage first
 */
export function sharePassages<P extends Pick<FoundPassage, 'id' | 'text' | 'score' | 'copies'>>(
  rankings: readonly (readonly P[])[],
): P[] {
  const shared = new Map<string, P>();
  const depth = Math.max(0, ...rankings.map(({ length }) => length));
  for (let rank = 0; rank < depth; rank += 1) {
    for (const ranking of rankings) {
      const passage = ranking[rank];
      if (passage === undefined) continue;
      const known = shared.get(passage.id);
      const copies = [...(known?.copies ?? []), ...(passage.copies ?? [])];
      const best = known !== undefined && known.score >= passage.score ? known : passage;
      shared.set(passage.id, copies.length === 0 ? best : { ...best, copies });
    }
  }
  return withoutCopies([...shared.values()]);
}
