import { BlobNotFoundError } from '@citewell/blob-store';
import type { ChunkItem, ListChunks } from '@citewell/contracts/http';
import { DatasourceRepository, type RunEntity, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { found } from '../http/api-error.js';
import { ChunkReader } from '../search/chunk-reader.service.js';
import { chunkIdOf } from '../search/passage.mapper.js';
import { toChunkItem } from './datasource.mapper.js';

/** Lists the chunks of a datasource's serving run. */
@Injectable()
export class ChunksService {
  constructor(
    @Inject(DatasourceRepository) private readonly datasources: DatasourceRepository,
    @Inject(ChunkReader) private readonly reader: ChunkReader,
  ) {}

  /** Chunks in text order; empty while the datasource has no serving run. */
  async list(tenant: TenantScope, datasourceId: string, page: ListChunks): Promise<ChunkItem[]> {
    const serving = await this.servingRun(tenant, datasourceId);
    if (!serving) return [];
    try {
      return await this.read(serving, page);
    } catch (error) {
      if (!(error instanceof BlobNotFoundError)) throw error;
      // Another run may have started serving, and the blobs of its predecessor may be purged.
      const successor = await this.servingRun(tenant, datasourceId);
      if (successor === null || successor.id === serving.id) throw error;
      return this.read(successor, page);
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
