import type { ChunkItem, ListChunks } from '@citewell/contracts/schemas';
import { DatasourceRepository, isGroup, type RunEntity, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ChunkReader } from '../../answering/search/chunk-reader.service.js';
import { chunkIdOf } from '../../answering/search/passage.mapper.js';
import { toChunkItem } from './datasource.mapper.js';
import { readServing } from './read-serving.js';

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
