import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { rankCandidates, searchedLegs } from '../score-fusion.js';
import { VectorStoreError } from '../vector-store.errors.js';
import {
  type DatasourceScope,
  type Hit,
  MIN_LEG_CANDIDATES,
  type Point,
  type RunScope,
  type RunSummary,
  type Scoring,
  type SearchQuery,
  type Space,
  type TenantScope,
  type VectorStore,
} from '../vector-store.port.js';
import {
  assertContentHash,
  assertPoints,
  assertQuery,
  assertScope,
  assertSpace,
  assertTenant,
} from '../vector-store.validation.js';
import { callQdrant, QdrantNodes, statusOf } from './qdrant-call.js';
import {
  COLLECTION_PREFIX,
  DENSE,
  LEXICAL,
  PAYLOAD_INDEXES,
  type QdrantCollectionOptions,
  toCollection,
  toSpace,
} from './qdrant-collection.js';
import {
  contentHashOf,
  RUN_FIELDS,
  toCandidate,
  toDense,
  toHits,
  toPointStruct,
  toRun,
} from './qdrant-point.mapper.js';

/** Connection to the server, and settings of new collections. */
export interface QdrantVectorStoreOptions extends QdrantCollectionOptions {
  /** Nodes of a cluster, or one balancer: `http://` or `https://`, optionally with a path. The default port is 6333. */
  readonly urls: readonly string[];
  readonly apiKey?: string | undefined;
  /** Timeout of one request. Default 30,000, and 10,000 if there is another node to ask. */
  readonly timeoutMs?: number;
  /** Transient failures are retried for this long. Default 5,000. */
  readonly retryBudgetMs?: number;
}

/** Points per request: about 6 MB of JSON at 1,536 dimensions. The server rejects requests over 32 MB. */
const UPSERT_POINTS = 32;
const SCROLL_POINTS = 1000;
const HASHES_PER_FILTER = 256;
/**
 * With the default, the 100 points that are asked for, a search of the graph misses a tenth of the nearest ones. Quantized
 * vectors, if the collection has them, preselect ten times as many points as are asked for.
 */
const DENSE_SEARCH: Schemas['SearchParams'] = {
  hnsw_ef: 512,
  quantization: { rescore: true, oversampling: 10 },
};

/** A vector store on a Qdrant server or cluster, 1.18 or newer. */
export class QdrantVectorStore implements VectorStore {
  readonly losses = 0;
  readonly lastDamage = null;
  private readonly nodes: QdrantNodes;
  private readonly retryBudgetMs: number;
  private scopedIdf: boolean | undefined;

  constructor(private readonly options: QdrantVectorStoreOptions) {
    const timeoutMs = options.timeoutMs ?? (options.urls.length > 1 ? 10_000 : 30_000);
    this.nodes = new QdrantNodes(options.urls, options.apiKey, timeoutMs);
    this.retryBudgetMs = options.retryBudgetMs ?? 5000;
  }

  /**
   * Whether the server can compute idf over the searched datastores alone. Before 1.19 it counts document
   * frequencies over the whole shard, which includes documents of other tenants.
   */
  async supportsScopedIdf(): Promise<boolean> {
    if (this.scopedIdf === undefined) {
      const { version } = await this.call((client) => client.versionInfo());
      const [major = 0, minor = 0] = version.split('.').map(Number);
      this.scopedIdf = major > 1 || (major === 1 && minor >= 19);
    }
    return this.scopedIdf;
  }

  async ensureSpace(space: Space): Promise<void> {
    assertSpace(space);
    const info = (await this.findCollection(space.name)) ?? (await this.createCollection(space));
    if (toSpace(space.name, info).dense?.dimensions !== space.dense?.dimensions) {
      throw new VectorStoreError(`space ${space.name} exists with other dimensions`);
    }
    // Existing collections are checked too: a creation may have been interrupted before the indexes.
    for (const [field, schema] of PAYLOAD_INDEXES) {
      if (info.payload_schema[field] !== undefined) continue;
      await this.call((client) =>
        client.createPayloadIndex(this.collection(space.name), {
          field_name: field,
          field_schema: schema,
          wait: true,
        }),
      );
    }
  }

  async listSpaces(): Promise<Space[]> {
    const spaces: Space[] = [];
    for (const name of await this.spaceNames()) {
      const info = await this.findCollection(name);
      if (info !== undefined) spaces.push(toSpace(name, info));
    }
    return spaces;
  }

  async upsert(space: Space, points: readonly Point[]): Promise<void> {
    assertPoints(space, points);
    for (let from = 0; from < points.length; from += UPSERT_POINTS) {
      const batch = points.slice(from, from + UPSERT_POINTS).map(toPointStruct);
      await this.call((client) => client.upsert(this.collection(space.name), { wait: true, points: batch }));
    }
  }

