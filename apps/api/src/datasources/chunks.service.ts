import { BlobNotFoundError } from '@citewell/blob-store';
import type { ChunkItem, ListChunks } from '@citewell/contracts/http';
import { DatasourceRepository, type RunEntity, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { found } from '../http/api-error.js';
import { ChunkReader } from '../search/chunk-reader.service.js';
import { chunkIdOf } from '../search/passage.mapper.js';
import { toChunkItem } from './datasource.mapper.js';

/** The chunks of a datasource, as its serving run made them. */
@Injectable()
export class ChunksService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(ChunkReader) private readonly reader: ChunkReader,
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
    const chunks = await this.reader.read(run, { after: cursor, limit });
    return chunks.map((chunk) => toChunkItem(chunk, chunkIdOf(run.datasourceId, chunk.contentHash)));
  }
}
