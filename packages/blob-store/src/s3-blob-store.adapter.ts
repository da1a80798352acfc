import type { ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';
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
import { BlobNotFoundError } from './blob-store.errors.js';
import { resolveRange } from './byte-range.js';
import { MeteredSource } from './metered-source.js';
import { isAbsent, isBeyondEnd, isNotOffered, toStoreError } from './s3-errors.js';

/** S3 takes 10,000 parts of at least 5 MiB an object: 8 MiB allow blobs of 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Parts in memory at once. Two keep the line busy while the next one fills. */
const PARTS_IN_FLIGHT = 2;
/** What one DeleteObjects request takes. */
const KEYS_PER_DELETE = 1000;

export interface S3BlobStoreOptions {
  /** The server's address. Default: Amazon's for the region. */
  endpoint?: string;
  /** Default `us-east-1`, which servers other than Amazon's accept. */
  region?: string;
  bucket: string;
  /** Without a key pair the SDK's own chain is asked: environment, profile, the machine's role. */
  accessKeyId?: string;
  secretAccessKey?: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. Default: true where an endpoint is given. */
  forcePathStyle?: boolean;
  /** What every key in the bucket begins with, for example `citewell/`. Default: nothing. */
  prefix?: string;
}

type S3Module = typeof import('@aws-sdk/client-s3');

/**
 * Blobs as objects of one bucket of any S3-compatible server. The bucket must exist.
 *
 * The client is imported when it is first needed: it is large, and most installations keep blobs in a directory.
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
    // Ends the wait for a silent source once the upload itself has failed.
    const finished = new AbortController();
    const signals = options.signal ? [options.signal, finished.signal] : [finished.signal];
    const metered = new MeteredSource(source, { ...options, signal: AbortSignal.any(signals) });
    // A source that fails fails the stream, and that makes the uploader abort its multipart upload.
    const body = Readable.from(metered.chunks(), { objectMode: false });
    try {
      const { client } = await this.connect();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const params = { Bucket: this.bucket, Key: this.prefix + key, Body: body };
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_IN_FLIGHT }).done();
    } catch (error) {
      throw metered.failure ? metered.failure.error : toStoreError(error, 'write a blob');
    } finally {
      finished.abort();
      body.destroy();
    }
    return metered.result();
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    assertBlobKey(key);
    const { start, end } = resolveRange(range);
    if (end === start) {
      // HTTP cannot ask for an empty range.
      if (!(await this.stat(key))) throw new BlobNotFoundError(key);
      return Readable.from([]);
    }
    const { s3, client } = await this.connect();
    const whole = start === 0 && end === null;
    // HTTP's last byte is inclusive.
    const bytes = `bytes=${start}-${end === null ? '' : end - 1}`;
    try {
      const { Body: body } = await client.send(
        new s3.GetObjectCommand({
          Bucket: this.bucket,
          Key: this.prefix + key,
          ...(whole ? {} : { Range: bytes }),
        }),
      );
      if (!(body instanceof Readable)) throw new TypeError('the S3 client gave no stream');
      return Readable.from(withStoreErrors(body), { objectMode: false });
    } catch (error) {
      if (isAbsent(error)) throw new BlobNotFoundError(key, { cause: error });
      if (isBeyondEnd(error)) return Readable.from([]);
      throw toStoreError(error, 'open a blob');
    }
  }

  async read(key: string, range?: ByteRange): Promise<Buffer> {
    return buffer(await this.open(key, range));
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
      if (isAbsent(error)) return null;
      throw toStoreError(error, 'look up a blob');
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    keys.forEach(assertBlobKey);
    const { s3, client } = await this.connect();
    for (let from = 0; from < keys.length; from += KEYS_PER_DELETE) {
      const objects = keys.slice(from, from + KEYS_PER_DELETE).map((key) => ({ Key: this.prefix + key }));
      const answer = await client
        .send(new s3.DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects: objects, Quiet: true } }))
        .catch((error: unknown) => {
          throw toStoreError(error, 'delete blobs');
        });
      // The request as a whole answers 200 even where single keys were refused.
      const refused = answer.Errors?.find((one) => one.Code !== 'NoSuchKey');
      if (refused) throw toStoreError(new Error(`${refused.Code} for ${refused.Key}`), 'delete blobs');
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
    const limit = Date.now() - olderThanMs;
    const { s3, client } = await this.connect();
    let removed = 0;
    let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
    try {
      while (marker) {
        // Annotated, because the type would otherwise depend on `marker`, and that on it.
        const page: ListMultipartUploadsCommandOutput = await client.send(
          new s3.ListMultipartUploadsCommand({ Bucket: this.bucket, Prefix: this.prefix, ...marker }),
        );
        for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
          if (!Key || !UploadId || !Initiated || Initiated.getTime() > limit) continue;
          await client.send(new s3.AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }));
          removed += 1;
        }
        marker = nextMarker(page);
      }
    } catch (error) {
      // Some servers keep no list of unfinished uploads. Whoever sweeps has more to do than this.
      if (isNotOffered(error)) return removed;
      throw toStoreError(error, 'sweep unfinished writes');
    }
    return removed;
  }

  async ping(): Promise<void> {
    const { s3, client } = await this.connect();
    try {
      await client.send(new s3.HeadBucketCommand({ Bucket: this.bucket }));
    } catch (error) {
      throw toStoreError(error, 'answer');
    }
  }

  async close(): Promise<void> {
    const connection = await this.connection;
    connection?.client.destroy();
  }

  private connect(): Promise<{ s3: S3Module; client: S3Client }> {
    this.connection ??= this.makeClient();
    return this.connection;
  }

  private async makeClient(): Promise<{ s3: S3Module; client: S3Client }> {
    const s3 = await import('@aws-sdk/client-s3');
    const { endpoint, region = 'us-east-1', accessKeyId, secretAccessKey, forcePathStyle } = this.options;
    const client = new s3.S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint }),
      forcePathStyle: forcePathStyle ?? endpoint !== undefined,
      ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
      // Servers other than Amazon's often refuse the checksum trailers that the client sends by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
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

async function* withStoreErrors(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toStoreError(error, 'read a blob');
  }
}