  async search(space: Space, tenant: TenantScope, query: SearchQuery): Promise<Hit[]> {
    assertTenant(tenant);
    assertQuery(space, query);
    const { lexical, dense } = await this.legRequests(tenant, query);
    const collection = this.collection(space.name);
    if (lexical && dense) return this.searchBothLegs(collection, [lexical, dense], query);
    const leg = lexical ?? dense;
    if (leg === undefined) return [];
    const { points } = await this.call((client) =>
      client.query(collection, { ...leg, limit: query.limit, ...hitFields(query) }),
    );
    const candidates = points.map(toCandidate);
    const ranked = rankCandidates(lexical ? { lexical: candidates } : { dense: candidates }, query);
    return toHits(ranked, points, query.terms);
  }

  async count(space: Space, scope: RunScope): Promise<number> {
    assertSpace(space);
    assertScope(scope);
    const filter = runFilter(scope.organizationId, scope.runId);
    const { count } = await this.call((client) =>
      client.count(this.collection(space.name), { filter, exact: true }),
    );
    return count;
  }

  async fetchVectors(
    space: Space,
    scope: RunScope,
    contentHashes: readonly string[],
  ): Promise<Map<string, Float32Array[]>> {
    assertSpace(space);
    assertScope(scope);
    contentHashes.forEach(assertContentHash);
    const vectors = new Map<string, Float32Array[]>();
    for (let from = 0; from < contentHashes.length; from += HASHES_PER_FILTER) {
      const hashes = contentHashes.slice(from, from + HASHES_PER_FILTER);
      const records = this.scroll(space.name, {
        filter: contentFilter(scope.organizationId, scope.runId, hashes),
        with_payload: ['content_hash'],
        with_vector: [DENSE],
      });
      for await (const { payload, vector } of records) {
        const dense = toDense(vector);
        if (dense !== undefined) vectors.set(contentHashOf(payload ?? {}), dense);
      }
    }
    return vectors;
  }

  async deleteRun(scope: RunScope): Promise<void> {
    assertScope(scope);
    await this.deleteEverywhere(runFilter(scope.organizationId, scope.runId));
  }

  async deleteDatasource(scope: DatasourceScope): Promise<void> {
    assertScope(scope);
    await this.deleteEverywhere(datasourceFilter(scope.organizationId, scope.datasourceId));
  }

  /** Reads the payload of every point. Facets would be cheaper, but are limited and cannot be paged. */
  async *scanRuns(space: Space): AsyncIterable<RunSummary> {
    assertSpace(space);
    const runs = new Map<string, RunSummary>();
    for await (const { payload } of this.scroll(space.name, {
      with_payload: RUN_FIELDS,
      with_vector: false,
    })) {
      const run = toRun(payload ?? {});
      const key = Object.values(run).join();
      runs.set(key, { ...run, points: (runs.get(key)?.points ?? 0) + 1 });
    }
    yield* runs.values();
  }

  async ping(): Promise<void> {
    await this.call((client) => client.versionInfo());
  }

  /** The server checks its data itself. */
  async check(): Promise<void> {
    await this.ping();
  }

  /** Does nothing: the client closes its sockets when they are idle. */
  async close(): Promise<void> {}

  /**
   * Searches both legs in one request, and fuses their scores. The server's own fusion returns only the fused
   * score. Payloads and terms are read for the best candidates alone.
   */
  private async searchBothLegs(
    collection: string,
    searches: [lexical: Schemas['QueryRequest'], dense: Schemas['QueryRequest']],
    query: SearchQuery,
  ): Promise<Hit[]> {
    const [lexical, dense] = await this.call((client) => client.queryBatch(collection, { searches }));
    const legs = { lexical: lexical?.points.map(toCandidate), dense: dense?.points.map(toCandidate) };
    const ranked = rankCandidates(legs, query);
    const ids = ranked.map(({ key }) => key);
    if (ids.length === 0) return [];
    const records = await this.call((client) => client.retrieve(collection, { ids, ...hitFields(query) }));
    return toHits(ranked, records, query.terms);
  }

  /** A request for each leg of a query, with its number of candidates. */
  private async legRequests(
    tenant: TenantScope,
    query: SearchQuery,
  ): Promise<Partial<Record<Exclude<Scoring, 'fused'>, Schemas['QueryRequest']>>> {
    const { lexical, dense } = searchedLegs(query);
    const filter = searchFilter(tenant, query.datasourceIds);
    const limit = Math.max(MIN_LEG_CANDIDATES, query.limit);
    return {
      ...(lexical && {
        lexical: {
          query: { indices: [...lexical.indices], values: [...lexical.values] },
          using: LEXICAL,
          filter,
          limit,
          ...((await this.supportsScopedIdf()) && { params: { idf: { corpus: tenantFilter(tenant) } } }),
        },
      }),
      ...(dense && {
        dense: {
          query: [Array.from(dense)],
          using: DENSE,
          filter,
          limit,
          params: DENSE_SEARCH,
        },
      }),
    };
  }

