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
