import { datasourceErrorOf, IngestionError } from '@citewell/contracts/errors';
import type { DatasourceError } from '@citewell/contracts/schemas';
import type { BatchPayload } from '@citewell/contracts/jobs';
import { RunLifecycleRepository } from '@citewell/database';
import type { ModelSpace } from '@citewell/infrastructure';
import { RetryLaterError, RunBlobs, RunExecutor, type StageWork, toChunkLine } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { JobContext } from '@citewell/queue';
import type { ChangedSentences } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { ChunkThread, type OpenDocument } from '../chunking/chunk-thread.js';
import { PointWriter } from './point-writer.js';

const POSTPONED_MS = 5_000;

interface WrittenDocument {
  readonly characters: number;
  readonly lines: readonly string[];
  readonly warning: DatasourceError | null;
  readonly changed: ChangedSentences | null;
}

/**
 * Handles `index-document` and `embed-document`: chunks each parsed document, writes a point for each chunk, verifies
 * their number, and lets the run start serving. Chunks are processed in batches; only a line of the chunk list is
 * kept in memory for each.
 */
@Injectable()
export class IndexDocumentHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(RunBlobs) private readonly runBlobs: RunBlobs,
    @Inject(ChunkThread) private readonly chunker: ChunkThread,
    @Inject(PointWriter) private readonly points: PointWriter,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  /** @param target the space that the points are written to */
  async handle(batch: BatchPayload, job: JobContext, target: ModelSpace): Promise<void> {
    await this.executor.execute(batch, job, (work) => this.index(work, target), target.space.name);
  }

  /** Gives runs back, because their model cannot be used yet. */
  async postpone(batch: BatchPayload, job: JobContext): Promise<void> {
    await this.executor.execute(batch, job, () =>
      Promise.reject(new RetryLaterError('the embedding model is being prepared', POSTPONED_MS)),
    );
  }

  private async index(work: StageWork, target: ModelSpace): Promise<void> {
    const { run } = work;
    const document = await this.openDocument(work);
    try {
      await this.points.prepare(run, target);
      const { lines, warning } = await this.writePoints(work, document, target);
      if (lines.length === 0) throw new IngestionError('EMPTY_DOCUMENT');
      this.faults.reach('after-write', run.contentName);
      await this.points.verifyCount(run, target, lines.length);
      this.faults.reach('after-count');
      const { characters, changed } = document;
      await this.startServing(work, target, { characters, lines, warning, changed });
      this.faults.reach('after-switch');
    } finally {
      document.close();
    }
  }

  /** Opens the parsed document for chunking. A reindex uses the document of the serving run. */
  private async openDocument(work: StageWork): Promise<OpenDocument> {
    const { run, datasource, serving, signal } = work;
    if (run.trigger === 'reindex' && serving) await this.runBlobs.inherit(serving, run, signal);
    const [text, outline, former] = await Promise.all([
      this.runBlobs.read(run, 'text'),
      this.runBlobs.read(run, 'outline'),
      this.formerText(work),
    ]);
    const { name, customId, config } = datasource;
    const url = typeof config['source_url'] === 'string' ? config['source_url'] : null;
    const names = { name, customId, url };
    return this.chunker.divide({ text, outline }, { names, former, holder: run.organizationId, signal });
  }

  /** The text that the run replaces with another one. Without it, the change is recorded without its sentences. */
  private async formerText({ run, serving }: StageWork): Promise<Buffer | null> {
    if (serving === null || run.trigger === 'reindex' || run.textHash === serving.textHash) return null;
    return this.runBlobs.read(serving, 'text').catch(() => null);
  }

  /** @returns a line of the chunk list for each written point, and a warning if some have no vectors */
  private async writePoints(
    work: StageWork,
    document: OpenDocument,
    target: ModelSpace,
  ): Promise<{ lines: string[]; warning: DatasourceError | null }> {
    const lines: string[] = [];
    let warning: DatasourceError | null = null;
    for await (const { chunks, isPartlyRefused } of this.points.write(work, document, target)) {
      lines.push(...chunks.map(toChunkLine));
      if (isPartlyRefused) warning = datasourceErrorOf('PARTLY_EMBEDDED');
    }
    return { lines, warning };
  }

  /** Stores the chunk list, then makes this run the serving one in a single transaction. */
  private async startServing(
    { run, signal }: StageWork,
    { space, isInterim }: ModelSpace,
    { characters, lines, warning, changed }: WrittenDocument,
  ): Promise<void> {
    const blobs = await this.runBlobs.write(run, { chunks: Buffer.from(lines.join('')) }, { signal });
    const counts = { ...(run.counts ?? { characters, bytes: 0, pages: 0 }), chunks: lines.length };
    await this.lifecycle.serve({ ...run, space: space.name }, counts, {
      blobs,
      warning,
      changed,
      isEmbeddedLater: isInterim,
    });
  }
}
