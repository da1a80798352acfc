import { randomUUID } from 'node:crypto';
import type { Point, SparseVector } from '@citewell/vector-store';
import { seededRandom } from '@citewell/retrieval';

const VOCABULARY = 30_000;
const WORDS_PER_CHUNK = 120;
const QUERY_TERMS = 8;
const LATENT_DIMENSIONS = 64;
/** Share of the latent variance that the windows of a chunk have in common. */
const COMMON_SHARE = 0.6;

/** A query with a sparse and a dense vector. */
export interface CorpusQuery {
  readonly lexical: SparseVector;
  readonly dense: Float32Array;
}

/**
 * Generates reproducible chunks that resemble real collections. Words follow Zipf's law, about 80 different
 * ones per chunk. Dense vectors have 64 latent dimensions of decreasing variance, mapped to more with noise
 * and an offset, because text embeddings have few effective dimensions and a mean far from zero. The windows of
 * a chunk are similar. A query has 8 terms of a chunk and a vector from the same distribution. It is not close
 * to a stored vector, which makes the search harder.
 */
export class VectorCorpus {
  private readonly random = seededRandom(7);
  private readonly directions: readonly Float32Array[];
  private readonly offset: Float32Array;
  private readonly ids = {
    organizationId: randomUUID(),
    datastoreId: randomUUID(),
    datasourceId: randomUUID(),
    runId: randomUUID(),
  };

  /**
   * @param dimensions 0: points have no dense vectors
   * @param windows vectors per chunk, on average; 4.5 means 4 and 5 in turn
   */
  constructor(
    readonly dimensions: number,
    private readonly windows: number,
  ) {
    this.directions = this.matrix(LATENT_DIMENSIONS, dimensions);
    this.offset = this.matrix(1, dimensions)[0]!;
  }

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
      confidence: null,
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
      dense:
        this.dimensions === 0
          ? []
          : this.vectors(Math.floor((ordinal + 1) * this.windows) - Math.floor(ordinal * this.windows)),
    };
  }

  query(source: Point): CorpusQuery {
    const { indices } = source.lexical;
    const chosen = new Set<number>();
    while (chosen.size < QUERY_TERMS) chosen.add(indices[Math.floor(this.random() * indices.length)]!);
    const sorted = [...chosen].sort((a, b) => a - b);
    return { lexical: { indices: sorted, values: sorted.map(() => 1) }, dense: this.vectors(1)[0]! };
  }

  private vectors(count: number): Float32Array[] {
    const common = this.latent();
    return Array.from({ length: count }, () => {
      const own = this.latent();
      const vector = this.offset.map((value) => value * 3 + 0.3 * this.gaussian());
      for (let l = 0; l < LATENT_DIMENSIONS; l++) {
        const coordinate = Math.sqrt(COMMON_SHARE) * common[l]! + Math.sqrt(1 - COMMON_SHARE) * own[l]!;
        const direction = this.directions[l]!;
        for (let i = 0; i < this.dimensions; i++) vector[i]! += coordinate * direction[i]!;
      }
      return vector;
    });
  }

  /** Coordinates of decreasing variance, as in the spectrum of embeddings. */
  private latent(): Float32Array {
    return new Float32Array(LATENT_DIMENSIONS).map((_, l) => this.gaussian() / Math.sqrt(1 + l / 8));
  }

  private matrix(rows: number, columns: number): Float32Array[] {
    return Array.from({ length: rows }, () => new Float32Array(columns).map(() => this.gaussian()));
  }

  private gaussian(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random());
  }
}
