import type { QdrantCollection, StoredPoint } from './qdrant-collection.js';
import { wrongInput } from './qdrant-errors.js';
import { compileFilter } from './qdrant-filter.js';
import { numberOf, objectOf, onlyFields, textOf } from './qdrant-json.js';
import type { JsonObject } from './qdrant-json.js';

export interface ScoredPoint {
  readonly point: StoredPoint;
  readonly score: number;
}

const DEFAULT_LIMIT = 10;

/**
 * Executes `points/query` by brute force: nearest points of one sparse vector or multivector.
 *
 * @param supportsCorpus whether `params.idf.corpus` is supported, as since Qdrant 1.19
 */
export function runQuery(
  collection: QdrantCollection,
  request: JsonObject,
  supportsCorpus: boolean,
): ScoredPoint[] {
  onlyFields(request, 'query', 'query', 'using', 'filter', 'limit', 'params', 'with_payload', 'with_vector');
  const limit = numberOf(request['limit'] ?? DEFAULT_LIMIT, 'limit');
  if (limit < 1) throw wrongInput('limit must be positive');
  const name = textOf(request['using'], 'using');
  const points = collection.select(compileFilter(request['filter']));
  const scored = Array.isArray(request['query'])
    ? byCosine(points, name, collection.parseDense(name, request['query']))
    : bySparse(collection, points, request, supportsCorpus);
  return scored.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** MaxSim: for each vector of the query, the highest cosine of the point's vectors; summed. */
function byCosine(
  points: readonly StoredPoint[],
  name: string,
  query: readonly Float32Array[],
): ScoredPoint[] {
  return points.flatMap((point) => {
    const vectors = point.dense.get(name);
    if (vectors === undefined) return [];
    const best = (queried: Float32Array): number =>
      Math.max(...vectors.map((vector) => dotProduct(vector, queried)));
    return [{ point, score: query.reduce((sum, queried) => sum + best(queried), 0) }];
  });
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
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
