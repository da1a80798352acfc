import type { DatastoreQuery } from '@citewell/contracts/http';
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
import { encodeQueryTerms } from '@citewell/retrieval';
import { type Hit, MAX_SEARCH_LIMIT, type Space, type VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { QuestionEmbedder } from './question-embedder.service.js';
import { type Ranking, scorePassages } from './score-passages.js';

/** A chunk of a serving run that a search has found, with its run. */
export interface FoundPassage extends Hit {
  run: VisibleRun;
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
  /** Some hits belonged to runs that no longer serve. */
  wasReplaced: boolean;
}

/** More hits are requested than needed, because some may belong to runs that no longer serve. */
const OVERFETCH = 1.5;
const OVERFETCH_MINIMUM = 10;
/** Maximum searches per question and space while runs are being replaced at the same time. */
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
    @Inject(QuestionEmbedder) private readonly embedder: QuestionEmbedder,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  /**
   * At most `limit` passages, best first; fewer only when there are no more. Their score is their relevance: see
   * `scorePassages`.
   */
  async retrieve(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    question: string,
    options: RetrieveOptions,
  ): Promise<FoundPassage[]> {
    const stop = this.metrics.searches.startTimer();
    try {
      return await this.search(tenant, datastores, question, options);
    } finally {
      stop();
    }
  }

  private async search(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    question: string,
    { limit, filters, leg, signal }: RetrieveOptions,
  ): Promise<FoundPassage[]> {
    const datastoreIds = datastores.map((datastore) => datastore.id);
    const datasourceIds = await this.resolveFilters(tenant, datastoreIds, filters);
    if (datastoreIds.length === 0 || datasourceIds?.length === 0) return [];

    const known = [...new Set(datastores.flatMap((datastore) => datastore.spaces))];
    const lexical = leg === 'dense' ? undefined : encodeQueryTerms(question);
    const searchSpaces = async (spaces: readonly string[]): Promise<(Ranking & Searched)[]> => {
      // The question's vector can only be compared with vectors of the same model. Terms always can.
      const embedded = await this.embedder.embed(question, leg === 'lexical' ? [] : spaces, signal);

      return Promise.all(
        spaces.map(async (name) => {
          const { space, vector: dense, denseWeight, scale = null } = embedded.get(name) ?? {};
          const query = { lexical, dense, denseWeight, datasourceIds };
          const target = space ?? { name, dense: null };
          return { ...(await this.searchSpace(target, tenant, datastoreIds, query, limit)), scale };
        }),
      );
    };
    let rankings = await searchSpaces(known);
    if (rankings.some(({ wasReplaced }) => wasReplaced)) {
      // The run that replaced another one may be in a space that was not searched.
      const current = await this.passages.spaces(tenant, datastoreIds);
      if (!current.every((name) => known.includes(name))) rankings = await searchSpaces(current);
    }
    return onlyOneRun(scorePassages(question, rankings)).slice(0, limit);
  }

  /**
   * Searches one space until enough hits belong to serving runs, or there are no more.
   *
   * A hit that no longer serves may belong to a run that was replaced after the search started. The search
   * did not return its successor yet; the next one does. Therefore the search is repeated whenever a hit is
   * dropped, and a reader sees the old revision or the new one, never neither.
   */
  private async searchSpace(
    space: Space,
    tenant: TenantScope,
    datastoreIds: string[],
    query: Pick<Parameters<VectorStore['search']>[2], 'lexical' | 'dense' | 'denseWeight' | 'datasourceIds'>,
    limit: number,
  ): Promise<Searched> {
    const scope = { organizationId: tenant.organizationId, datastoreIds };
    const dropped = new Set<string>();
    let targetLimit = Math.ceil(Math.max(limit * OVERFETCH, OVERFETCH_MINIMUM));
    for (let attempt = 1; ; attempt += 1) {
      const searchLimit = Math.min(targetLimit, MAX_SEARCH_LIMIT);
      const hits = await this.vectorStore.search(space, scope, { ...query, limit: searchLimit });
      const runIds = new Set(hits.map((hit) => hit.runId));
      const runs = await this.passages.visible(tenant, datastoreIds, [...runIds]);
      const visible = hits.flatMap((hit) => {
        const run = runs.get(hit.runId);
        return run ? [{ ...hit, run }] : [];
      });
      const newlyDropped = [...runIds].filter((runId) => !runs.has(runId) && !dropped.has(runId));
      for (const runId of newlyDropped) dropped.add(runId);
      const isStable = newlyDropped.length === 0 || attempt >= MAX_ATTEMPTS;
      const isExhausted = hits.length < searchLimit || searchLimit === MAX_SEARCH_LIMIT;
      if (isStable && (visible.length >= limit || isExhausted))
        return { passages: visible, wasReplaced: dropped.size > 0 };
      if (visible.length < limit && !isExhausted) targetLimit *= 4;
    }
  }

  /**
   * The ids of the datasources that a query is limited to. Custom ids of clients are resolved here and never
   * reach the vector store. A datasource must match every given filter.
   *
   * @returns undefined without a filter; an empty list when nothing matches
   */
  async resolveFilters(
    tenant: TenantScope,
    datastoreIds: readonly string[],
    filters: DatastoreQuery['filters'],
  ): Promise<string[] | undefined> {
    const byId = filters?.datasource_ids?.length
      ? filters.datasource_ids.filter(isId).map((id) => id.toLowerCase())
      : undefined;
    if (!filters?.custom_ids?.length) return byId;
    const byCustomId = await this.datasources.idsByCustomId(tenant, datastoreIds, filters.custom_ids);
    return byId ? byCustomId.filter((id) => byId.includes(id)) : byCustomId;
  }
}

/** A datasource that switches to another space during the search may be found in both. */
function onlyOneRun(passages: readonly FoundPassage[]): FoundPassage[] {
  const runs = new Map<string, string>();
  return passages.filter(({ datasourceId, runId }) => {
    if (!runs.has(datasourceId)) runs.set(datasourceId, runId);
    return runs.get(datasourceId) === runId;
  });
}
