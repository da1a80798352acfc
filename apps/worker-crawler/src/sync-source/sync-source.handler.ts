import { IngestionError } from '@citewell/contracts/errors';
import type { BatchPayload } from '@citewell/contracts/jobs';
import { sourceConfigSchema } from '@citewell/contracts/schemas';
import {
  GroupRunRepository,
  type ListedPage,
  type SourceSyncEntity,
  SourceSyncRepository,
  type StageProgress,
} from '@citewell/database';
import { SecretError, SourceConnections } from '@citewell/infrastructure';
import { RetryLaterError, RunExecutor, type StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { JobContext } from '@citewell/queue';
import { type InventoryPage, openSource, PathFilter, type Source, SourceError } from '@citewell/sources';
import { isUnlikely } from '@citewell/sources/removal-check';
import { Inject, Injectable } from '@nestjs/common';
import { DocumentFetcher } from './document-fetcher.js';

/** After this time, other sources and sites have their turn. */
const TIME_SLICE_MS = 60_000;
/** Documents that are fetched before they are recorded. A kill repeats their requests. */
const BATCH_DOCUMENTS = 32;
/** Bytes of an id or a path that the database can index. */
const MAX_PATH_BYTES = 2_000;
/** How long to wait for a source that asks to wait and does not say how long. */
const DEFAULT_WAIT_MS = 60_000;

/** A sync in progress. */
interface Sync {
  readonly work: StageWork;
  readonly source: Source;
  readonly filter: PathFilter;
  readonly sliceEndsAt: number;
}

/**
 * Syncs a source, one time slice after the other: list everything, fetch what is new or changed, hide what is gone. What
 * was done is in the database, so any crawler can go on where the last one stopped.
 */
@Injectable()
export class SyncSourceHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(SourceSyncRepository) private readonly syncs: SourceSyncRepository,
    @Inject(GroupRunRepository) private readonly groupRuns: GroupRunRepository,
    @Inject(DocumentFetcher) private readonly fetcher: DocumentFetcher,
    @Inject(SourceConnections) private readonly connections: Pick<SourceConnections, 'contextOf'>,
    @Inject(FaultPoints) private readonly faults: Pick<FaultPoints, 'reach'>,
  ) {}

  async handle(batch: BatchPayload, job: JobContext): Promise<void> {
    await this.executor.execute(batch, job, (work) => this.sync(work));
  }

  private async sync(work: StageWork): Promise<void> {
    const begun = await this.syncs.begin(work.run, work.datasource.config);
    const config = sourceConfigSchema.parse(begun.config);
    try {
      const source = await openSource(config, await this.connections.contextOf(work.datasource, config));
      try {
        const sliceEndsAt = performance.now() + TIME_SLICE_MS;
        const sync = { work, source, filter: new PathFilter(config), sliceEndsAt };
        const listed = await this.list(sync, begun);
        const fetched = listed && (await this.fetch(sync, listed));
        if (fetched) await this.finish(sync, fetched);
      } finally {
        await source.close();
      }
    } catch (error) {
      if (error instanceof SecretError)
        throw new IngestionError('SOURCE_DENIED', { cause: error, detail: error.message });
      throw error instanceof SourceError ? failureOf(error) : error;
    }
  }

  /** @returns null when the time slice is over */
  private async list(sync: Sync, begun: SourceSyncEntity): Promise<SourceSyncEntity | null> {
    if (begun.listedAt !== null) return begun;
    const { work, source, filter } = sync;
    let now = begun;
    for await (const page of source.inventory(begun.cursor, work.signal)) {
      now = await this.syncs.recordPage(work.run, toListedPage(page, filter));
      work.report(progressOf(now));
      this.faults.reach('after-source-page');
      if (now.listedAt !== null) return now;
      if (await this.isSliceOver(sync, now)) return null;
    }
    throw new SourceError('unavailable', 'The source stopped in the middle of its list of documents.');
  }

  /** @returns null when the time slice is over */
  private async fetch(sync: Sync, listed: SourceSyncEntity): Promise<SourceSyncEntity | null> {
    const { work, source } = sync;
    for (let now = listed; ;) {
      const due = await this.syncs.due(work.run, BATCH_DOCUMENTS);
      if (due.length === 0) return now;
      const { outcomes, failure } = await this.fetcher.fetch(source, work.run, due, work.signal);
      this.faults.reach('after-source-fetch');
      const recorded = await this.syncs.recordFetched(work.run, outcomes);
      await this.fetcher.discard(recorded.unused);
      if (failure !== null) throw failure;
      now = recorded.sync;
      work.report(progressOf(now));
      if (await this.isSliceOver(sync, now)) return null;
    }
  }

  private async isSliceOver({ work, sliceEndsAt }: Sync, now: SourceSyncEntity): Promise<boolean> {
    if (performance.now() < sliceEndsAt) return false;
    await this.groupRuns.endTimeSlice(work.run, progressOf(now), null);
    return true;
  }

  private async finish({ work: { run }, source }: Sync, sync: SourceSyncEntity): Promise<void> {
    const unlisted = await this.syncs.missing(run);
    const leftOut = unlisted.filter(({ isLeftOut }) => isLeftOut);
    const missing = source.listsRecentOnly === true ? leftOut : unlisted;
    const gone = missing.length - leftOut.length;
    const total = (await this.syncs.visible(run)) - leftOut.length;
    const isTripped = !run.removeMissing && isUnlikely(gone, total);
    const hidden = isTripped ? leftOut : missing;
    if (isTripped) await this.syncs.withholdUnlisted(run);
    const warnings = [
      isTripped ? safetyCheckSentence(gone, total) : null,
      skippedSentence(await this.syncs.reasons(run)),
    ].filter((sentence) => sentence !== null);
    this.faults.reach('before-source-finish');
    await this.syncs.finish(
      run,
      hidden.map(({ datasourceId }) => datasourceId),
      {
        // A person who syncs by hand may have removed the cause. A schedule would repeat it for ever.
        repeatsFailed: run.trigger === 'sync',
        warning: warnings.join(' ') || null,
        progress: progressOf(sync),
      },
    );
  }
}

