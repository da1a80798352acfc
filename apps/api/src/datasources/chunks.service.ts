import { type BlobStore, BlobNotFoundError } from '@citewell/blob-store';
import type { ChunkItem, ListChunks } from '@citewell/contracts/http';
import { DatasourceRepository, runBlobKey, type RunEntity, type TenantScope } from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { readChunkList } from '@citewell/ingestion';
import { Inject, Injectable } from '@nestjs/common';
import { found } from '../http/api-error.js';
import { chunkIdOf } from '../search/passage.mapper.js';
import { toChunkItem } from './datasource.mapper.js';

/** A character of the canonical text is two bytes in its blob (UTF-16LE). */
const BYTES_PER_CHARACTER = 2;

/** The chunks of a datasource, as its serving run made them. */
@Injectable()
export class ChunksService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
  ) {}

  /** In the order of the text; none while nothing serves yet. */
  async list(tenant: TenantScope, datasourceId: string, page: ListChunks): Promise<ChunkItem[]> {
    const serving = await this.servingRun(tenant, datasourceId);
    if (!serving) return [];
    try {
      return await this.read(serving, page);
    } catch (error) {
      // Another run may have come to serve meanwhile, and taken the blobs of this one with it.
      const now = error instanceof BlobNotFoundError ? await this.servingRun(tenant, datasourceId) : serving;
      if (now === null || now.id === serving.id) throw error;
      return this.read(now, page);
    }
  }

  private async servingRun(tenant: TenantScope, datasourceId: string): Promise<RunEntity | null> {
    return found(await this.datasources.find(tenant, datasourceId), 'datasource').serving;
  }

  private async read(run: RunEntity, { cursor = -1, limit }: ListChunks): Promise<ChunkItem[]> {
    const list = await this.blobStore.open(runBlobKey(run, 'chunks'));
    const chunks = await readChunkList(list, cursor, limit);
    const [first] = chunks;
    if (!first) return [];
    // Chunks follow each other in the text, so that a page of them is one slice of it.
    const from = first.start;
    const to = chunks.at(-1)?.end ?? from;
    const slice = await this.blobStore.read(runBlobKey(run, 'text'), {
      start: from * BYTES_PER_CHARACTER,
      end: to * BYTES_PER_CHARACTER,
    });
    const text = slice.toString('utf16le');
    return chunks.map((chunk) =>
      toChunkItem(
        { ...chunk, text: text.slice(chunk.start - from, chunk.end - from) },
        chunkIdOf(run.datasourceId, chunk.contentHash),
      ),
    );
  }
}
