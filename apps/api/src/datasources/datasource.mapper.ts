import type {
  ChunkItem,
  Datasource,
  DatasourceStats,
  Progress,
  RunItem,
  Stage,
} from '@citewell/contracts/http';
import type { DatasourceView, RunEntity } from '@citewell/database';

/** Shares of a run's whole time, roughly; they only shape the percentage. */
const STAGE_SPAN: Readonly<Record<Stage, readonly [from: number, to: number]>> = {
  discovering: [0, 100],
  fetching: [0, 10],
  parsing: [10, 60],
  indexing: [60, 100],
};

/** The wire shape of a datasource. */
export function toDatasource({
  datasource,
  serving,
  current,
  pagesUnderWay,
  dueStage,
}: DatasourceView): Datasource {
  const { createdAt, updatedAt, lastSynch } = datasource;
  // A run that is due counts as begun: who polls for the end must not see that of the one before.
  const due = dueStage === null ? null : notBegun(dueStage);
  return {
    id: datasource.id,
    type: datasource.type,
    name: datasource.name,
    status: due ? 'unsynched' : datasource.status,
    groupId: datasource.groupId,
    createdAt: toDate(createdAt),
    updatedAt: toDate(updatedAt),
    lastSynch: lastSynch ? toDate(lastSynch) : null,
    config: datasource.config,
    datastoreId: datasource.datastoreId,
    customId: datasource.customId,
    progress: current ? toProgress(current, pagesUnderWay) : due,
    // What the run before ended with says nothing about the one under way.
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

function notBegun(stage: Stage): Progress {
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
 * How far a run is, and how long it will take at the pace so far.
 *
 * @param pagesUnderWay of a web site: pages that are fetched and not brought in yet
 */
export function toProgress(run: RunEntity, pagesUnderWay = 0, now = Date.now()): Progress {
  const { done, total, failed = 0, pages } = run.progress ?? { done: 0, total: 0 };
  const [from, to] = STAGE_SPAN[run.stage];
  // A page counts half when it is fetched, and whole when it is brought in.
  const settled = pages === undefined ? done : done - Math.min(done, pagesUnderWay) / 2;
  const share = total > 0 ? Math.min(1, settled / total) : 0;
  const percent = Math.round((from + (to - from) * share) * 10) / 10;
  const elapsedSeconds = run.startedAt ? (now - run.startedAt.getTime()) / 1_000 : 0;
  const isPaced = percent > 0 && elapsedSeconds > 0;
  return {
    stage: run.stage,
    done,
    total,
    failed,
    percent,
    etaSeconds: isPaced ? Math.ceil((elapsedSeconds * (100 - percent)) / percent) : null,
    ...(pages === undefined
      ? {}
      : { pages: { found: total, fetched: done, indexed: Math.max(0, pages - pagesUnderWay), failed } }),
  };
}

function toStats(run: RunEntity | null): DatasourceStats {
  const { chunks = 0, characters = 0, bytes = 0, pages = 0 } = run?.counts ?? {};
  const durationMs =
    run?.startedAt && run.finishedAt ? run.finishedAt.getTime() - run.startedAt.getTime() : 0;
  return { chunks, characters, bytes, pages, durationMs };
}

/** `YYYY-MM-DD` in UTC, as the interface shows dates. */
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
    ...(chunk.headingPath.length === 0 ? {} : { heading_path: [...chunk.headingPath] }),
  };
}
