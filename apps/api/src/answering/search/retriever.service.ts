import type { DatastoreQuery, Filters } from '@citewell/contracts/schemas';
import {
  DatasourceRepository,
  type DatastoreEntity,
  isId,
  PassageRepository,
  type TenantScope,
  type VisibleRun,
} from '@citewell/database';
import { VECTOR_STORE } from '@citewell/infrastructure';
import { Metrics } from '@citewell/observability';
import { type AnalyzedQuestion, asksForNewest, encodeQueryTerms, newestFirst } from '@citewell/retrieval';
import {
  type Hit,
  MAX_SEARCH_LIMIT,
  type SearchQuery,
  type Space,
  type VectorStore,
} from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { eventLoopTurn } from './event-loop-turn.js';
import { IndexRecovery } from './index-recovery.service.js';
import { type EmbeddedQuestion, QuestionEmbedder } from './question-embedder.service.js';
import { countShown, withoutCopies } from './passage-copies.js';
import { scorePassages } from './score-passages.js';

/** A chunk of a serving run that a search has found, with its run. */
export interface FoundPassage extends Hit {
  run: VisibleRun;
  /** Passages of other documents that say the same, and are left out. Default: none. */
  copies?: readonly FoundPassage[];
}

export interface RetrieveOptions {
  limit: number;
  filters?: DatastoreQuery['filters'];
  /** Searches with this leg only. Default: with all legs that there are. */
  leg?: 'lexical' | 'dense';
  signal?: AbortSignal;
}

/** Hits of one space that belong to serving runs, best first. */
interface Searched {
  passages: FoundPassage[];
  /** Runs that serve instead of those of other hits. */
  replacements: string[];
  /** That of the last search. */
  limit: number;
}

/** More hits are requested than needed, because some may belong to runs that no longer serve. */
const OVERFETCH = 1.5;
const OVERFETCH_MINIMUM = 10;
/** Of a question for the newest of several documents, which may rank below the others. */
const NEWEST_MINIMUM = 100;
/** Maximum searches per question while runs are being replaced at the same time. */
const MAX_ATTEMPTS = 5;

/**
 * Finds the passages for a question, for datastore queries and for agents. The vector store finds candidates.
 * The database decides which of them belong to serving runs.
 */
