import { datasourceErrorOf } from '@citewell/contracts/errors';
import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import { Any, type DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import { execute, type Executor, hydrateOne, queryRow, queryRows, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { DatasourceEntity } from '../../schema/content.entities.js';
import {
  type LeftOut,
  type RunCounts,
  RunEntity,
  type StageProgress,
} from '../../schema/ingestion.entities.js';
import { markFailed, markGroupSynched } from './datasource-status.js';
import { lockDatasource, releaseLease } from './lease.js';
import { cancelRuns, requestPurges, takeOutOfService } from './out-of-service.js';
import { applyAccess } from './source-access.js';
import { groupOutcome, type GroupParts, IS_GROUP, type Part } from './site-and-archive-runs.js';
import { UNFINISHED, UNFINISHED_STATES } from './transitions.js';

/** Groups whose runs are finished in one call. */
const FINISH_BATCH = 20;

/**
 * A condition on `runs`: the run of a group that waits, and none of whose pages or files has an unfinished run. It guards
 * the transition, so that one of two dispatchers finishes the run.
 */
const IS_READY_TO_FINISH = sql`state = 'waiting' AND NOT EXISTS (
  SELECT 1 FROM runs page WHERE page.group_id = runs.datasource_id
     AND page.state IN ${UNFINISHED_STATES} AND page.trigger <> 'reindex')`;

/**
 * Runs of groups. The run of a site crawls in time slices, and that of an archive unpacks it. Then the run waits until
 * the pages or files are indexed, and ends last. Every transaction locks the group first, its pages or files after, and
 * runs last.
 */
export class GroupRunRepository {
  /** @param owner name of this process, the owner of its leases */
  constructor(
    private readonly dataSource: DataSource,
    private readonly owner: string,
  ) {}

  /**
   * Releases the run after a time slice of its crawl.
   *
   * @param notBefore when the crawl can go on; null for now
   * @throws LeaseLostError
   */
  async endTimeSlice(run: RunEntity, progress: StageProgress, notBefore: Date | null): Promise<void> {
    await releaseLease(
      this.dataSource,
      this.owner,
      run,
      'pending',
      sql`failures = 0, crashes = 0, not_before = greatest(${notBefore}, now()),
          progress = ${JSON.stringify(progress)}::jsonb`,
    );
  }

  /**
   * The crawl is over, or the archive is unpacked: releases the run, which is not dispatched again and waits until its
   * pages or files are indexed.
   *
   * @param warning why the content is not complete; null where it is
   * @param manager of the transaction in which the crawl ends
   * @throws LeaseLostError
   */
  async waitForPages(
    run: RunEntity,
    progress: StageProgress,
    warning: string | null,
    manager: Executor = this.dataSource.manager,
  ): Promise<void> {
    const error = warning === null ? null : JSON.stringify(datasourceErrorOf('PARTIAL', warning));
    await releaseLease(
      manager,
      this.owner,
      run,
      'waiting',
      sql`failures = 0, crashes = 0, progress = ${JSON.stringify(progress)}::jsonb,
          error = ${error}::jsonb`,
    );
  }

  /**
   * Finishes the runs of groups that wait for their pages or files, none of which has an unfinished run.
   *
   * @returns their number
   */
  async finishWaitingGroups(): Promise<number> {
    const runs = await queryRows<{ id: string; datasource_id: string }>(
      this.dataSource,
      sql`SELECT id, datasource_id FROM runs WHERE ${IS_READY_TO_FINISH}
           ORDER BY created_at LIMIT ${FINISH_BATCH}`,
    );
    for (const { id, datasource_id } of runs) await this.finish(id, datasource_id);
    return runs.length;
  }

  private async finish(runId: string, groupId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await lockDatasource(manager, groupId);
      // The documents of a source have the text that it listed.
      await applyAccess(manager, groupId);
      const row = await queryRow<Record<string, unknown>>(
        manager,
        sql`SELECT * FROM runs WHERE id = ${runId} AND ${IS_READY_TO_FINISH} FOR UPDATE`,
      );
      const run = hydrateOne(this.dataSource, RunEntity, row);
      if (run === null) return;
      const { pages, counts } = await sumOfParts(manager, groupId);
      const { status, error } = groupOutcome(pages, run.error?.message ?? null, partOf(run));
      await execute(
        manager,
        sql`UPDATE runs SET state = ${status === 'synched' ? 'succeeded' : 'failed'}, finished_at = now(),
                   counts = coalesce(counts, '{}') || ${JSON.stringify(counts)}::jsonb,
                   error = ${error === null ? null : JSON.stringify(error)}::jsonb,
                   revision = 1 + (SELECT coalesce(max(o.revision), 0) FROM runs o WHERE o.datasource_id = ${groupId})
             WHERE id = ${runId}`,
      );
      if (status === 'synched') await markGroupSynched(manager, groupId, error);
      else await markFailed(manager, groupId, error, status);
      if (await servesItself(manager, groupId)) {
        // The file that the archive was before answers until files of the archive do.
        if (status !== 'synched') return;
        await takeOutOfService(manager, run.organizationId, groupId);
        await requestPurges(manager, run.organizationId, 'runs', [groupId]);
      }
      await manager.update(DatasourceEntity, { id: groupId }, { servingRunId: runId });
    });
  }

  /**
   * Cancels the unfinished runs of the pages or files of a group, and the syncs that were to follow.
   *
   * @returns how many runs
   */
  async cancelPages({ organizationId }: TenantScope, groupId: string): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const pageIds = await lockBusyParts(manager, organizationId, groupId);
      await manager.update(
        DatasourceEntity,
        { id: Any(pageIds), requestedSync: Not(IsNull()) },
        { requestedSync: null },
      );
      return (await cancelRuns(manager, organizationId, pageIds)).length;
    });
  }
}

