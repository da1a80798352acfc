import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { BlobNotFoundError, type BlobStore } from '@citewell/blob-store';
import type { ChunkItem, DocumentPage, ListChunks, TextQuery } from '@citewell/contracts/schemas';
import {
  type DatasourceEntity,
  DatasourceRepository,
  type DatasourceView,
  isGroup,
  runBlobKey,
  type RunEntity,
  type TenantScope,
} from '@citewell/database';
import { decodePageWords, findPageWords, INDEX_LENGTH_BYTES } from '@citewell/documents/page-words';
import { BLOB_STORE } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ChunkReader } from '../../answering/search/chunk-reader.service.js';
import { chunkIdOf } from '../../answering/search/passage.mapper.js';
import { ApiError, found, invalid } from '../../http/api-error.js';
import { toChunkItem } from './datasource.mapper.js';

/** A character of the canonical text is two bytes in its blob (UTF-16LE). */
const BYTES_PER_CHARACTER = 2;

/** Reads the canonical text and the original file of a datasource. */
@Injectable()
export class DatasourceContentService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
  ) {}

  /**
   * A slice of the canonical text of the serving revision, as a stream of the JSON of a `DatasourceText`. Offsets are
   * UTF-16 code units.
   */
  async text(tenant: TenantScope, id: string, query: TextQuery): Promise<Readable> {
    return readServing(this.datasources, { tenant, id }, (view) => this.openText(view, query));
  }

  /** The original bytes, as they were uploaded or fetched. */
  async file(tenant: TenantScope, id: string): Promise<{ stream: Readable; name: string; mimeType: string }> {
    return readServing(this.datasources, { tenant, id }, async ({ datasource, serving }) => {
      const key = datasource.contentKey ?? serving?.contentKey;
      if (!key) throw new ApiError('NOT_FOUND', 'The datasource has no file.');
      const mimeType = datasource.mimeType ?? serving?.contentType ?? 'application/octet-stream';
      return { stream: await this.blobStore.open(key), name: fileNameOf(datasource, mimeType), mimeType };
    });
  }

  /** The words that OCR has found on a page of the serving revision. @param page from 1 */
  async page(tenant: TenantScope, id: string, page: number): Promise<DocumentPage> {
    return readServing(this.datasources, { tenant, id }, async ({ serving }) => {
      const ranges = serving?.counts?.pageContents ?? [];
      const range = ranges.find(({ from, to }) => page >= from && page <= to);
      if (serving === null || !(Number.isInteger(page) && page >= 1 && page <= (serving.counts?.pages ?? 0)))
        throw new ApiError('NOT_FOUND', 'The document has no such page.');
      const content = range?.content ?? 'text';
      const hasWords = ranges.some((other) => other.content === 'recognized');
      const words = hasWords ? await this.readWords(runBlobKey(serving, 'words'), page) : null;
      return { page, content, ...(words ?? { words: [], unreadable: [] }) };
    });
  }

  private async readWords(key: string, page: number): Promise<ReturnType<typeof decodePageWords> | null> {
    const length = (await this.blobStore.read(key, { start: 0, end: INDEX_LENGTH_BYTES })).readUInt32LE();
    const index = { start: INDEX_LENGTH_BYTES, end: INDEX_LENGTH_BYTES + length };
    const range = findPageWords(await this.blobStore.read(key, index), page);
    return range === null ? null : decodePageWords(await this.blobStore.read(key, range));
  }

  private async openText(view: DatasourceView, query: TextQuery): Promise<Readable> {
    const { serving, revision } = servingRevision(view, query.revision);
    const length = serving.characters;
    const start = Math.min(query.start ?? 0, length);
    const end = Math.min(query.end ?? length, length);
    if (end < start) throw invalid('end', 'must not be less than start');
    const slice = await this.blobStore.open(runBlobKey(serving, 'text'), {
      start: start * BYTES_PER_CHARACTER,
      end: end * BYTES_PER_CHARACTER,
    });
    const json = Readable.from(textJson({ revision, length }, slice), { objectMode: false });
    // The client may disconnect before anything is read.
    return json.once('close', () => slice.destroy());
  }
}

/** Lists the chunks of a datasource's serving run. */
@Injectable()
export class ChunksService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(ChunkReader) private readonly reader: ChunkReader,
  ) {}

  /** Chunks in text order; empty for a group, and while the datasource has no serving run. */
  async list(tenant: TenantScope, datasourceId: string, page: ListChunks): Promise<ChunkItem[]> {
    return readServing(this.datasources, { tenant, id: datasourceId }, async (view) =>
      view.serving === null || isGroup(view) ? [] : this.read(view.serving, page),
    );
  }

  private async read(run: RunEntity, { cursor = -1, limit }: ListChunks): Promise<ChunkItem[]> {
    const chunks = await this.reader.read(run, { after: cursor, limit });
    return chunks.map((chunk) => toChunkItem(chunk, chunkIdOf(run.datasourceId, chunk.contentHash)));
  }
}

/**
 * The serving run, if it has the revision that is asked for.
 *
 * @param revision default: the serving one
 * @throws ApiError `NOT_FOUND`, `GONE`
 */
export function servingRevision(
  view: DatasourceView,
  revision?: number,
): { serving: RunEntity; revision: number } {
  const { serving } = view;
  if (isGroup(view))
    throw new ApiError(
      'NOT_FOUND',
      'A web site or an archive has no text. Read the text of its pages or files instead.',
    );
  if (!serving?.revision) throw new ApiError('NOT_FOUND', 'The datasource has no text yet.');
  const asked = revision ?? serving.revision;
  if (asked > serving.revision) throw new ApiError('NOT_FOUND', 'There is no such revision.');
  if (asked < serving.revision) throw new ApiError('GONE', 'That revision is no longer kept.');
  return { serving, revision: asked };
}

/**
 * The JSON of a `DatasourceText`, in pieces. A long text is then neither held in memory nor escaped at once, which
 * would block the event loop.
 *
 * @param text UTF-16LE, in chunks of any size
 */
export async function* textJson(
  { revision, length }: { readonly revision: number; readonly length: number },
  text: AsyncIterable<Buffer>,
): AsyncGenerator<string> {
  yield `{"revision":${revision},"length":${length},"text":"`;
  const decoder = new StringDecoder('utf16le');
  for await (const chunk of text) yield escaped(decoder.write(chunk));
  yield `${escaped(decoder.end())}"}`;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Reads the content of a datasource. If its blobs are missing, another run may have started serving, and the blobs of
 * its predecessor may be purged: then the content is read once more.
 *
 * @throws ApiError `NOT_FOUND`, BlobNotFoundError, what `read` throws
 */
export async function readServing<Result>(
  datasources: Pick<DatasourceRepository, 'find'>,
  { tenant, id }: { readonly tenant: TenantScope; readonly id: string },
  read: (view: DatasourceView) => Promise<Result>,
): Promise<Result> {
  const view = async (): Promise<DatasourceView> => found(await datasources.find(tenant, id), 'datasource');
  const first = await view();
  try {
    return await read(first);
  } catch (error) {
    if (!(error instanceof BlobNotFoundError)) throw error;
    return read(await view());
  }
}

/** The extensions of the documents that exports of other programs name by their titles. */
const TITLED: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
};

function fileNameOf({ name, customId, metadata }: DatasourceEntity, mimeType: string): string {
  const extension = TITLED[mimeType] ?? '';
  const isTitled = typeof metadata?.['path'] === 'string' && customId?.endsWith(name) === false;
  return isTitled && !name.endsWith(extension) ? `${name}${extension}` : name;
}
