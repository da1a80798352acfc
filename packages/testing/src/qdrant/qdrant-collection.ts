import { wrongInput } from './qdrant-errors.js';
import { compileFilter } from './qdrant-filter.js';
import type { Predicate } from './qdrant-filter.js';
import { listOf, numberOf, objectOf, textOf } from './qdrant-json.js';
import type { JsonObject } from './qdrant-json.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A stored point. Its multivectors consist of vectors of length 1, as in Qdrant's cosine collections. */
export interface StoredPoint {
  readonly id: string;
  readonly payload: JsonObject;
  readonly dense: ReadonlyMap<string, readonly Float32Array[]>;
  readonly sparse: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

/** A collection in memory, with named multivectors (cosine, MaxSim) and named sparse vectors (IDF). */
export class QdrantCollection {
  /** Size of the vectors of each named multivector. */
  readonly denseSizes = new Map<string, number>();
  readonly sparseNames = new Set<string>();
  readonly payloadSchema: Record<string, unknown> = {};
  private readonly points = new Map<string, StoredPoint>();

  /** @param config body of the create request @throws QdrantHttpError 400 for unsupported settings */
  constructor(private readonly config: JsonObject) {
    for (const [name, vector] of Object.entries(objectOf(config['vectors'] ?? {}, 'vectors'))) {
      const { size, distance, multivector_config: multivector } = objectOf(vector, 'vector');
      if (distance !== 'Cosine') throw wrongInput('only Cosine is implemented here');
      if (objectOf(multivector, 'multivector_config')['comparator'] !== 'max_sim')
        throw wrongInput('only max_sim is implemented here');
      this.denseSizes.set(name, numberOf(size, 'size'));
    }
    for (const [name, vector] of Object.entries(objectOf(config['sparse_vectors'] ?? {}, 'sparse_vectors'))) {
      if (objectOf(vector, 'sparse vector')['modifier'] !== 'idf')
        throw wrongInput('only idf is implemented here');
      this.sparseNames.add(name);
    }
  }

  info(): JsonObject {
    const { vectors, sparse_vectors: sparseVectors, hnsw_config: hnswConfig } = this.config;
    return {
      status: 'green',
      optimizer_status: 'ok',
      indexed_vectors_count: 0,
      points_count: this.points.size,
      segments_count: 1,
      config: {
        params: {
          vectors: vectors ?? {},
          sparse_vectors: sparseVectors ?? {},
          shard_number: this.config['shard_number'] ?? 1,
          replication_factor: this.config['replication_factor'] ?? 1,
          write_consistency_factor: this.config['write_consistency_factor'] ?? 1,
          on_disk_payload: true,
        },
        hnsw_config: hnswConfig ?? {},
        optimizer_config: {},
        wal_config: {},
      },
      payload_schema: this.payloadSchema,
    };
  }

  addIndex(field: string, schema: unknown): void {
    const params = typeof schema === 'string' ? { type: schema } : objectOf(schema, 'field_schema');
    if (params['type'] !== 'keyword') throw wrongInput('only keyword indexes are implemented here');
    this.payloadSchema[field] = { data_type: 'keyword', params, points: this.points.size };
  }

  /** Writes all points, or none if one is invalid. */
  upsert(points: unknown): void {
    const parsed = listOf(points, 'points').map((point) => this.parsePoint(point));
    for (const point of parsed) this.points.set(point.id, point);
  }

  delete(filter: unknown): void {
    for (const { id } of this.select(compileFilter(filter))) this.points.delete(id);
  }

  select(accepts: Predicate): StoredPoint[] {
    return [...this.points.values()].filter(({ payload }) => accepts(payload));
  }

  /** @returns the vectors, normalized @throws QdrantHttpError 400 for an unknown name or a wrong size */
  parseDense(name: string, value: unknown): Float32Array[] {
    const size = this.denseSizes.get(name);
    if (size === undefined) throw wrongInput(`Not existing vector name error: ${name}`);
    const vectors = listOf(value, 'multivector').map((vector) => this.parseVector(vector, size));
    if (vectors.length === 0) throw wrongInput('Validation error: multivector must not be empty');
    return vectors;
  }

  /** @returns weights by index @throws QdrantHttpError 400 for an unknown name or a malformed vector */
  parseSparse(name: string, value: unknown): Map<number, number> {
    if (!this.sparseNames.has(name)) throw wrongInput(`Not existing vector name error: ${name}`);
    const { indices, values } = objectOf(value, 'sparse vector');
    const terms = listOf(indices, 'indices').map((index) => numberOf(index, 'index'));
    const weights = listOf(values, 'values').map((weight) => numberOf(weight, 'value'));
    if (terms.length !== weights.length)
      throw wrongInput('Validation error: must be the same length as indices');
    const vector = new Map(terms.map((term, i) => [term, Math.fround(weights[i] ?? 0)]));
    if (vector.size !== terms.length) throw wrongInput('Validation error: indices must be unique');
    return vector;
  }

  private parseVector(value: unknown, size: number): Float32Array {
    const vector = Float32Array.from(listOf(value, 'vector'), (number) => numberOf(number, 'element'));
    if (vector.length !== size) {
      throw wrongInput(`Vector dimension error: expected dim: ${size}, got ${vector.length}`);
    }
    const length = Math.hypot(...vector);
    return length === 0 ? vector : vector.map((number) => number / length);
  }

  private parsePoint(value: unknown): StoredPoint {
    const { id, vector, payload } = objectOf(value, 'point');
    if (!UUID.test(textOf(id, 'id'))) throw wrongInput(`value ${String(id)} is not a valid point ID`);
    const dense = new Map<string, readonly Float32Array[]>();
    const sparse = new Map<string, ReadonlyMap<number, number>>();
    for (const [name, content] of Object.entries(objectOf(vector, 'vector'))) {
      if (Array.isArray(content)) dense.set(name, this.parseDense(name, content));
      else sparse.set(name, this.parseSparse(name, content));
    }
    return { id: textOf(id, 'id'), payload: objectOf(payload ?? {}, 'payload'), dense, sparse };
  }
}
