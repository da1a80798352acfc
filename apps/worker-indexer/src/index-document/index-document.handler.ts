import { IngestionError } from '@citewell/contracts/errors';
import type { RunPayload } from '@citewell/contracts/jobs';
import { type AlongLimits, type RunEntity, RunLifecycleRepository } from '@citewell/database';
import { SPACE, VECTOR_STORE } from '@citewell/infrastructure';
import { RunBlobs, RunExecutor, type StageWork, toChunkLine } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { JobContext } from '@citewell/queue';
import { type Space, type VectorStore, VectorStoreUnavailableError } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { ChunkThread, type OpenDocument } from '../chunking/chunk-thread.js';
import { ChunkVectorizer } from './chunk-vectorizer.js';
import { toPoint } from './chunk-point.js';

/** Of a web site, beside the one that was delivered: together they are about as much work as one document is. */
const PAGES_ALONG: AlongLimits = { runs: 8, characters: 64_000 };

/**
 * A document becomes chunks, chunks become points; they are counted back from the store, and then, in one
 * transaction, the run comes to serve. Chunks are made as they are written: of those that are, memory holds a line each.
 */
@Injectable()
export class IndexDocumentHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(RunBlobs) private readonly runBlobs: RunBlobs,
    @Inject(VECTOR_STORE) private readonly vectorStore: VectorStore,
    @Inject(SPACE) private readonly space: Space,
    @Inject(ChunkThread) private readonly chunker: ChunkThread,
    @Inject(ChunkVectorizer) private readonly vectorizer: ChunkVectorizer,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  async handle(payload: RunPayload, job: JobContext): Promise<void> {
    await this.executor.execute(payload, job, (work) => this.indexOrSayWhy(work), {
      space: this.space.name,
      siblings: PAGES_ALONG,
    });
  }

  private async indexOrSayWhy(work: StageWork): Promise<void> {
    try {
      await this.index(work);
    } catch (error) {
      if (!(error instanceof VectorStoreUnavailableError)) throw error;
      throw new IngestionError('DEPENDENCY_UNAVAILABLE', { cause: error });
    }
  }

  private async index(work: StageWork): Promise<void> {
    const { run } = work;
    if (run.trigger === 'reindex') await this.inheritDocument(work);
    const [text, outline] = await Promise.all([
      this.runBlobs.read(run, 'text'),
      this.runBlobs.read(run, 'outline'),
    ]);
    const document = await this.chunker.divide({ text, outline });
    try {
      await this.beginWriting(run);
      await this.settle(work, document.characters, await this.write(work, document));
    } finally {
      document.close();
    }
  }

  /** Counts what was written, keeps the list of it, and lets it serve. */
  private async settle(
    { run, signal }: StageWork,
    characters: number,
    lines: readonly string[],
  ): Promise<void> {
    const written = lines.length;
    if (written === 0) throw new IngestionError('EMPTY_DOCUMENT');
    this.faults.reach('after-write');

    const counted = await this.vectorStore.count(this.space, {
      organizationId: run.organizationId,
      runId: run.id,
    });
    if (counted !== written) {
      // Perhaps what an attempt of another release left, which divided the text otherwise: the next one starts afresh.
      await this.vectorStore.deleteRun({ organizationId: run.organizationId, runId: run.id });
      throw new IngestionError('DEPENDENCY_UNAVAILABLE', {
        message: `${written} points were written, ${counted} are there`,
      });
    }
    this.faults.reach('after-count');
    const list = await this.runBlobs.write(run, { chunks: Buffer.from(lines.join('')) }, { signal });

    const counts = run.counts ?? { characters, bytes: 0, pages: 0 };
    await this.lifecycle.serve({ ...run, space: this.space.name }, { ...counts, chunks: counted }, list);
    this.faults.reach('after-switch');
  }

  /** A run that only indexes anew goes on from the document of the run that serves. */
  private async inheritDocument({ run, serving, signal }: StageWork): Promise<void> {
    if (serving) await this.runBlobs.inherit(serving, run, signal);
  }

  /**
   * The row has said where points will be since the run was taken. What a broken attempt left in this space stays: it
   * has the same ids, and its vectors are paid for.
   */
  private async beginWriting(run: RunEntity): Promise<void> {
    await this.vectorStore.ensureSpace(this.space);
    if (run.space === this.space.name) return;
    await this.vectorStore.deleteRun({ organizationId: run.organizationId, runId: run.id });
    await this.lifecycle.writingTo(run, this.space.name);
  }

  /** @returns a line of the list of chunks for each that was written */
  private async write(
    { run, datasource, serving, wasWriting, signal, report }: StageWork,
    document: OpenDocument,
  ): Promise<string[]> {
    // Runs whose vectors are comparable: the one that serves, and this one's broken attempts.
    const embedded = [wasWriting ? run : null, serving]
      .filter((one) => one !== null)
      .filter((one) => one.space === this.space.name);
    const lines: string[] = [];
    let previous: Promise<void> = Promise.resolve();
    for await (const chunks of document.batches()) {
      signal.throwIfAborted();
      const vectors = await this.vectorizer.vectorsOf(chunks, embedded, signal);
      const points = chunks.map((chunk, index) => toPoint(chunk, vectors[index] ?? null, run, datasource));
      // The store works on one batch while the next is made.
      await previous;
      previous = this.vectorStore.upsert(this.space, points);
      previous.catch(() => undefined);
      for (const chunk of chunks) lines.push(toChunkLine(chunk));
      report({ done: chunks.at(-1)?.end ?? 0, total: document.characters });
    }
    await previous;
    return lines;
  }
}
