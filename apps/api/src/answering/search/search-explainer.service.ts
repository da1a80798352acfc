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
import { withoutCopies } from './passage-copies.js';
import { toQueryItem } from './passage.mapper.js';
import { type FoundPassage, isFiltered } from './retriever.service.js';
import { type Found, type RankedPassage, Search, type SearchOptions } from './search.service.js';

/**
 * Shows how the legs of a search rank passages. It searches once more for each leg and question of a message, and with filters
 * also the whole datastore: a rank within a document would say nothing about why it is not found.
 */
@Injectable()
export class SearchExplainer {
  constructor(
    @Inject(Search) private readonly search: Search,
    @Inject(SPACES) private readonly spaces: Spaces,
  ) {}

  async explain(
    tenant: TenantScope,
    datastore: DatastoreEntity,
    { query, filters }: DatastoreQuery,
    limit: number,
  ): Promise<SearchExplanation> {
    const find = (
      questions: readonly AnalyzedQuestion[],
      options: Pick<SearchOptions, 'limit' | 'filters' | 'leg'>,
    ): Promise<Found> => this.search.find(tenant, [datastore], questions, options);
    const found = await find(analyzedQuestions(query), { limit, filters });
    const questions = found.questions.map(({ question }) => question);
    const searchLeg = async (leg: 'lexical' | 'dense'): Promise<LegRankings> => {
      const whole = find(questions, { limit: MIN_LEG_CANDIDATES, leg });
      const filtered = isFiltered(filters) ? find(questions, { limit, filters, leg }) : whole;
      return { whole: (await whole).passages, found: (await filtered).passages };
    };
    const [{ passages: whole }, words, meaning] = await Promise.all([
      find(questions, { limit: Math.max(limit, RANKED_PASSAGES) }),
      searchLeg('lexical'),
      this.spaces.indexing.model ? searchLeg('dense') : null,
    ]);
    await eventLoopTurn();
    const passages = found.passages.slice(0, limit);
    const shownIds = new Set(passages.map(({ id }) => id));
    return explainRankings(
      questions,
      {
        passages: passages.toSorted((a, b) => b.score - a.score),
        // A search for more passages may order the first ones differently.
        whole: isFiltered(filters)
          ? whole
          : withoutCopies([...passages, ...whole.filter(({ id }) => !shownIds.has(id))]),
        words,
        meaning,
      },
      limit,
    );
  }
}

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