@Injectable()
export class Retriever {
  constructor(
    @Inject(VECTOR_STORE) private readonly vectorStore: VectorStore,
    @Inject(PassageRepository) private readonly passages: PassageRepository,
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(IndexRecovery)
    private readonly recovery: Pick<IndexRecovery, 'assertComplete' | 'assertSearchable' | 'recoverFrom'>,
    @Inject(QuestionEmbedder) private readonly embedder: QuestionEmbedder,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  /**
   * At most `limit` passages, best first; fewer only when there are no more. More than two copies of a text count as two, see
   * `withoutCopies`. Their score is their relevance: see `scorePassages`.
   */
  async retrieve(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    question: AnalyzedQuestion,
    options: RetrieveOptions,
  ): Promise<FoundPassage[]> {
    const stop = this.metrics.searches.startTimer();
    try {
      return await this.search(tenant, datastores, question, options);
    } finally {
      stop();
    }
  }

  /**
   * At most `limit` passages of each space that have any of the given terms, each with those that it has.
   *
   * @param ids of the terms
   * @param others ids of terms that are not searched
   */
  async havingTerms(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    ids: readonly number[],
    others: readonly number[],
    { limit, filters }: Pick<RetrieveOptions, 'limit' | 'filters'>,
  ): Promise<FoundPassage[]> {
    const datastoreIds = datastores.map((datastore) => datastore.id);
    const datasourceIds = await this.resolveFilters(tenant, datastoreIds, filters);
    if (datasourceIds?.length === 0) return [];
    const indices = [...new Set(ids)].sort((a, b) => a - b);
    const query = {
      lexical: { indices, values: indices.map(() => 1) },
      terms: [...new Set([...indices, ...others])],
      datasourceIds,
      limit,
    };
    const names = [...new Set(datastores.flatMap((datastore) => datastore.spaces))];
    const searched = await Promise.all(
      names.map((name) => this.searchSpace({ name, dense: null }, tenant, datastoreIds, query, limit)),
    );
    return searched.flatMap(({ passages }) => passages);
  }

  /**
   * A hit is dropped if its run does not serve. Its datasource may have been switched to another run after the search
   * started, so that this run was missed, also in another space. Therefore all spaces are searched again, once for
   * each run that serves instead and was not found. A reader sees the old revision or the new one, never neither.
   */
  private async search(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    question: AnalyzedQuestion,
    { limit, filters, leg, signal }: RetrieveOptions,
  ): Promise<FoundPassage[]> {
    const datastoreIds = datastores.map((datastore) => datastore.id);
    const datasourceIds = await this.resolveFilters(tenant, datastoreIds, filters);
    if (datastoreIds.length === 0 || datasourceIds?.length === 0) return [];
    await this.recovery.assertSearchable(tenant, datastoreIds);

    await eventLoopTurn();
    const searched = encodeQueryTerms(question);
    const lexical = leg === 'dense' ? undefined : searched;
    const terms = searched.indices;
    const embedded = new Map<string, EmbeddedQuestion>();
    const wantsNewest = asksForNewest(question.text);
    const minimum = wantsNewest ? NEWEST_MINIMUM : OVERFETCH_MINIMUM;
    const limits = new Map<string, number>();
    const missedBefore = new Set<string>();
    let names = [...new Set(datastores.flatMap((datastore) => datastore.spaces))];
    for (let attempt = 1; ; attempt += 1) {
      const newNames = leg === 'lexical' ? [] : names.filter((name) => !embedded.has(name));
      for (const [name, one] of await this.embedder.embed(question.text, newNames, signal))
        embedded.set(name, one);
      const rankings = await Promise.all(
        names.map(async (name) => {
          // The question's vector can only be compared with vectors of the same model. Terms always can.
          const {
            space,
            vector: dense,
            denseWeight,
            scale = null,
            isNeural = false,
          } = embedded.get(name) ?? {};
          const first = Math.ceil(Math.max(limit * OVERFETCH, minimum));
          const legs = { lexical, dense, denseWeight, terms };
          const query = { ...legs, datasourceIds, limit: limits.get(name) ?? first };
          const target = space ?? { name, dense: null };
          const found = await this.searchSpace(target, tenant, datastoreIds, query, limit);
          limits.set(name, found.limit);
          return { ...found, scale, isNeural, denseWeight };
        }),
      );
      const found = new Set(rankings.flatMap(({ passages }) => passages.map(({ runId }) => runId)));
      const missed = rankings
        .flatMap(({ replacements }) => replacements)
        .filter((runId) => !found.has(runId) && !missedBefore.has(runId));
      if (missed.length === 0 || attempt >= MAX_ATTEMPTS) {
        if (found.size === 0) await this.recovery.assertComplete(tenant, datastoreIds);
        await eventLoopTurn();
        const scored = onlyOneRun(scorePassages(question, rankings));
        const ordered = wantsNewest
          ? newestFirst(scored, question, ({ run, terms: had }) => ({ name: run.datasourceName, terms: had }))
          : scored;
        return withoutCopies(ordered).slice(0, limit);
      }
      for (const runId of missed) missedBefore.add(runId);
      names = await this.passages.spaces(tenant, datastoreIds);
    }
  }

  /**
   * Searches one space until enough hits belong to serving runs, or there are no more.
   *
   * @param query its limit is that of the first search
   * @param wanted how many hits are enough
   * @param isOfCaller the query is limited to what the caller may read
   */
  private async searchSpace(
    space: Space,
    tenant: TenantScope,
    datastoreIds: string[],
    query: SearchQuery,
    wanted: number,
    isOfCaller = false,
  ): Promise<Searched> {
    const scope = { organizationId: tenant.organizationId, datastoreIds };
    for (let target = query.limit; ; target *= 4) {
      const limit = Math.min(target, MAX_SEARCH_LIMIT);
      const hits = await this.vectorStore.search(space, scope, { ...query, limit }).catch(async (error) => {
        await this.recovery.recoverFrom(error, { tenant, datastoreIds, space: space.name });
        return [];
      });
      const datasourceIds = [...new Set(hits.map((hit) => hit.datasourceId))];
      const runs = await this.passages.visible(tenant, datastoreIds, datasourceIds);
      const passages: FoundPassage[] = [];
      const replacements: string[] = [];
      for (const hit of hits) {
        const run = runs.get(hit.datasourceId);
        if (run?.runId === hit.runId) passages.push({ ...hit, run });
        else if (run) replacements.push(run.runId);
      }
      const searched = { passages, replacements, limit };
      // Copies take two places.
      if (countShown(passages) >= wanted || hits.length < limit) return searched;
      if (limit < MAX_SEARCH_LIMIT) continue;
      const areAllVisible = datasourceIds.every((id) => runs.has(id));
      if (areAllVisible || isOfCaller) return searched;
      // The best hits are of documents that the caller may not read.
      const visibleIds = await this.passages.visibleIds(tenant, datastoreIds, query.datasourceIds);
      if (visibleIds.length === 0) return searched;
      const limited = { ...query, datasourceIds: visibleIds };
      return this.searchSpace(space, tenant, datastoreIds, limited, wanted, true);
    }
  }

  /**
   * The ids of the datasources that a query is limited to. Only ids reach the vector store. A datasource must match every
   * given filter. Ids and custom ids alone need no search in the rows of the datastore.
   *
   * @returns undefined without a filter; an empty list when nothing matches
   */
  async resolveFilters(
    tenant: TenantScope,
    datastoreIds: readonly string[],
    filters: DatastoreQuery['filters'],
  ): Promise<string[] | undefined> {
    if (filters && hasConditions(filters))
      return this.datasources.idsByFilters(tenant, datastoreIds, filters);
    const byId = filters?.datasource_ids?.length
      ? filters.datasource_ids.filter(isId).map((id) => id.toLowerCase())
      : undefined;
    if (!filters?.custom_ids?.length) return byId;
    const byCustomId = await this.datasources.idsByCustomId(tenant, datastoreIds, filters.custom_ids);
    return byId ? byCustomId.filter((id) => byId.includes(id)) : byCustomId;
  }
}

/** Whether a query is limited to some datasources. */
export function isFiltered(filters: DatastoreQuery['filters']): boolean {
  return (
    filters != null &&
    (Boolean(filters.datasource_ids?.length) || Boolean(filters.custom_ids?.length) || hasConditions(filters))
  );
}

/** Whether there are filters besides ids and custom ids. */
function hasConditions({ datasource_ids: _ids, custom_ids: _customIds, ...conditions }: Filters): boolean {
  return Object.values(conditions).some((condition) => condition !== null && condition !== undefined);
}

/** A datasource that switches to another space during the search may be found in both. */
function onlyOneRun(passages: readonly FoundPassage[]): FoundPassage[] {
  const runs = new Map<string, string>();
  return passages.filter(({ datasourceId, runId }) => {
    if (!runs.has(datasourceId)) runs.set(datasourceId, runId);
    return runs.get(datasourceId) === runId;
  });
}
