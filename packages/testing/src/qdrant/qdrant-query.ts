import type { QdrantCollection, StoredPoint } from './qdrant-collection.js';
import { wrongInput } from './qdrant-errors.js';
import { compileFilter } from './qdrant-filter.js';
import { listOf, numberOf, objectOf, onlyFields, textOf } from './qdrant-json.js';
import type { JsonObject } from './qdrant-json.js';

export interface ScoredPoint {
  readonly point: StoredPoint;
  readonly score: number;
}

const DEFAULT_LIMIT = 10;
const DEFAULT_RRF_K = 2;

/**
 * Executes `points/query` by brute force: nearest points of one vector, or reciprocal rank fusion of
 * prefetches.
 *
 * @param supportsCorpus whether `params.idf.corpus` is supported, as since Qdrant 1.19
 */
export function runQuery(
  collection: QdrantCollection,
  request: JsonObject,
  supportsCorpus: boolean,
): ScoredPoint[] {
  const limit = numberOf(request['limit'] ?? DEFAULT_LIMIT, 'limit');
  if (limit < 1) throw wrongInput('limit must be positive');
  if (request['prefetch'] === undefined) return nearest(collection, request, supportsCorpus).slice(0, limit);
  onlyFields(request, 'query', 'prefetch', 'query', 'limit', 'with_payload', 'with_vector');
  const legs = listOf(request['prefetch'], 'prefetch').map((prefetch) => {
    const leg = objectOf(prefetch, 'prefetch');
    return nearest(collection, leg, supportsCorpus).slice(
      0,
      numberOf(leg['limit'] ?? DEFAULT_LIMIT, 'limit'),
    );
  });
  const fusion = objectOf(request['query'], 'query');
  onlyFields(fusion, 'query', 'rrf');
  const k = numberOf(objectOf(fusion['rrf'], 'rrf')['k'] ?? DEFAULT_RRF_K, 'k');
  return fuse(legs, k).slice(0, limit);
}

function nearest(collection: QdrantCollection, leg: JsonObject, supportsCorpus: boolean): ScoredPoint[] {
  onlyFields(leg, 'query', 'query', 'using', 'filter', 'limit', 'params', 'with_payload', 'with_vector');
  const name = textOf(leg['using'], 'using');
  const points = collection.select(compileFilter(leg['filter']));
  const scored = Array.isArray(leg['query'])
    ? byCosine(points, name, collection.parseDense(name, leg['query']))
    : bySparse(collection, points, leg, supportsCorpus);
  return scored.sort((a, b) => b.score - a.score);
}

function byCosine(points: readonly StoredPoint[], name: string, query: Float32Array): ScoredPoint[] {
  return points.flatMap((point) => {
    const vector = point.dense.get(name);
    if (vector === undefined) return [];
    return [{ point, score: vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0) }];
  });
}

/** Dot product with IDF = ln(1 + (N − n + 0.5) / (n + 0.5)). Points without a common term are left out. */
function bySparse(
  collection: QdrantCollection,
  points: readonly StoredPoint[],
  leg: JsonObject,
  supportsCorpus: boolean,
): ScoredPoint[] {
  const name = textOf(leg['using'], 'using');
  const query = collection.parseSparse(name, leg['query']);
  const params = objectOf(leg['params'] ?? {}, 'params');
  if (params['idf'] !== undefined && !supportsCorpus)
    throw wrongInput('params.idf is not supported before 1.19');
  const corpus = collection.select(compileFilter(objectOf(params['idf'] ?? {}, 'idf')['corpus']));
  const weights = new Map<number, number>();
  for (const [term, weight] of query) {
    const withTerm = corpus.filter(({ sparse }) => sparse.get(name)?.has(term)).length;
    weights.set(term, weight * Math.log(1 + (corpus.length - withTerm + 0.5) / (withTerm + 0.5)));
  }
  return points.flatMap((point) => {
    const vector = point.sparse.get(name);
    const shared = [...weights].filter(([term]) => vector?.has(term));
    if (shared.length === 0) return [];
    return [
      { point, score: shared.reduce((sum, [term, weight]) => sum + weight * (vector?.get(term) ?? 0), 0) },
    ];
  });
}

/** Reciprocal rank fusion. Ranks start at 0, as in Qdrant. */
function fuse(legs: readonly (readonly ScoredPoint[])[], k: number): ScoredPoint[] {
  const fused = new Map<string, ScoredPoint>();
  for (const leg of legs) {
    for (const [rank, { point }] of leg.entries()) {
      fused.set(point.id, { point, score: (fused.get(point.id)?.score ?? 0) + 1 / (k + rank) });
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}
