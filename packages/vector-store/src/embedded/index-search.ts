import { type Candidate, commonTerms, rankCandidates, searchedLegs } from '../score-fusion.js';
import {
  type Hit,
  MIN_LEG_CANDIDATES,
  type PointPayload,
  type SearchQuery,
  type SparseVector,
} from '../vector-store.port.js';
import type { DatastoreIndex, WeightedTerm } from './datastore-index.js';

/** Looks up the payloads and terms of hits, and the stored vectors of dense candidates. */
export interface PointSource {
  findPoint(pointNo: number): PointPayload | undefined;
  findTerms(pointNo: number): Uint32Array;
  findVectors(pointNos: readonly number[]): ReadonlyMap<number, Uint8Array>;
}

/**
 * Searches the indexes of one or more datastores of a tenant in one space. All indexes must be complete.
 * idf is computed over these datastores together.
 */
export function searchIndexes(
  indexes: readonly DatastoreIndex[],
  query: SearchQuery,
  points: PointSource,
): Hit[] {
  const { limit, terms = [] } = query;
  const { lexical, dense } = searchedLegs(query);
  const filter = query.datasourceIds?.length ? new Set(query.datasourceIds) : null;
  const legLimit = lexical && dense ? Math.max(MIN_LEG_CANDIDATES, limit) : limit;
  const ranked = rankCandidates(
    {
      lexical: lexical && bestOf(searchLexical(indexes, lexical, legLimit, filter), legLimit),
      dense: dense && bestOf(searchDense(indexes, toUnitLength(dense), legLimit, filter, points), legLimit),
    },
    query,
  );
  return ranked.flatMap(({ key, ...scores }) => {
    const payload = points.findPoint(key);
    // Another process may have deleted the point in the meantime.
    if (payload === undefined) return [];
    return [
      { ...payload, ...scores, terms: terms.length > 0 ? commonTerms(terms, points.findTerms(key)) : [] },
    ];
  });
}

/** Inverse document frequency as in Lucene and Qdrant: never negative. */
export function inverseDocumentFrequency(documents: number, documentFrequency: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

function searchLexical(
  indexes: readonly DatastoreIndex[],
  { indices, values }: SparseVector,
  limit: number,
  filter: ReadonlySet<string> | null,
): Candidate<number>[] {
  const documents = indexes.reduce((sum, { size }) => sum + size, 0);
  const terms: WeightedTerm[] = indices.map((term, i) => {
    const documentFrequency = indexes.reduce((sum, index) => sum + index.documentFrequency(term), 0);
    return { term, factor: (values[i] ?? 0) * inverseDocumentFrequency(documents, documentFrequency) };
  });
  return indexes.flatMap((index) => index.searchLexical(terms, limit, filter));
}

function searchDense(
  indexes: readonly DatastoreIndex[],
  query: Float32Array,
  limit: number,
  filter: ReadonlySet<string> | null,
  points: PointSource,
): Candidate<number>[] {
  return indexes.flatMap((index) =>
    index.searchDense(query, limit, filter, (pointNos) => points.findVectors(pointNos)),
  );
}

function bestOf(candidates: Candidate<number>[], limit: number): Candidate<number>[] {
  return candidates.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, limit);
}

/**
 * Returns a copy scaled to length 1: the dot product of two such vectors is their cosine.
 * The zero vector stays zero, so its cosine with any vector is 0.
 */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  return vector.map((value) => value * scale);
}
