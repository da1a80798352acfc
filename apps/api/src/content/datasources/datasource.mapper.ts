import type {
  ChunkItem,
  Datasource,
  DatasourceStats,
  Progress,
  RunItem,
  Stage,
} from '@citewell/contracts/schemas';
import type { DatasourceView, RunEntity } from '@citewell/database';
import { recognitionOf } from '../../answering/search/passage.mapper.js';

/** The percentages of progress that each stage covers: its rough share of a run's duration. */
const STAGE_PERCENT: Readonly<Record<Stage, readonly [from: number, to: number]>> = {
  listing: [0, 100],
  discovering: [0, 100],
  fetching: [0, 10],
  parsing: [10, 60],
  indexing: [60, 100],
  embedding: [0, 100],
};

/** The progress of a group that counts its pages or files covers all their stages. */
const WHOLE_GROUP = [0, 100] as const;

/** The wire format of a datasource. */
export function toDatasource({
  datasource,
  sha256,
  serving,
  current,
  reindex,
  pagesReindexing,
  pagesUnderWay,
  dueStage,
}: DatasourceView): Datasource {
  const { createdAt, updatedAt, lastSynch } = datasource;
  // A due run counts as started: a client that polls for its end must not see the end of the previous run.
  const due = dueStage === null ? null : initialProgress(dueStage);
  return {
    id: datasource.id,
    type: datasource.type,
    name: datasource.name,
    title: serving?.counts?.title ?? null,
    status: due ? 'unsynched' : datasource.status,
    groupId: datasource.groupId,
    createdAt: toDate(createdAt),
    updatedAt: toDate(updatedAt),
    lastSynch: lastSynch ? toDate(lastSynch) : null,
    config: datasource.config,
    ...(datasource.type === 'source'
      ? { secrets: Object.keys(datasource.sealedSecrets ?? {}).toSorted() }
      : {}),
    datastoreId: datasource.datastoreId,
    customId: datasource.customId,
    mimeType: datasource.mimeType,
    sha256,
    ...toExportOf(current ?? serving),
    progress: current ? toProgress(current, pagesUnderWay) : due,
    semantic: toSemantic(serving, reindex, pagesReindexing),
    // While a run is unfinished, the error of the previous run is not reported.
    error: current || due ? (current?.error ?? null) : datasource.error,
    stats: toStats(serving),
    revision: serving?.revision ?? 0,
    ...(datasource.metadata ? { metadata: datasource.metadata } : {}),
    timestamps: {
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      lastSynch: lastSynch?.toISOString() ?? null,
    },
  };
}

/** Of the run of an archive that is an export. */
function toExportOf(run: RunEntity | null): Pick<Datasource, 'exportOf'> {
  const exportOf = run?.counts?.exportOf;
  return exportOf === undefined ? {} : { exportOf };
}

/** The progress of the vectors that follow; null if nothing is outstanding. */
function toSemantic(
  serving: RunEntity | null,
  reindex: RunEntity | null,
  pagesReindexing: number,
): Datasource['semantic'] {
  if (pagesReindexing > 0) {
    const total = Math.max(serving?.counts?.pages ?? 0, pagesReindexing);
    return { done: total - pagesReindexing, total };
  }
  if (reindex?.stage !== 'embedding') return null;
  const chunks = serving?.counts?.chunks ?? 0;
  // The run reports characters.
  const { done, total } = reindex.progress ?? { done: 0, total: 0 };
  return { done: total > 0 ? Math.floor((chunks * Math.min(done, total)) / total) : 0, total: chunks };
}

function initialProgress(stage: Stage): Progress {
  return { stage, done: 0, total: 0, failed: 0, percent: 0, etaSeconds: null };
}

export function toRunItem(run: RunEntity): RunItem {
  return {
    id: run.id,
    trigger: run.trigger,
    state: run.state,
    stage: run.stage,
    revision: run.revision,
    failures: run.failures,
    crashes: run.crashes,
    progress: run.finishedAt ? null : toProgress(run),
    error: run.error,
    createdAt: run.createdAt.toISOString(),
    startedAt: run.startedAt?.toISOString() ?? null,
    finishedAt: run.finishedAt?.toISOString() ?? null,
  };
}

/**
 * The progress of a run, and the remaining time at its average speed so far.
 *
 * @param pagesUnderWay of a group: pages or files that have been stored and not yet indexed
 */
export function toProgress(run: RunEntity, pagesUnderWay = 0, now = Date.now()): Progress {
  const { done, total, failed = 0, pages } = run.progress ?? { done: 0, total: 0 };
  const [from, to] = pages === undefined ? STAGE_PERCENT[run.stage] : WHOLE_GROUP;
  // A page or file counts as half done when it is stored, and as done when it is indexed.
  const completed = pages === undefined ? done : done - Math.min(done, pagesUnderWay) / 2;
  const share = total > 0 ? Math.min(1, completed / total) : 0;
  const percent = Math.round((from + (to - from) * share) * 10) / 10;
  const elapsedSeconds = run.startedAt ? (now - run.startedAt.getTime()) / 1_000 : 0;
  const hasSpeed = percent > 0 && elapsedSeconds > 0;
  return {
    stage: run.stage,
    done,
    total,
    failed,
    percent,
    etaSeconds: hasSpeed ? Math.ceil((elapsedSeconds * (100 - percent)) / percent) : null,
    ...(pages === undefined
      ? {}
      : { pages: { found: total, fetched: done, indexed: Math.max(0, pages - pagesUnderWay), failed } }),
  };
}

function toStats(run: RunEntity | null): DatasourceStats {
  const { chunks = 0, characters = 0, bytes = 0, pages = 0, leftOut = {} } = run?.counts ?? {};
  const durationMs =
    run?.startedAt && run.finishedAt ? run.finishedAt.getTime() - run.startedAt.getTime() : 0;
  return { chunks, characters, bytes, pages, durationMs, leftOut };
}

/** `YYYY-MM-DD` in UTC. */
function toDate(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

export function toChunkItem(
  chunk: {
    ordinal: number;
    text: string;
    start: number;
    end: number;
    page?: number;
    confidence?: number;
    headingPath: readonly string[];
  },
  chunkId: string,
): ChunkItem {
  return {
    chunk_id: chunkId,
    ordinal: chunk.ordinal,
    text: chunk.text,
    start: chunk.start,
    end: chunk.end,
    ...(chunk.page === undefined ? {} : { page_number: chunk.page }),
    ...recognitionOf(chunk.confidence),
    ...(chunk.headingPath.length === 0 ? {} : { heading_path: [...chunk.headingPath] }),
  };
}
