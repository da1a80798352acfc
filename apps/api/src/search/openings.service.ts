import { BlobNotFoundError } from '@citewell/blob-store';
import type { DatastoreQuery } from '@citewell/contracts/http';
import {
  type DatastoreEntity,
  PassageRepository,
  type TenantScope,
  type VisibleRun,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ChunkReader, type ReadChunk } from './chunk-reader.service.js';
import { type FoundPassage, Retriever } from './retriever.service.js';

/** Documents that an answer about the whole stands on, newest first. */
const MAX_DOCUMENTS = 3;
const CHUNKS_PER_DOCUMENT = 2;

/**
 * The beginnings of the newest documents. "What is it about?" has no term that could be searched for; what a
 * document says of itself stands at its beginning.
 */
@Injectable()
export class Openings {
  constructor(
    @Inject(PassageRepository) private readonly passages: PassageRepository,
    @Inject(Retriever) private readonly retriever: Retriever,
    @Inject(ChunkReader) private readonly chunks: ChunkReader,
  ) {}

  async find(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    filters: DatastoreQuery['filters'],
  ): Promise<FoundPassage[]> {
    const datastoreIds = datastores.map((datastore) => datastore.id);
    const datasourceIds = await this.retriever.resolveFilters(tenant, datastoreIds, filters);
    const runs = await this.passages.newest(tenant, datastoreIds, datasourceIds, MAX_DOCUMENTS);
    const openings = await Promise.all(runs.map((run) => this.openingOf(tenant, run)));
    return openings.flat();
  }

  private async openingOf(tenant: TenantScope, run: VisibleRun): Promise<FoundPassage[]> {
    const { organizationId } = tenant;
    const where = { organizationId, datasourceId: run.datasourceId, id: run.runId };
    try {
      const chunks = await this.chunks.read(where, { after: -1, limit: CHUNKS_PER_DOCUMENT });
      return chunks.map((chunk) => toPassage(chunk, run, organizationId));
    } catch (error) {
      // Replaced at this very moment: the others are enough.
      if (error instanceof BlobNotFoundError) return [];
      throw error;
    }
  }
}

/** Nothing was searched for, so nothing was scored. */
function toPassage(chunk: ReadChunk, run: VisibleRun, organizationId: string): FoundPassage {
  return {
    ...chunk,
    run,
    id: `${run.runId}/${chunk.ordinal}`,
    organizationId,
    datastoreId: run.datastoreId,
    datasourceId: run.datasourceId,
    groupId: null,
    runId: run.runId,
    header: chunk.headingPath.join(' › '),
    page: chunk.page ?? null,
    anchor: null,
    score: 0,
    scoring: 'lexical',
    legs: {},
  };
}
