import { EmbeddedVectorStore } from '@citewell/vector-store';
import type { Point, Space, VectorStore } from '@citewell/vector-store';
import { readdir, stat } from 'node:fs/promises';
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
  /** What the engine has used so far. Absent: it is not measured. */
  usage?(): Promise<EngineUsage>;
  close(): Promise<void>;
}

/** What an engine has used. */
export interface EngineUsage {
  /** User and system time, without that of a client in another process. */
  readonly cpuMs: number;
  readonly diskBytes: number;
  /** Of a process of its own, in bytes. Pages of files can be dropped and read again. */
  readonly memory?: { readonly anonymous: number; readonly file: number };
}

const TOP_K = 10;

/** The embedded engine of the product, called through its thread. */
export async function embeddedContender(directory: string, corpus: VectorCorpus): Promise<Contender> {
  const store = new EmbeddedVectorStore({ directory: join(directory, 'embedded') });
  const space = spaceOf(corpus);
  await store.ensureSpace(space);
  return {
    name: 'embedded',
    modes: modesOf(corpus),
    insert: (points) => store.upsert(space, points),
    optimize: async () => {},
    search: searchWith(store, space, corpus),
    usage: async () => {
      const { user, system } = process.cpuUsage();
      return { cpuMs: (user + system) / 1_000, diskBytes: await bytesIn(directory) };
    },
    close: () => store.close(),
  };
}

/** The space of the points of a corpus. */
export function spaceOf({ dimensions }: VectorCorpus): Space {
  return { name: 'bench', dense: dimensions === 0 ? null : { dimensions } };
}

/** How the points of a corpus can be searched. */
export function modesOf({ dimensions }: VectorCorpus): readonly SearchMode[] {
  return dimensions === 0 ? ['lexical'] : ['lexical', 'dense', 'hybrid'];
}

/**
 * Searches a store of the product.
 *
 * @param candidates points that a search by meaning alone asks for, of which the first ten count
 */
export function searchWith(
  store: VectorStore,
  space: Space,
  corpus: VectorCorpus,
  candidates = TOP_K,
): Contender['search'] {
  return async ({ lexical, dense }, mode) => {
    const vectors = { ...(mode !== 'dense' && { lexical }), ...(mode !== 'lexical' && { dense }) };
    const limit = mode === 'dense' ? candidates : TOP_K;
    const hits = await store.search(space, corpus.tenant, { ...vectors, limit });
    return hits.slice(0, TOP_K).map(({ id }) => id);
  };
}

/** Bytes that the files of a folder take on the disk, which are fewer than their sizes if they are sparse. */
export async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true });
  const sizes = await Promise.all(entries.map((name) => stat(join(directory, name))));
  return sizes.reduce((sum, { blocks }) => sum + blocks * 512, 0);
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
