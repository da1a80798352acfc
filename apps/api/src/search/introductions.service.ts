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

/** Documents whose introductions are returned, newest first. */
const MAX_DOCUMENTS = 3;
const CHUNKS_PER_DOCUMENT = 2;

/**
 * Returns the first chunks of the newest documents. They answer questions such as "What is it about?", which
 * have no term to search for.
 */
@Injectable()
export class Introductions {
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
    const introductions = await Promise.all(runs.map((run) => this.introductionOf(tenant, run)));
    return introductions.flat();
  }

  private async introductionOf(tenant: TenantScope, run: VisibleRun): Promise<FoundPassage[]> {
    const { organizationId } = tenant;
    const runKey = { organizationId, datasourceId: run.datasourceId, id: run.runId };
    try {
      const chunks = await this.chunks.read(runKey, { after: -1, limit: CHUNKS_PER_DOCUMENT });
      return chunks.map((chunk) => toPassage(chunk, run, organizationId));
    } catch (error) {
      // The run was replaced and purged after it was selected. The other documents are enough.
      if (error instanceof BlobNotFoundError) return [];
      throw error;
    }
  }
}

/** The score is 0, because no search was made. */
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
    terms: [],
  };
}
