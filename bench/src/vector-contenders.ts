import { EmbeddedVectorStore } from '@citewell/vector-store';
import type { Point, Space } from '@citewell/vector-store';
import { join } from 'node:path';
import type { CorpusQuery, VectorCorpus } from './vector-corpus.js';

export type SearchMode = 'lexical' | 'dense' | 'hybrid';

/** An engine in the comparison. */
export interface Contender {
  readonly name: string;
  readonly modes: readonly SearchMode[];
  insert(points: readonly Point[]): Promise<void>;
  /** Called once after all inserts. */
  optimize(): Promise<void>;
  /** Ids of the 10 best points. */
  search(query: CorpusQuery, mode: SearchMode): Promise<string[]>;
  close(): Promise<void>;
}

const TOP_K = 10;

/** The embedded engine of the product, called through its thread. */
export async function embeddedContender(directory: string, corpus: VectorCorpus): Promise<Contender> {
  const store = new EmbeddedVectorStore({ directory: join(directory, 'embedded') });
  const space: Space = { name: 'bench', dense: { dimensions: corpus.dimensions } };
  await store.ensureSpace(space);
  return {
    name: 'embedded',
    modes: ['lexical', 'dense', 'hybrid'],
    insert: (points) => store.upsert(space, points),
    optimize: async () => {},
    search: async ({ lexical, dense }, mode) => {
      const vectors = { ...(mode !== 'dense' && { lexical }), ...(mode !== 'lexical' && { dense }) };
      const hits = await store.search(space, corpus.tenant, { ...vectors, limit: TOP_K });
      return hits.map(({ id }) => id);
    },
    close: () => store.close(),
  };
}

/** Compares the query with every vector. The best vector of a point counts. The reference for recall. */
export function bruteForceContender(): Contender {
  const ids: string[] = [];
  const vectors: Float32Array[][] = [];
  const unit = (vector: Float32Array): Float32Array => {
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
  return {
    name: 'brute force',
    modes: ['dense'],
    insert: async (points) => {
      for (const { id, dense } of points) {
        ids.push(id);
        vectors.push(dense.map(unit));
      }
    },
    optimize: async () => {},
    search: async ({ dense }) => {
      const query = unit(dense);
      const scores = vectors.map((windows, doc) => {
        let best = -Infinity;
        for (const vector of windows) {
          let score = 0;
          for (let i = 0; i < vector.length; i++) score += vector[i]! * query[i]!;
          best = Math.max(best, score);
        }
        return { doc, score: best };
      });
      scores.sort((a, b) => b.score - a.score);
      return scores.slice(0, TOP_K).map(({ doc }) => ids[doc]!);
    },
    close: async () => {},
  };
}

/**
 * The native engine zvec, called directly. Lexical search is its own BM25 over white-space tokens, with
 * statistics over all points. It has one vector per point, so it is not compared with several windows. Resolves
 * to `undefined` on platforms without a binding, such as Intel Macs.
 */
export async function zvecContender(
  directory: string,
  { tenant, dimensions }: VectorCorpus,
): Promise<Contender | undefined> {
  const loaded = await import('@zvec/zvec').catch(() => undefined);
  if (loaded === undefined) return undefined;
  const { default: zvec } = loaded;
  const { ZVecDataType, ZVecIndexType, ZVecMetricType } = zvec;
  const schema = new zvec.ZVecCollectionSchema({
    name: 'bench',
    fields: [
      { name: 'tenant', dataType: ZVecDataType.STRING, indexParams: { indexType: ZVecIndexType.INVERT } },
      {
        name: 'text',
        dataType: ZVecDataType.STRING,
        indexParams: { indexType: ZVecIndexType.FTS, tokenizerName: 'whitespace' },
      },
    ],
    vectors: [
      {
        name: 'dense',
        dataType: ZVecDataType.VECTOR_FP32,
        dimension: dimensions,
        indexParams: { indexType: ZVecIndexType.HNSW, metricType: ZVecMetricType.COSINE },
      },
    ],
  });
  const collection = zvec.ZVecCreateAndOpen(join(directory, 'zvec'), schema);
  const datastoreId = tenant.datastoreIds[0] ?? '';
  const filter = `tenant = '${datastoreId}'`;
  const outputFields = ['text'];
  return {
    name: 'zvec 0.7.0',
    modes: ['lexical', 'dense', 'hybrid'],
    insert: async (points) => {
      const docs = points.map(({ id, text, dense }) => ({
        id,
        fields: { tenant: datastoreId, text },
        vectors: { dense: dense[0]! },
      }));
      for (let from = 0; from < docs.length; from += 256) collection.insertSync(docs.slice(from, from + 256));
    },
    optimize: async () => collection.optimizeSync(),
    search: async ({ lexical, dense }, mode) => {
      const words = {
        fieldName: 'text',
        fts: { matchString: lexical.indices.map((term) => `word${term}`).join(' ') },
      };
      const vector = { fieldName: 'dense', vector: dense };
      const found =
        mode === 'hybrid'
          ? collection.multiQuerySync({
              queries: [
                { ...words, numCandidates: 100 },
                { ...vector, numCandidates: 100 },
              ],
              topk: TOP_K,
              filter,
              outputFields,
              rerank: { type: 'rrf', rankConstant: 60 },
            })
          : collection.querySync({
              ...(mode === 'dense' ? vector : words),
              topk: TOP_K,
              filter,
              outputFields,
            });
      return found.map(({ id }) => id);
    },
    close: async () => collection.destroySync(),
  };
}
