import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { GetObjectCommandOutput, ListMultipartUploadsCommandOutput, S3Client } from '@aws-sdk/client-s3';
import { assertBlobKey, assertBlobPrefix, assertSize, resolveRange } from './blob-check.js';
import type {
  BlobEntry,
  BlobSource,
  BlobStore,
  ByteRange,
  PutOptions,
  PutResult,
} from './blob-store.port.js';
import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
} from './blob-store.errors.js';
import { MeteredSource } from './metered-source.js';

const STORE_ERRORS = [
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
];

/** Error names of MinIO, Ceph and Garage for a full disk or an exceeded quota. */
const FULL_STORE_ERROR_NAMES = new Set([
  'XMinioStorageFull',
  'InsufficientStorage',
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
]);

const HTTP_INSUFFICIENT_STORAGE = 507;
const HTTP_NOT_IMPLEMENTED = 501;

/** A large request may be on its way for long after the system has taken it: at this rate, if the network is slow. */
const MIN_UPLOAD_BYTES_PER_SECOND = 64 * 1024;

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

/**
 * Agents whose connections are closed when the server is silent for too long, also in the middle of a response: the
 * network may have lost them, which the client does not notice. A connection that waits for the reader of a response is
 * left alone.
 *
 * @param silenceLimitMs in all, during a request. Its bytes, at 64 KiB a second, are added
 */
function watchedAgents(silenceLimitMs: number): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = { keepAlive: true, maxSockets: 50, timeout: silenceLimitMs };
  return {
    httpAgent: watchAgent(new HttpAgent(options), silenceLimitMs),
    httpsAgent: watchAgent(new HttpsAgent(options), silenceLimitMs),
  };
}

function watchAgent<Agent extends HttpAgent>(agent: Agent, silenceLimitMs: number): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const connection = connect(...args);
    if (isSocket(connection)) watchSocket(connection, silenceLimitMs);
    return connection;
  };
  return agent;
}

function watchSocket(socket: Socket, silenceLimitMs: number): void {
  let answeredBytes = 0;
  let silentMs = 0;
  socket.on('free', () => {
    answeredBytes = socket.bytesWritten;
    silentMs = 0;
  });
  socket.on('timeout', () => {
    if (!socket.isPaused()) silentMs += silenceLimitMs;
    const sendingMs = ((socket.bytesWritten - answeredBytes) / MIN_UPLOAD_BYTES_PER_SECOND) * 1_000;
    // The time is over once; it begins again.
    if (socket.isPaused() || silentMs <= sendingMs) socket.setTimeout(silenceLimitMs);
    else socket.destroy(Object.assign(new Error('The server does not answer'), { code: 'ETIMEDOUT' }));
  });
}

function isSocket(connection: Duplex | null | undefined): connection is Socket {
  return connection !== null && connection !== undefined && 'setTimeout' in connection;
}

/**
 * Reads the name and the HTTP status of an error. The error classes cannot be used, because the module of the
 * client is imported lazily.
 */
function readS3Error(error: unknown): { name: string; status: number | undefined } {
  if (!(error instanceof Error)) return { name: '', status: undefined };
  const metadata = '$metadata' in error ? error.$metadata : undefined;
  const status =
    typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
      ? metadata.httpStatusCode
      : undefined;
  return { name: error.name, status: typeof status === 'number' ? status : undefined };
}

/** Whether the object does not exist. A missing bucket is a failure of the store instead. */
function isNotFound(error: unknown): boolean {
  const { name, status } = readS3Error(error);
  return name !== 'NoSuchBucket' && (name === 'NoSuchKey' || name === 'NotFound' || status === 404);
}

/** Whether a range starts at or after the end of the object. */
function isRangeBeyondEnd(error: unknown): boolean {
  const { name, status } = readS3Error(error);
  return name === 'InvalidRange' || status === 416;
}

/** Whether the server does not implement the request. */
function isNotImplemented(error: unknown): boolean {
  const { name, status } = readS3Error(error);
  return name === 'NotImplemented' || status === HTTP_NOT_IMPLEMENTED;
}

/** Maps errors of the S3 client to those of the store. */
export function toStoreError(error: unknown, operation: string): unknown {
  if (STORE_ERRORS.some((errorClass) => error instanceof errorClass)) return error;
  const { name, status } = readS3Error(error);
  if (FULL_STORE_ERROR_NAMES.has(name) || status === HTTP_INSUFFICIENT_STORAGE)
    return new BlobStoreFullError({ cause: error });
  return new BlobStoreUnavailableError(operation, { cause: error });
}
