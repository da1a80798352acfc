import type { Schemas } from '@qdrant/js-client-rest';
import { VectorStoreError } from '../vector-store.errors.js';
import type { Space } from '../vector-store.port.js';

/** Names of the two vectors of a point. */
export const DENSE = 'dense';
export const LEXICAL = 'lexical';

/** How collections are made; what is absent is the server's default. A change affects new collections only. */
export interface QdrantCollectionOptions {
  /** Shards of a collection; six serve three nodes well. Fixed once a collection exists. */
  readonly shards?: number;
  /** Copies of each shard; 2 or more to survive the loss of a node. */
  readonly replicas?: number;
  /** Copies that must have a write before it is acknowledged. */
  readonly writeConsistency?: number;
  /** Keeps dense vectors on disk and reads them through the page cache: slower, and a fraction of the memory. */
  readonly onDiskVectors?: boolean;
  /** Keeps payloads on disk. */
  readonly onDiskPayload?: boolean;
  /** Compressed copies of the dense vectors in memory: `scalar` a quarter, `binary` a 32nd of their size. */
  readonly quantization?: 'scalar' | 'binary';
}

type Keyword = Schemas['KeywordIndexParams'];

// Only searches by vector want a graph, and they always name datastores: one graph for each datastore, none elsewhere.
const KEYWORD: Keyword = { type: 'keyword', enable_hnsw: false };

/** Payload fields that filters use. Made before the first upload: points that came earlier would not be in the graphs. */
export const PAYLOAD_INDEXES: readonly (readonly [field: string, schema: Keyword])[] = [
  ['datastore_id', { type: 'keyword', is_tenant: true }],
  ['organization_id', KEYWORD],
  ['datasource_id', KEYWORD],
  ['group_id', KEYWORD],
  ['run_id', KEYWORD],
  ['content_hash', KEYWORD],
];

/** The collection of a space. No graph over all points (`m: 0`): tenants are searched one by one. */
export function toCollection(space: Space, options: QdrantCollectionOptions): Schemas['CreateCollection'] {
  const { shards, replicas, writeConsistency, onDiskVectors = false, onDiskPayload, quantization } = options;
  return {
    vectors: space.dense
      ? { [DENSE]: { size: space.dense.dimensions, distance: 'Cosine', on_disk: onDiskVectors } }
      : {},
    sparse_vectors: { [LEXICAL]: { modifier: 'idf' } },
    hnsw_config: { m: 0, payload_m: 16 },
    ...(shards !== undefined && { shard_number: shards }),
    ...(replicas !== undefined && { replication_factor: replicas }),
    ...(writeConsistency !== undefined && { write_consistency_factor: writeConsistency }),
    ...(onDiskPayload !== undefined && { on_disk_payload: onDiskPayload }),
    ...(quantization === 'scalar' && {
      quantization_config: { scalar: { type: 'int8', quantile: 0.99, always_ram: true } },
    }),
    ...(quantization === 'binary' && { quantization_config: { binary: { always_ram: true } } }),
  };
}

/** @throws VectorStoreError when the collection is not one of ours */
export function toSpace(name: string, { config }: Schemas['CollectionInfo']): Space {
  const { vectors, sparse_vectors: sparse } = config.params;
  if (sparse?.[LEXICAL]?.modifier !== 'idf')
    throw new VectorStoreError(`collection of ${name} has no lexical vectors`);
  const dense: unknown = vectors === undefined ? undefined : Reflect.get(vectors, DENSE);
  if (dense === undefined) return { name, dense: null };
  const size: unknown = typeof dense === 'object' && dense !== null ? Reflect.get(dense, 'size') : undefined;
  if (typeof size !== 'number') throw new VectorStoreError(`collection of ${name} has unknown dense vectors`);
  return { name, dense: { dimensions: size } };
}
