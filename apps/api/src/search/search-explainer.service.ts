import type { DatastoreQuery, ExplainedPassage, LegScore, SearchExplanation } from '@citewell/contracts/http';
import type { DatastoreEntity, TenantScope } from '@citewell/database';
import { SPACES, type Spaces } from '@citewell/infrastructure';
import { analyze, AnalyzedQuestion, askedQuestions, searchedTerms } from '@citewell/retrieval';
import { MIN_LEG_CANDIDATES } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { eventLoopTurn } from './event-loop-turn.js';
import { toQueryItem } from './passage.mapper.js';
import type { RankedPassage } from './rerank-passages.js';
import { RerankingRetriever } from './reranking-retriever.service.js';
import { type FoundPassage, Retriever } from './retriever.service.js';
import { sharePassages } from './share-passages.js';

/** Shows how the legs of a search rank passages. It searches once more for each leg and question of a message. */
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
    const questions = askedQuestions(query).map((question) => new AnalyzedQuestion(question));
    const searchAll = async <P extends FoundPassage>(
      search: (question: AnalyzedQuestion) => Promise<P[]>,
    ): Promise<P[]> => sharePassages(await Promise.all(questions.map(search)));
    const searchLeg = (leg: 'lexical' | 'dense'): Promise<FoundPassage[]> =>
      searchAll((question) =>
        this.retriever.retrieve(tenant, [datastore], question, { limit: MIN_LEG_CANDIDATES, leg, filters }),
      );
    const [passages, words, meaning] = await Promise.all([
      searchAll((question) => this.reranking.retrieve(tenant, [datastore], question, { limit, filters })),
      searchLeg('lexical'),
      this.spaces.indexing.model ? searchLeg('dense') : null,
    ]);
    await eventLoopTurn();
    const best = passages.slice(0, limit).toSorted((a, b) => b.score - a.score);
    return explainRankings(questions, { passages: best, words, meaning }, limit);
  }
}

/** Rankings of the same search, best passage first: of all legs together and the rerank model, and of each leg. */
export interface Rankings {
  readonly passages: readonly RankedPassage[];
  readonly words: readonly FoundPassage[];
  /** Null without an embedding model. */
  readonly meaning: readonly FoundPassage[] | null;
}

export function explainRankings(
  questions: readonly AnalyzedQuestion[],
  { passages, words, meaning }: Rankings,
  limit: number,
): SearchExplanation {
  const terms = [...new Set(questions.flatMap(searchedTerms))];
  const scores = {
    words: legScores(words, ({ legs }) => legs.lexical),
    meaning: legScores(meaning ?? [], ({ legs }) => legs.dense),
  };
  const explain = (passage: RankedPassage): ExplainedPassage => {
    const passageTerms = new Set(analyze(`${passage.header}\n${passage.text}`));
    return {
      ...toQueryItem(passage),
      words: scores.words.get(passage.id) ?? null,
      meaning: scores.meaning.get(passage.id) ?? null,
      rerank_score: passage.rerankScore ?? null,
      matched_terms: terms.filter((term) => passageTerms.has(term)),
    };
  };
  return {
    terms,
    passages: passages.map(explain),
    words: words.slice(0, limit).map(explain),
    meaning: meaning?.slice(0, limit).map(explain) ?? null,
  };
}

/** Rank and raw score of each passage of a leg, by the id of its point. */
function legScores(
  ranking: readonly FoundPassage[],
  scoreOf: (passage: FoundPassage) => number | undefined,
): Map<string, LegScore> {
  return new Map(
    ranking.map((passage, index) => [passage.id, { rank: index + 1, score: scoreOf(passage) ?? 0 }]),
  );
}
