import { randomUUID } from 'node:crypto';
import type { Point, SparseVector } from '@citewell/vector-store';
import { seededRandom } from './seeded-random.js';

export const DIMENSIONS = 384;
const VOCABULARY = 30_000;
const WORDS_PER_CHUNK = 120;
const QUERY_TERMS = 8;
const LATENT_DIMENSIONS = 64;

/** A query with a sparse and a dense vector. */
export interface CorpusQuery {
  readonly lexical: SparseVector;
  readonly dense: Float32Array;
}

/**
 * Generates reproducible chunks that resemble real collections. Words follow Zipf's law, about 80 different
 * ones per chunk. Dense vectors have 64 latent dimensions of decreasing variance, mapped to 384 with noise
 * and an offset, because text embeddings have few effective dimensions and a mean far from zero. A query has
 * 8 terms of a chunk and a vector from the same distribution. It is not close to a stored vector, which makes
 * the search harder.
 */
export class VectorCorpus {
  private readonly random = seededRandom(7);
  private readonly directions = this.matrix(LATENT_DIMENSIONS, DIMENSIONS);
  private readonly offset = this.matrix(1, DIMENSIONS)[0]!;
  private readonly ids = {
    organizationId: randomUUID(),
    datastoreId: randomUUID(),
    datasourceId: randomUUID(),
    runId: randomUUID(),
  };

  /** The tenant that owns the points. */
  get tenant(): { organizationId: string; datastoreIds: string[] } {
    return { organizationId: this.ids.organizationId, datastoreIds: [this.ids.datastoreId] };
  }

  point(ordinal: number): Point {
    const counts = new Map<number, number>();
    for (let i = 0; i < WORDS_PER_CHUNK; i++) {
      const word = Math.floor(VOCABULARY ** this.random());
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const terms = [...counts].sort(([a], [b]) => a - b);
    const text = terms.map(([word]) => `word${word}`).join(' ');
    return {
      id: randomUUID(),
      ...this.ids,
      groupId: null,
      ordinal,
      text,
      header: 'A title › A heading',
      page: 1,
      headingPath: ['A heading'],
      anchor: null,
      start: 0,
      end: text.length,
      contentHash: String(ordinal),
      lexical: {
        indices: terms.map(([word]) => word),
        values: terms.map(([, count]) => (2.2 * count) / (1.2 + count)),
      },
      dense: this.vector(),
    };
  }

  query(source: Point): CorpusQuery {
    const { indices } = source.lexical;
    const chosen = new Set<number>();
    while (chosen.size < QUERY_TERMS) chosen.add(indices[Math.floor(this.random() * indices.length)]!);
    const sorted = [...chosen].sort((a, b) => a - b);
    return { lexical: { indices: sorted, values: sorted.map(() => 1) }, dense: this.vector() };
  }

  private vector(): Float32Array {
    const vector = this.offset.map((value) => value * 3 + 0.3 * this.gaussian());
    for (let l = 0; l < LATENT_DIMENSIONS; l++) {
      // Decreasing variance, as in the spectrum of embeddings.
      const coordinate = this.gaussian() / Math.sqrt(1 + l / 8);
      const direction = this.directions[l]!;
      for (let i = 0; i < DIMENSIONS; i++) vector[i]! += coordinate * direction[i]!;
    }
    return vector;
  }

  private matrix(rows: number, columns: number): Float32Array[] {
    return Array.from({ length: rows }, () => new Float32Array(columns).map(() => this.gaussian()));
  }

  private gaussian(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }
}
