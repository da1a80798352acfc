import type { Schemas } from '@qdrant/js-client-rest';
import { VectorStoreError } from '../vector-store.errors.js';
import type { Space } from '../vector-store.port.js';

/** Prefix of the names of collections, so that a server can be shared. */
export const COLLECTION_PREFIX = 'citewell_';

/** Names of the dense and the sparse vector of a point. */
export const DENSE = 'dense';
export const LEXICAL = 'lexical';

/** Smaller copies of the dense vectors: none, of 1/2 of their size, of 1/16. */
export type Quantization = 'none' | 'scalar' | 'binary';

/** Settings of collections that `rebalance` changes in existing ones. */
export interface QdrantStorageOptions {
  /** Replicas of each shard. Use 2 or more to survive the loss of a node. Default 1. */
  readonly replicas?: number;
  /** Replicas that must apply a write before it is acknowledged. Default 1. */
  readonly writeConsistency?: number;
  /** Keeps dense vectors on disk and reads them through the page cache. Slower, but needs far less memory. Default false. */
  readonly onDiskVectors?: boolean;
  /** Quantized dense vectors, kept in memory. They preselect, and the exact vectors rank. Default `none`. */
  readonly quantization?: Quantization;
}

/** Settings of new collections. */
export interface QdrantCollectionOptions extends QdrantStorageOptions {
  /** Shards of a collection, fixed at creation. Six suit three nodes. Default 1. */
  readonly shards?: number;
}

type Keyword = Schemas['KeywordIndexParams'];

// Only dense searches use an HNSW graph, and they always filter by datastore.
const KEYWORD: Keyword = { type: 'keyword', enable_hnsw: false };

/**
 * Indexes of the payload fields that filters use. They must exist before the first upload: points uploaded
 * earlier would be missing from the graphs.
 */
export const PAYLOAD_INDEXES: readonly (readonly [field: string, schema: Keyword])[] = [
  ['datastore_id', { type: 'keyword', is_tenant: true }],
  ['organization_id', KEYWORD],
  ['datasource_id', KEYWORD],
  ['group_id', KEYWORD],
  ['run_id', KEYWORD],
  ['content_hash', KEYWORD],
];

/**
 * The collection of a space. A point has a multivector with a vector for each window: the best one counts
 * (`max_sim`). Half precision changes a cosine by less than 0.001, and halves the memory. `m: 0` disables the
 * graph over all points: every search filters by tenant.
 */
export function toCollection(space: Space, options: QdrantCollectionOptions): Schemas['CreateCollection'] {
  const { shards, replicas, writeConsistency, onDiskVectors = false } = options;
  return {
    vectors: space.dense
      ? {
          [DENSE]: {
            size: space.dense.dimensions,
            distance: 'Cosine',
            multivector_config: { comparator: 'max_sim' },
            datatype: 'float16',
            on_disk: onDiskVectors,
          },
        }
      : {},
    sparse_vectors: { [LEXICAL]: { modifier: 'idf' } },
    hnsw_config: { m: 0, payload_m: 16 },
    ...(shards !== undefined && { shard_number: shards }),
    ...(replicas !== undefined && { replication_factor: replicas }),
    ...(writeConsistency !== undefined && { write_consistency_factor: writeConsistency }),
    quantization_config: toQuantization(options),
  };
}

/** The change that gives an existing collection these settings. Qdrant rewrites its segments in the background. */
export function toStorageChange(
  { dense }: Space,
  options: QdrantStorageOptions,
): Schemas['UpdateCollection'] {
  const { replicas = 1, writeConsistency = 1, onDiskVectors = false } = options;
  return {
    params: { replication_factor: replicas, write_consistency_factor: writeConsistency },
    ...(dense && { vectors: { [DENSE]: { on_disk: onDiskVectors } } }),
    quantization_config: toQuantization(options) ?? 'Disabled',
  };
}

function toQuantization({
  quantization = 'none',
}: QdrantStorageOptions): Schemas['QuantizationConfig'] | null {
  if (quantization === 'scalar') return { scalar: { type: 'int8', quantile: 0.99, always_ram: true } };
  return quantization === 'binary' ? { binary: { always_ram: true } } : null;
}

/** @throws VectorStoreError if {@link toCollection} did not create the collection */
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