  private async deleteEverywhere(filter: Schemas['Filter']): Promise<void> {
    for (const name of await this.spaceNames()) {
      await this.call(async (client) => {
        try {
          await client.delete(this.collection(name), { wait: true, filter });
        } catch (error) {
          // The space was dropped concurrently, together with its points.
          if (statusOf(error) !== 404) throw error;
        }
      });
    }
  }

  private async *scroll(
    name: string,
    request: Omit<Schemas['ScrollRequest'], 'limit' | 'offset'>,
  ): AsyncGenerator<Schemas['Record']> {
    let offset: Schemas['ScrollResult']['next_page_offset'];
    do {
      const from = offset === undefined || offset === null ? {} : { offset };
      const page = await this.call((client) =>
        client.scroll(this.collection(name), { ...request, ...from, limit: SCROLL_POINTS }),
      );
      yield* page.points;
      offset = page.next_page_offset;
    } while (offset !== undefined && offset !== null);
  }

  private async spaceNames(): Promise<string[]> {
    const { collections } = await this.call((client) => client.getCollections());
    return collections
      .filter(({ name }) => name.startsWith(COLLECTION_PREFIX))
      .map(({ name }) => name.slice(COLLECTION_PREFIX.length))
      .sort();
  }

  private async findCollection(name: string): Promise<Schemas['CollectionInfo'] | undefined> {
    return this.call(async (client) => {
      try {
        return await client.getCollection(this.collection(name));
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    });
  }

  /**
   * The collection may exist already: created by another process, or by an attempt whose response was lost.
   * The server then responds with 409, older servers with 400.
   */
  private async createCollection(space: Space): Promise<Schemas['CollectionInfo']> {
    let rejection: unknown;
    await this.call(async (client) => {
      try {
        await client.createCollection(this.collection(space.name), toCollection(space, this.options));
      } catch (error) {
        const status = statusOf(error);
        if (status !== 409 && status !== 400) throw error;
        rejection = error;
      }
    });
    const info = await this.findCollection(space.name);
    if (info === undefined)
      throw new VectorStoreError(`space ${space.name} was not created`, { cause: rejection });
    return info;
  }

  private collection(spaceName: string): string {
    return COLLECTION_PREFIX + spaceName;
  }

  private call<T>(call: (client: QdrantClient) => Promise<T>): Promise<T> {
    return callQdrant(this.nodes, this.retryBudgetMs, call);
  }
}

/** What is read of a hit. Its lexical vector has its terms. */
function hitFields({ terms = [] }: SearchQuery): { with_payload: true; with_vector: string[] | false } {
  return { with_payload: true, with_vector: terms.length > 0 ? [LEXICAL] : false };
}

type Filter = Schemas['Filter'];

type Condition = Schemas['FieldCondition'];

/** Points of the given datastores. */
function tenantFilter({ organizationId, datastoreIds }: TenantScope): Filter {
  return { must: [equals('organization_id', organizationId), anyOf('datastore_id', datastoreIds)] };
}

/** Points of the given datastores, limited to datasources or groups if any are given. */
function searchFilter(tenant: TenantScope, datasourceIds: readonly string[] = []): Filter {
  if (datasourceIds.length === 0) return tenantFilter(tenant);
  const should = [anyOf('datasource_id', datasourceIds), anyOf('group_id', datasourceIds)];
  return { ...tenantFilter(tenant), should };
}

function runFilter(organizationId: string, runId: string): Filter {
  return { must: [equals('organization_id', organizationId), equals('run_id', runId)] };
}

function contentFilter(organizationId: string, runId: string, contentHashes: readonly string[]): Filter {
  const run = [equals('organization_id', organizationId), equals('run_id', runId)];
  return { must: [...run, anyOf('content_hash', contentHashes)] };
}

/** Points of a datasource, or of the pages of a group. */
function datasourceFilter(organizationId: string, datasourceId: string): Filter {
  return {
    must: [equals('organization_id', organizationId)],
    should: [equals('datasource_id', datasourceId), equals('group_id', datasourceId)],
  };
}

function equals(key: string, value: string): Condition {
  return { key, match: { value } };
}

function anyOf(key: string, values: readonly string[]): Condition {
  return { key, match: { any: [...values] } };
}
