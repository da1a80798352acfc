/**
 * A set of comparable vectors: one analyzer version and at most one embedding model with its dimensions.
 * Each space is a separate collection. A new model fills a new space while the old one still serves.
 */
export interface Space {
  /** `[a-z0-9_]`, 1 to 128 characters; generated, never user input. */
  readonly name: string;
  /** `null` if no embedding model is configured: the space is lexical only. */
  readonly dense: { readonly dimensions: number } | null;
}

/** A sparse vector over term hashes. */
export interface SparseVector {
  /** Term hashes (uint32), strictly ascending. */
  readonly indices: readonly number[];
  /** One positive weight per index. */
  readonly values: readonly number[];
}

/** The data stored with the vectors of a chunk and returned with a hit. */
export interface PointPayload {
  /** UUID derived from datasource, run and ordinal, so that writes are idempotent. */
  readonly id: string;
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  /** The web site that the page belongs to; `null` if the datasource has no group. */
  readonly groupId: string | null;
  /** The run that wrote the point. The database decides which run serves. */
  readonly runId: string;
  /** Position of the chunk in its document, from 0. */
  readonly ordinal: number;
  /** The exact slice of the canonical text. */
  readonly text: string;
  /** Title, heading path, header row of a table: prepended to the text for embedding and for a model. */
  readonly header: string;
  /** Page on which the text begins, from 1; `null` in formats without pages. */
  readonly page: number | null;
  /** Of text that OCR has read: how sure it is, in percent; `null` for other text. */
  readonly confidence: number | null;
  readonly headingPath: readonly string[];
  readonly anchor: string | null;
  /** UTF-16 offset into the canonical text, inclusive. */
  readonly start: number;
  /** UTF-16 offset into the canonical text, exclusive. */
  readonly end: number;
  /** Hash of header and text, `[A-Za-z0-9+/=_:-]`. Equal hashes have equal dense vectors. */
  readonly contentHash: string;
}

/** A chunk with the vectors of its windows. It belongs to one run and is never updated. */
export interface Point extends PointPayload {
  /** Term weights without idf. The store multiplies by idf at query time. */
  readonly lexical: SparseVector;
  /**
   * A vector for each window of the chunk, of any length; the store normalises them. Empty in a lexical space,
   * or if the model knows no word of the chunk.
   */
  readonly dense: readonly Float32Array[];
}

/** The tenant and the datastores that a search may read. A required argument, so none can be forgotten. */
export interface TenantScope {
  readonly organizationId: string;
  /** At least one. */
  readonly datastoreIds: readonly string[];
}

/** One run of one organization. */
export interface RunScope {
  readonly organizationId: string;
  readonly runId: string;
}

/** One datasource of one organization, or all pages of one web site. */
export interface DatasourceScope {
  readonly organizationId: string;
  readonly datasourceId: string;
}

/**
 * A lexical query, a dense query, or both. Each is one leg of the search: a ranking of its own.
 * With two legs, their scores are fused.
 */
export interface SearchQuery {
  /** Weights of the query's terms. Without terms the lexical leg is skipped. */
  readonly lexical?: SparseVector | undefined;
  /** The vector of the question. If it is zero, the dense leg is skipped. */
  readonly dense?: Float32Array | undefined;
  /** Weight of the dense leg in a fused score, 0..1. Default {@link DEFAULT_DENSE_WEIGHT}. */
  readonly denseWeight?: number | undefined;
  /** Maximum number of hits, 1 to {@link MAX_SEARCH_LIMIT}. */
  readonly limit: number;
  /** Datasources or groups to search. Absent or empty: all. Unknown ids match nothing. */
  readonly datasourceIds?: readonly string[] | undefined;
  /** Ids of terms of which each hit tells whether it has them, see {@link Hit.terms}. Default: none. */
  readonly terms?: readonly number[] | undefined;
}

/** Unit of a score: BM25, cosine similarity, or the weighted sum of both, scaled. */
export type Scoring = 'lexical' | 'dense' | 'fused';