/** A page as the database has it: documents of the same id once, and what the database cannot hold as not available. */
function toListedPage(
  { documents, skipped, groups = [], cursor }: InventoryPage,
  filter: PathFilter,
): ListedPage {
  const tooLong = documents.filter((document) => isTooLong(document));
  const listed = documents
    .filter((document) => !isTooLong(document))
    .map(({ id, url = null, ...document }) => ({
      ...document,
      documentId: id,
      url,
      isWanted: filter.isWanted(document.path),
    }));
  const unavailable = [
    ...skipped.map(({ id, isFolder = false, isRestricted = false, ...rest }) => ({
      ...rest,
      documentId: id,
      isFolder,
      isRestricted,
    })),
    ...tooLong.map(({ id, path, access }) => ({
      documentId: id,
      path,
      reason: 'Its path is too long.',
      isFolder: false,
      isRestricted: access !== 'library',
    })),
  ].map((one) => ({ ...one, documentId: shortened(one.documentId), path: shortened(one.path) }));
  const byId = <Item extends { documentId: string }>(items: readonly Item[]): Item[] => [
    ...new Map(items.map((item) => [item.documentId, item])).values(),
  ];
  const wanted = unavailable.filter(({ path, isFolder }) =>
    isFolder ? filter.mayContain(path) : filter.isWanted(path),
  );
  return { documents: byId(listed), unavailable: byId(wanted), groups, cursor };
}

function isTooLong({ id, path }: { readonly id: string; readonly path: string }): boolean {
  return shortened(id) !== id || shortened(path) !== path;
}

/** The beginning of a text that is too long for the database, without half a character. */
function shortened(text: string): string {
  const stored = text.replaceAll('\0', '\u{FFFD}').toWellFormed();
  const bytes = Buffer.from(stored);
  return bytes.length <= MAX_PATH_BYTES ? stored : bytes.toString('utf8', 0, MAX_PATH_BYTES);
}

/** The total is unknown until everything is listed. */
function progressOf({ found, processed, failed, listedAt }: SourceSyncEntity): StageProgress {
  return { done: processed, total: listedAt === null ? 0 : found, failed, pages: found };
}

function failureOf(error: SourceError): Error {
  const { kind, message, options } = error;
  if (kind === 'limited') return new RetryLaterError(message, options.retryAfterMs ?? DEFAULT_WAIT_MS);
  const code = kind === 'denied' ? 'SOURCE_DENIED' : 'SOURCE_UNAVAILABLE';
  return new IngestionError(code, { cause: error, detail: message });
}

function safetyCheckSentence(missing: number, total: number): string {
  const [verb, pronoun] = missing === 1 ? ['was', 'It keeps'] : ['were', 'They keep'];
  return `${missing} of ${total} documents ${verb} not listed. ${pronoun} answering. If the source has really shrunk, sync it with removeMissing.`;
}

/** Names what is not in the library although the source lists it; null for nothing. */
function skippedSentence(reasons: Awaited<ReturnType<SourceSyncRepository['reasons']>>): string | null {
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const parts = reasons.map((one) => {
    if (one.reason === null) return `${one.count} (for their readers only)`;
    return `${one.count > 1 ? `${one.count}, such as ` : ''}${one.path} (${one.reason})`;
  });
  return `${total === 1 ? '1 document was' : `${total} documents were`} skipped: ${parts.join('; ')}.`;
}
