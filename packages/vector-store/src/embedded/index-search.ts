import { fuseByReciprocalRank } from '../reciprocal-rank-fusion.js';
import type { FusedEntry } from '../reciprocal-rank-fusion.js';
import { toUnitLength } from '../unit-vector.js';
import { MIN_LEG_CANDIDATES } from '../vector-store.port.js';
import type { Hit, PointPayload, Scoring, SearchQuery, SparseVector } from '../vector-store.port.js';
import type { Candidate, DatastoreIndex, WeightedTerm } from './datastore-index.js';

/** Looks up the payloads of hits and the vectors of dense candidates. */
export interface PointSource {
  findPoint(pointNo: number): PointPayload | undefined;
  findVector(pointNo: number): Float32Array | undefined;
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
  const { limit, dense } = query;
  const filter = query.datasourceIds?.length ? new Set(query.datasourceIds) : null;
  const lexical = query.lexical?.indices.length ? query.lexical : undefined;
  const both = lexical !== undefined && dense !== undefined;
  const legLimit = both ? Math.max(MIN_LEG_CANDIDATES, limit) : limit;

  const lexicalLeg = lexical && bestOf(searchLexical(indexes, lexical, legLimit, filter), legLimit);
  const denseLeg =
    dense && bestOf(searchDense(indexes, toUnitLength(dense), legLimit, filter, points), legLimit);
  if (lexicalLeg && denseLeg) {
    const fused = fuseByReciprocalRank([lexicalLeg, denseLeg].map(toLeg), limit);
    return withPayloads(fused, 'fused', points);
  }
  if (lexicalLeg) return withPayloads(toLeg(lexicalLeg), 'lexical', points);
  if (denseLeg) return withPayloads(toLeg(denseLeg), 'dense', points);
  return [];
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
): Candidate[] {
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
): Candidate[] {
  return indexes.flatMap((index) =>
    index.searchDense(query, limit, filter, (pointNo) => points.findVector(pointNo)),
  );
}

function bestOf(candidates: Candidate[], limit: number): Candidate[] {
  return candidates.sort((a, b) => b.score - a.score || a.pointNo - b.pointNo).slice(0, limit);
}

function toLeg(candidates: readonly Candidate[]): { key: number; score: number }[] {
  return candidates.map(({ pointNo, score }) => ({ key: pointNo, score }));
}

/** Omits points that another process has deleted in the meantime. */
function withPayloads(
  ranked: readonly (Pick<FusedEntry<number>, 'key' | 'score'> & Partial<FusedEntry<number>>)[],
  scoring: Scoring,
  points: PointSource,
): Hit[] {
  const hits: Hit[] = [];
  for (const { key, score, legScores } of ranked) {
    const payload = points.findPoint(key);
    if (payload === undefined) continue;
    hits.push({ ...payload, score, scoring, legs: legsOf(scoring, score, legScores) });
  }
  return hits;
}

function legsOf(
  scoring: Scoring,
  score: number,
  legScores: FusedEntry<number>['legScores'] = [],
): Hit['legs'] {
  if (scoring === 'lexical') return { lexical: score };
  if (scoring === 'dense') return { dense: score };
  const [lexical, dense] = legScores;
  return { ...(lexical !== undefined && { lexical }), ...(dense !== undefined && { dense }) };
}
