import {
  type DatastoreQuery,
  type ExplainedPassage,
  type LegScore,
  RANKED_PASSAGES,
  type SearchExplanation,
} from '@citewell/contracts/schemas';
import type { DatastoreEntity, TenantScope } from '@citewell/database';
import { SPACES, type Spaces } from '@citewell/infrastructure';
import {
  analyze,
  type AnalyzedQuestion,
  analyzedQuestions,
  searchableNames,
  searchedTerms,
} from '@citewell/retrieval';
import { MIN_LEG_CANDIDATES } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { eventLoopTurn } from './event-loop-turn.js';
import { toQueryItem } from './passage.mapper.js';
import type { RankedPassage } from './rerank-passages.js';
import { RerankingRetriever } from './reranking-retriever.service.js';
import { type FoundPassage, isFiltered, Retriever } from './retriever.service.js';
import { sharePassages } from './share-passages.js';

/**
 * Shows how the legs of a search rank passages. It searches once more for each leg and question of a message, and with filters
 * also the whole datastore: a rank within a document would say nothing about why it is not found.
 */
@Injectable()
export class SearchExplainer {
  constructor(
    @Inject(RerankingRetriever) private readonly reranking: RerankingRetriever,
    @Inject(Retriever) private readonly retriever: Retriever,
    @Inject(SPACES) private readonly spaces: Spaces,
  ) {}

  async explain(
    tenant: TenantScope,
    datastore: DatastoreEntity,
    { query, filters }: DatastoreQuery,
    limit: number,
  ): Promise<SearchExplanation> {
    const questions = analyzedQuestions(query);
    const searchAll = async <P extends FoundPassage>(
      search: (question: AnalyzedQuestion) => Promise<P[]>,
    ): Promise<P[]> => sharePassages(await Promise.all(questions.map(search)));
    const search = (options: { limit: number; filters?: Filters }): Promise<RankedPassage[]> =>
      searchAll((question) => this.reranking.retrieve(tenant, [datastore], question, options));
    const searchLeg = async (leg: 'lexical' | 'dense'): Promise<LegRankings> => {
      const find = (options: { limit: number; filters?: Filters }): Promise<FoundPassage[]> =>
        searchAll((question) => this.retriever.retrieve(tenant, [datastore], question, { ...options, leg }));
      const whole = find({ limit: MIN_LEG_CANDIDATES });
      const found = isFiltered(filters) ? find({ limit, filters }) : whole;
      return { whole: await whole, found: await found };
    };
    const [found, whole, words, meaning] = await Promise.all([
      search({ limit, filters }),
      search({ limit: Math.max(limit, RANKED_PASSAGES) }),
      searchLeg('lexical'),
      this.spaces.indexing.model ? searchLeg('dense') : null,
    ]);
    await eventLoopTurn();
    const passages = found.slice(0, limit);
    return explainRankings(
      questions,
      {
        passages: passages.toSorted((a, b) => b.score - a.score),
        // A search for more passages may order the first ones differently.
        whole: isFiltered(filters) ? whole : sharePassages([[...passages, ...whole]]),
        words,
        meaning,
      },
      limit,
    );
  }
}

type Filters = DatastoreQuery['filters'];

/** Passages of one leg, best first. */
interface LegRankings {
  /** Of the whole datastore. */
  readonly whole: readonly FoundPassage[];
  /** Within the filters. */
  readonly found: readonly FoundPassage[];
}

/** Rankings of the same search, best passage first: of all legs together and the rerank model, and of each leg. */
export interface Rankings {
  /** Within the filters. */
  readonly passages: readonly RankedPassage[];
  /** Of the whole datastore. */
  readonly whole: readonly RankedPassage[];
  readonly words: LegRankings;
  /** Null without an embedding model. */
  readonly meaning: LegRankings | null;
}

export function explainRankings(
  questions: readonly AnalyzedQuestion[],
  { passages, whole, words, meaning }: Rankings,
  limit: number,
): SearchExplanation {
  const terms = [...new Set(questions.flatMap(searchedTerms))];
  const scores = {
    overall: scoresOf(whole.slice(0, Math.max(limit, RANKED_PASSAGES)), ({ score }) => score),
    words: scoresOf(words.whole, ({ legs }) => legs.lexical),
    meaning: scoresOf(meaning?.whole ?? [], ({ legs }) => legs.dense),
  };
  const explain = (passage: RankedPassage): ExplainedPassage => {
    const passageTerms = new Set(analyze(searchedText(passage)));
    return {
      ...toQueryItem(passage),
      overall: scores.overall.get(passage.id) ?? null,
      words: scores.words.get(passage.id) ?? null,
      meaning: scores.meaning.get(passage.id) ?? null,
      rerank_score: passage.rerankScore ?? null,
      matched_terms: terms.filter((term) => passageTerms.has(term)),
      missing_terms: terms.filter((term) => !passageTerms.has(term)),
    };
  };
  return {
    terms,
    passages: passages.map(explain),
    words: words.found.slice(0, limit).map(explain),
    meaning: meaning?.found.slice(0, limit).map(explain) ?? null,
  };
}

/** What the search by words reads of a passage. */
function searchedText({ header, text, run }: FoundPassage): string {
  const { datasourceName: name, customId, sourceUrl: url } = run;
  return [searchableNames({ name, customId, url }), header, text].join('\n');
}

/** Rank and score of each passage of a ranking, by the id of its point. */
function scoresOf(
  ranking: readonly FoundPassage[],
  scoreOf: (passage: FoundPassage) => number | undefined,
): Map<string, LegScore> {
  return new Map(
    ranking.map((passage, index) => [passage.id, { rank: index + 1, score: scoreOf(passage) ?? 0 }]),
  );
}
