import type { GetObjectCommandOutput, ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { assertBlobKey, assertBlobPrefix } from './blob-key.js';
import type {
  BlobEntry,
  BlobSource,
  BlobStore,
  ByteRange,
  PutOptions,
  PutResult,
} from './blob-store.port.js';
import { assertSize } from './blob-check.js';
import { BlobNotFoundError } from './blob-store.errors.js';
import { resolveRange } from './byte-range.js';
import { MeteredSource } from './metered-source.js';
import { watchedAgents } from './watched-agents.js';
import { isNotFound, isNotImplemented, isRangeBeyondEnd, toStoreError } from './s3-errors.js';

/** S3 allows 10,000 parts of at least 5 MiB per object: 8 MiB allow blobs of 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Concurrent uploads of parts, each held in memory. */
const PARTS_IN_FLIGHT = 2;
const SILENCE_LIMIT_MS = 15_000;
/** Limit of one DeleteObjects request. */
const KEYS_PER_DELETE = 1000;

export interface S3BlobStoreOptions {
  /** URL of the server. Default: that of Amazon for the region. */
  endpoint?: string;
  /** Default `us-east-1`, which other S3-compatible servers accept. */
  region?: string;
  bucket: string;
  /** Without a key pair, the SDK uses its credential chain: environment, profile, role of the machine. */
  accessKeyId?: string;
  secretAccessKey?: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. Default: true if an endpoint is set. */
  forcePathStyle?: boolean;
  /** Prefix of every key in the bucket, for example `citewell/`. Default: none. */
  prefix?: string;
  /** How long the server may be silent during a request. Default 15,000: some send a sign of life every 10 s. */
  silenceLimitMs?: number;
}

type S3Module = typeof import('@aws-sdk/client-s3');

/**
 * Stores blobs as objects in a bucket of an S3-compatible server. The bucket must exist.
 *
 * The client is imported when it is first needed: it is large, and most installations store blobs in a
 * directory.
 */
export class S3BlobStore implements BlobStore {
  private readonly bucket: string;
  private readonly prefix: string;
  private connection: Promise<{ s3: S3Module; client: S3Client }> | null = null;

  constructor(private readonly options: S3BlobStoreOptions) {
    this.bucket = options.bucket;
    this.prefix = options.prefix ?? '';
  }

  async put(key: string, source: BlobSource, options: PutOptions = {}): Promise<PutResult> {
    assertBlobKey(key);
    // Stops reading the source after a failed upload, even if the source hangs.
    const uploadEnded = new AbortController();
    const signals = options.signal ? [options.signal, uploadEnded.signal] : [uploadEnded.signal];
    const metered = new MeteredSource(source, { ...options, signal: AbortSignal.any(signals) });
    // An error of the source becomes an error of the stream, and the uploader aborts its multipart upload.
    const body = Readable.from(metered.chunks(), { objectMode: false });
    try {
      const { client } = await this.connect();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const params = { Bucket: this.bucket, Key: this.prefix + key, Body: body };
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_IN_FLIGHT }).done();
    } catch (error) {
      throw metered.failure ? metered.failure.error : toStoreError(error, 'write a blob');
    } finally {
      uploadEnded.abort();
      body.destroy();
    }
    return metered.result();
  }

  async open(key: string, range?: ByteRange, expectedBytes?: number): Promise<Readable> {
    assertBlobKey(key);
    const { start, end } = resolveRange(range);
    // HTTP has no empty ranges.
    if (end === start) return this.openEmpty(key, expectedBytes);
    const { s3, client } = await this.connect();
    const isWholeBlob = start === 0 && end === null;
    // The end of an HTTP range is inclusive.
    const rangeHeader = `bytes=${start}-${end === null ? '' : end - 1}`;
    try {
      const response = await client.send(
        new s3.GetObjectCommand({
          Bucket: this.bucket,
          Key: this.prefix + key,
          ...(isWholeBlob ? {} : { Range: rangeHeader }),
        }),
      );
      const { Body: body } = response;
      if (!(body instanceof Readable)) throw new TypeError('the S3 client returned no stream');
      try {
        assertSize(key, sizeOf(response), expectedBytes);
      } catch (error) {
        body.destroy();
        throw error;
      }
      return Readable.from(withStoreErrors(body), { objectMode: false });
    } catch (error) {
      if (isNotFound(error)) throw new BlobNotFoundError(key, { cause: error });
      if (isRangeBeyondEnd(error)) return this.openEmpty(key, expectedBytes);
      throw toStoreError(error, 'open a blob');
    }
  }

  async read(key: string, range?: ByteRange, expectedBytes?: number): Promise<Buffer> {
    return buffer(await this.open(key, range, expectedBytes));
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    assertBlobKey(key);
    const { s3, client } = await this.connect();
    try {
      const head = await client.send(
        new s3.HeadObjectCommand({ Bucket: this.bucket, Key: this.prefix + key }),
      );
      return { bytes: head.ContentLength ?? 0 };
    } catch (error) {
      if (isNotFound(error)) return null;
      throw toStoreError(error, 'look up a blob');
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    keys.forEach(assertBlobKey);
    const { s3, client } = await this.connect();
    for (let from = 0; from < keys.length; from += KEYS_PER_DELETE) {
      const objects = keys.slice(from, from + KEYS_PER_DELETE).map((key) => ({ Key: this.prefix + key }));
      const response = await client
        .send(new s3.DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects: objects, Quiet: true } }))
        .catch((error: unknown) => {
          throw toStoreError(error, 'delete blobs');
        });
      // The response has status 200 even if single keys failed.
      const failure = response.Errors?.find(({ Code: code }) => code !== 'NoSuchKey');
      if (failure) throw toStoreError(new Error(`${failure.Code} for ${failure.Key}`), 'delete blobs');
    }
  }

  async *list(prefix: string): AsyncIterable<BlobEntry> {
    assertBlobPrefix(prefix);
    const { s3, client } = await this.connect();
    const pages = s3.paginateListObjectsV2({ client }, { Bucket: this.bucket, Prefix: this.prefix + prefix });
    try {
      for await (const page of pages) {
        for (const { Key: key, Size: bytes, LastModified: modifiedAt } of page.Contents ?? []) {
          if (key === undefined || modifiedAt === undefined) continue;
          yield { key: key.slice(this.prefix.length), bytes: bytes ?? 0, modifiedAt };
        }
      }
    } catch (error) {
      throw toStoreError(error, 'list blobs');
    }
  }

  async sweep(olderThanMs: number): Promise<number> {
    const newestToRemoveMs = Date.now() - olderThanMs;
    const { s3, client } = await this.connect();
    let removed = 0;
    let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
    try {
      while (marker) {
        // The annotation breaks a cycle: the inferred types of `page` and `marker` depend on each other.
        const page: ListMultipartUploadsCommandOutput = await client.send(
          new s3.ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: this.prefix, ...marker }),
        );
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (!Key || !UploadId || !Initiated || Initiated.getTime() > newestToRemoveMs) continue;
          await client.send(new s3.AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }));
          removed += 1;
        }
        marker = nextMarker(page);
      }
    } catch (error) {
      // Some servers cannot list unfinished uploads. There is then nothing to sweep.
      if (isNotImplemented(error)) return removed;
      throw toStoreError(error, 'sweep unfinished writes');
    }
    return removed;
  }

  async ping(): Promise<void> {
    const { s3, client } = await this.connect();
    try {
      await client.send(new s3.HeadBucketCommand({ Bucket: this.bucket }));
    } catch (error) {
      throw toStoreError(error, 'respond');
    }
  }

  async close(): Promise<void> {
    const connection = await this.connection;
    connection?.client.destroy();
  }

  /** A range without bytes. */
  private async openEmpty(key: string, expectedBytes: number | undefined): Promise<Readable> {
    const stat = await this.stat(key);
    if (!stat) throw new BlobNotFoundError(key);
    assertSize(key, stat.bytes, expectedBytes);
    return Readable.from([]);
  }

  private connect(): Promise<{ s3: S3Module; client: S3Client }> {
    this.connection ??= this.createClient();
    return this.connection;
  }

  private async createClient(): Promise<{ s3: S3Module; client: S3Client }> {
    const s3 = await import('@aws-sdk/client-s3');
    const { endpoint, region = 'us-east-1', accessKeyId, secretAccessKey, forcePathStyle } = this.options;
    const client = new s3.S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint }),
      forcePathStyle: forcePathStyle ?? endpoint !== undefined,
      ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
      // Many S3-compatible servers reject the checksum trailers that the client sends by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: watchedAgents(this.options.silenceLimitMs ?? SILENCE_LIMIT_MS),
    });
    return { s3, client };
  }
}

function nextMarker(
  page: ListMultipartUploadsCommandOutput,
): { KeyMarker: string; UploadIdMarker?: string } | null {
  if (!page.IsTruncated || !page.NextKeyMarker) return null;
  return {
    KeyMarker: page.NextKeyMarker,
    ...(page.NextUploadIdMarker ? { UploadIdMarker: page.NextUploadIdMarker } : {}),
  };
}

/** Size of the whole object; undefined if the server does not tell. A range has it after the slash of `Content-Range`. */
function sizeOf({
  ContentRange: range,
  ContentLength: length,
}: Pick<GetObjectCommandOutput, 'ContentRange' | 'ContentLength'>): number | undefined {
  if (range === undefined) return length;
  const size = /\/(\d+)$/.exec(range)?.[1];
  return size === undefined ? undefined : Number(size);
}

async function* withStoreErrors(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toStoreError(error, 'read a blob');
  }
}
