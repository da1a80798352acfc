import { BlobNotFoundError } from '@citewell/blob-store';
import type { DatastoreQuery } from '@citewell/contracts/schemas';
import {
  type DatastoreEntity,
  PassageRepository,
  type TenantScope,
  type VisibleRun,
} from '@citewell/database';
import { documentsMeant, type WholeDocumentQuestion } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { ChunkReader, type ReadChunk } from './chunk-reader.service.js';
import { type FoundPassage, Retriever } from './retriever.service.js';

/** Documents whose introductions are returned, newest first. */
const MAX_DOCUMENTS = 3;
/** Chunks of all documents together. */
const MAX_CHUNKS = 6;
/** Documents whose names are compared with a question: those that were synched last. */
const MAX_NAMED = 1_000;

/**
 * Returns the first chunks of the documents that a question names, or of the newest ones. They answer questions such as
 * "What is it about?" and "Summarize the report", which have no term to search for.
 */
@Injectable()
export class Introductions {
  constructor(
    @Inject(PassageRepository) private readonly passages: PassageRepository,
    @Inject(Retriever) private readonly retriever: Retriever,
    @Inject(ChunkReader) private readonly chunks: ChunkReader,
  ) {}

  /** @returns null if the question has words that are in the names of no document: it is not about whole documents */
  async find(
    tenant: TenantScope,
    datastores: readonly DatastoreEntity[],
    filters: DatastoreQuery['filters'],
    question: WholeDocumentQuestion,
  ): Promise<FoundPassage[] | null> {
    const datastoreIds = datastores.map((datastore) => datastore.id);
    const datasourceIds = await this.retriever.resolveFilters(tenant, datastoreIds, filters);
    const isNamed = question.names.length + question.kinds.length > 0;
    const limit = isNamed ? MAX_NAMED : MAX_DOCUMENTS;
    const newest = await this.passages.newest(tenant, datastoreIds, datasourceIds, limit);
    const documents = newest.map((run) => ({
      name: run.datasourceName,
      customId: run.customId,
      url: run.sourceUrl,
      run,
    }));
    const meant = documentsMeant(question, documents);
    if (meant === null) return null;
    const runs = meant.slice(0, MAX_DOCUMENTS).map(({ run }) => run);
    const chunksEach = Math.floor(MAX_CHUNKS / Math.max(1, runs.length));
    const introductions = await Promise.all(runs.map((run) => this.introductionOf(tenant, run, chunksEach)));
    return introductions.flat();
  }

  private async introductionOf(tenant: TenantScope, run: VisibleRun, limit: number): Promise<FoundPassage[]> {
    const { organizationId } = tenant;
    const runKey = { organizationId, datasourceId: run.datasourceId, id: run.runId };
    try {
      const chunks = await this.chunks.read(runKey, { after: -1, limit });
      return chunks.map((chunk) => toPassage(chunk, run, organizationId));
    } catch (error) {
      // The run was replaced and purged after it was selected. The other documents are enough.
      if (error instanceof BlobNotFoundError) return [];
      throw error;
    }
  }
}

/** A chunk as a passage. The score is 0, because no search was made. */
export function toPassage(chunk: ReadChunk, run: VisibleRun, organizationId: string): FoundPassage {
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
    confidence: chunk.confidence ?? null,
    anchor: null,
    score: 0,
    scoring: 'lexical',
    legs: {},
    terms: [],
  };
}