/** A chunk that matches a search. */
export interface Hit extends PointPayload {
  /**
   * Higher is better. The range depends on {@link Hit.scoring}: `lexical` is BM25 (0 upwards), `dense` is
   * the cosine of the best window (−1..1), `fused` is in 0..1.
   */
  readonly score: number;
  readonly scoring: Scoring;
  /** BM25 and cosine of the hit. A leg without the hit among its candidates is absent. */
  readonly legs: { readonly lexical?: number; readonly dense?: number };
  /** Those of {@link SearchQuery.terms} that the lexical vector of the point has. */
  readonly terms: readonly number[];
}

/** Number of points of a run; `citewell doctor` compares it with the database. */
export interface RunSummary {
  readonly organizationId: string;
  readonly datastoreId: string;
  readonly datasourceId: string;
  readonly runId: string;
  readonly points: number;
}

/** Damage that a store has found in its own file. */
export interface StorageDamage {
  readonly problem: string;
  readonly file: string;
}

/** Both legs count equally. */
export const DEFAULT_DENSE_WEIGHT = 0.5;

/** Minimum number of candidates per leg of a fused search; `limit` if that is higher. */
export const MIN_LEG_CANDIDATES = 100;

/** Largest `limit` of a search. */
export const MAX_SEARCH_LIMIT = 1000;

/**
 * Stores chunks with their vectors and searches them. Every adapter passes `vectorStoreConformance`.
 *
 * - Ids of tenants, datasources, runs and points are generated UUIDs. Other values are rejected before they
 *   reach a filter of the engine.
 * - idf = ln(1 + (N − n + 0.5) / (n + 0.5)) over the points of the searched datastores, so documents of other
 *   tenants do not change a ranking. (Qdrant before 1.19 counts over the shard.)
 * - Every method throws `VectorStoreUnavailableError` if a retry may help, and `VectorStoreError` if not:
 *   invalid arguments, or (`SpaceNotFoundError`) a space for which `ensureSpace` was never called.
 */
export interface VectorStore {
  /**
   * Creates the space, or completes an interrupted creation.
   * @throws VectorStoreError if the space exists with other dimensions
   */
  ensureSpace(space: Space): Promise<void>;
  /** All spaces, sorted by name. */
  listSpaces(): Promise<Space[]>;
  /** Writes points. They are durable and searchable when it resolves. An existing id is replaced. */
  upsert(space: Space, points: readonly Point[]): Promise<void>;
  /** Best hits first. Empty for a query without terms and without a dense vector. */
  search(space: Space, tenant: TenantScope, query: SearchQuery): Promise<Hit[]>;
  /** Exact number of points of a run. */
  count(space: Space, scope: RunScope): Promise<number>;
  /**
   * Dense vectors of a run's chunks, at unit length, by content hash. Absent are hashes that the run lacks and
   * chunks without vectors. The store may round the values.
   */
  fetchVectors(
    space: Space,
    scope: RunScope,
    contentHashes: readonly string[],
  ): Promise<Map<string, Float32Array[]>>;
  /** Deletes the points of a run in every space. */
  deleteRun(scope: RunScope): Promise<void>;
  /** Deletes the points of a datasource in every space; for a web site, the points of its pages. */
  deleteDatasource(scope: DatasourceScope): Promise<void>;
  /** Every run with points, across all tenants: for `citewell doctor` only. Not a snapshot. */
  scanRuns(space: Space): AsyncIterable<RunSummary>;
  /**
   * Grows when the store may have lost points by itself: when it is opened, and when its damaged or deleted file was
   * replaced by an empty one. The points of all serving runs are then counted. A server of its own stays at 0.
   */
  readonly losses: number;
  /** What was damaged, and the name of the file that was set aside; null if nothing was. For operators. */
  readonly lastDamage: StorageDamage | null;
  /** Resolves if the store is available. */
  ping(): Promise<void>;
  /**
   * Resolves if the structure of all stored data is intact. May read all of it.
   * @throws VectorStoreUnavailableError with the reason `is damaged`
   */
  check(): Promise<void>;
  /** Completes pending calls, then releases threads, files and sockets. */
  close(): Promise<void>;
}