/** Locks the pages or files of a group that have an unfinished run or a requested sync. @returns their ids */
async function lockBusyParts(
  manager: EntityManager,
  organizationId: string,
  groupId: string,
): Promise<string[]> {
  const pages = await queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM datasources
         WHERE organization_id = ${organizationId} AND group_id = ${groupId}
           AND (requested_sync IS NOT NULL
                OR id IN (SELECT datasource_id FROM runs WHERE group_id = ${groupId} AND ${UNFINISHED}))
         ORDER BY id FOR UPDATE`,
  );
  return pages.map(({ id }) => id);
}

function partOf({ stage, contentType }: RunEntity): Part {
  if (stage === 'listing') return 'document';
  return contentType === ARCHIVE_TYPE ? 'file' : 'page';
}

/** Whether the serving run of a group is not that of a group. */
async function servesItself(manager: Executor, groupId: string): Promise<boolean> {
  const run = await queryRow(
    manager,
    sql`SELECT 1 FROM datasources d JOIN runs r ON r.id = d.serving_run_id WHERE d.id = ${groupId} AND NOT ${IS_GROUP}`,
  );
  return run !== null;
}

/** Counts the pages or files of a group by status, and sums up what their serving runs have counted. */
async function sumOfParts(
  manager: Executor,
  groupId: string,
): Promise<{ pages: GroupParts; counts: RunCounts }> {
  const row = await queryRow<
    GroupParts & { chunks: string; characters: string; bytes: string; pages: string; leftOut: LeftOut }
  >(
    manager,
    sql`SELECT count(*) FILTER (WHERE d.status = 'synched')::int AS synched,
               count(*) FILTER (WHERE d.status IN ('error', 'usage_limit_reached'))::int AS failed,
               count(*) FILTER (WHERE d.status IN ('error', 'usage_limit_reached') AND r.id IS NOT NULL)::int AS stale,
               count(*) FILTER (WHERE d.status = 'usage_limit_reached')::int AS "overLimit",
               coalesce(sum((r.counts->>'chunks')::bigint), 0) AS chunks,
               coalesce(sum((r.counts->>'characters')::bigint), 0) AS characters,
               coalesce(sum((r.counts->>'bytes')::bigint), 0) AS bytes,
               count(r.id) AS pages,
               (SELECT coalesce(jsonb_object_agg(reason, characters), '{}') FROM (
                  SELECT reason, sum(count::bigint) AS characters
                    FROM datasources page JOIN runs ON runs.id = page.serving_run_id,
                         jsonb_each_text(runs.counts->'leftOut') AS each (reason, count)
                   WHERE page.group_id = ${groupId} AND page.deleted_at IS NULL GROUP BY reason) AS sums) AS "leftOut"
          FROM datasources d LEFT JOIN runs r ON r.id = d.serving_run_id
         WHERE d.group_id = ${groupId} AND d.deleted_at IS NULL AND d.hidden_at IS NULL`,
  );
  if (row === null) throw new Error('An aggregate without groups has one row');
  return {
    pages: { synched: row.synched, failed: row.failed, stale: row.stale, overLimit: row.overLimit },
    counts: {
      chunks: Number(row.chunks),
      characters: Number(row.characters),
      bytes: Number(row.bytes),
      pages: Number(row.pages),
      leftOut: row.leftOut,
    },
  };
}
