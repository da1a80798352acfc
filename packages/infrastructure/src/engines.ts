import { join, resolve } from 'node:path';
import { type BlobStore, DirectoryBlobStore, S3BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import { BlobRepository, type DataSource, SmallBlobRepository } from '@citewell/database';
import type { LocalModelOptions, OnModelCall, OnProgress } from '@citewell/models';
import type { QueueLocation } from '@citewell/queue';
import {
  EmbeddedVectorStore,
  type EmbeddedVectorStoreOptions,
  type VectorStore,
} from '@citewell/vector-store';
import type { QdrantStorageOptions } from '@citewell/vector-store/qdrant';
import { CheckedBlobStore } from './checked-blob-store.adapter.js';
import { progressBar } from './progress-bar.js';
import { TieredBlobStore } from './tiered-blob-store.adapter.js';

/**
 * Opens the blob store: the database for small blobs, and the large blob store for all others. What is read is compared
 * with what was written.
 */
export function openBlobStore(config: Config, dataSource: DataSource): BlobStore {
  const tiers = new TieredBlobStore(new SmallBlobRepository(dataSource), openLargeBlobStore(config));
  return new CheckedBlobStore(tiers, new BlobRepository(dataSource));
}

/** Opens the large blob store: the bucket `S3_BUCKET` if set, otherwise a folder in the data directory. */
export function openLargeBlobStore(config: Config): BlobStore {
  if (config.S3_BUCKET === undefined) return new DirectoryBlobStore(join(dataDirectory(config), 'blobs'));
  return new S3BlobStore({
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    ...(config.S3_ENDPOINT === undefined ? {} : { endpoint: config.S3_ENDPOINT }),
    ...(config.S3_PREFIX === undefined ? {} : { prefix: config.S3_PREFIX }),
    ...(config.S3_ACCESS_KEY_ID === undefined || config.S3_SECRET_ACCESS_KEY === undefined
      ? {}
      : { accessKeyId: config.S3_ACCESS_KEY_ID, secretAccessKey: config.S3_SECRET_ACCESS_KEY }),
  });
}

/**
 * Opens the vector store: Qdrant if `QDRANT_URL` is set, otherwise the embedded engine in the data directory.
 *
 * @param options.setsDamagedFileAside whether a damaged file of the embedded engine is replaced by an empty one. Default
 * false
 */
export async function openVectorStore(
  config: Config,
  options: Pick<EmbeddedVectorStoreOptions, 'setsDamagedFileAside'> = {},
): Promise<VectorStore> {
  if (config.QDRANT_URL === undefined)
    return new EmbeddedVectorStore({ directory: vectorDirectory(config), ...options });
  const { QdrantVectorStore } = await import('@citewell/vector-store/qdrant');
  return new QdrantVectorStore({
    urls: config.QDRANT_URL,
    ...(config.QDRANT_API_KEY === undefined ? {} : { apiKey: config.QDRANT_API_KEY }),
    shards: config.QDRANT_SHARDS,
    ...qdrantStorageOf(config),
  });
}

/**
 * Settings of the collections that `citewell rebalance` applies to existing ones. A majority of the replicas must have a
 * point before it is acknowledged. While they cannot have it, writes fail and runs wait.
 */
export function qdrantStorageOf(config: Config): QdrantStorageOptions {
  return {
    replicas: config.QDRANT_REPLICAS,
    writeConsistency: Math.floor(config.QDRANT_REPLICAS / 2) + 1,
    onDiskVectors: config.QDRANT_VECTORS_ON_DISK,
    quantization: config.QDRANT_QUANTIZATION,
  };
}

/** Location of the queue: Redis if `REDIS_URL` is set, otherwise tables in the product's database. */
export function queueLocation(config: Config, databaseUrl: string): QueueLocation {
  if (config.REDIS_URL !== undefined) return { redisUrl: config.REDIS_URL };
  return { postgresUrl: databaseUrl, connections: 4 };
}

/** Options of a model on this machine. Its files are in the data directory, and the terminal shows their download. */
export function localModelOptions(config: Config, name: string, onCall: OnModelCall): LocalModelOptions {
  return {
    name,
    directory: modelDirectory(config),
    hub: config.HF_ENDPOINT,
    onProgress: showProgress(process.stderr),
    onCall,
  };
}

/** Absolute path of the directory of local models and the packages that run them. */
export function modelDirectory(config: Config): string {
  return join(dataDirectory(config), 'models');
}

/** Absolute path of the directory of added languages of text recognition: `deu.traineddata.gz`, or without `.gz`. */
export function languageDirectory(config: Pick<Config, 'CITEWELL_DATA_DIR'>): string {
  return join(resolve(config.CITEWELL_DATA_DIR), 'languages');
}

/** Absolute path of the directory of the embedded vector store. */
export function vectorDirectory(config: Config): string {
  return join(dataDirectory(config), 'vectors');
}

/** Absolute path of the data directory, `CITEWELL_DATA_DIR`. */
export function dataDirectory(config: Config): string {
  return resolve(config.CITEWELL_DATA_DIR);
}

/**
 * Writes each step on a line of its own. On a terminal, the line has a bar that grows.
 *
 * @param output such as `process.stderr`
 */
export function showProgress(output: { isTTY?: boolean; write(text: string): unknown }): OnProgress {
  let line = '';
  return ({ text, done }) => {
    const isNew = !line.startsWith(text);
    if (!isNew && (!output.isTTY || done === undefined)) return;
    const shown = output.isTTY && done !== undefined ? `${text} ${progressBar(done * 100)}` : text;
    if (shown === line) return;
    line = shown;
    const isLast = !output.isTTY || done === undefined || done === 1;
    output.write(`${isNew ? '' : '\r'}${shown}${isLast ? '\n' : ''}`);
  };
}
