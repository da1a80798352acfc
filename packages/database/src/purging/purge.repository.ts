import { type DataSource, Any, IsNull, Not } from 'typeorm';
import { SharedBackupLock } from '../backup/backup-lock.js';
import { BlobEntity } from '../blobs/blob.entity.js';
import { type Executor, queryRows, sql } from '../connection/sql.js';
import { DatasourceEntity } from '../datasources/datasource.entity.js';
import { deleteDatasources } from '../datasources/delete-datasources.js';
import { DatastoreEntity } from '../datastores/datastore.entity.js';
import { WAKE_DISPATCHER } from '../runs/dispatch-channels.js';
import { RunEntity } from '../runs/run.entity.js';
import { UNFINISHED_STATES } from '../runs/unfinished.js';
import { PurgeEntity } from './purge.entity.js';

/** A run whose points and blobs are to be removed. */
export interface RetiredRun {
  runId: string;
  space: string | null;
}

/** Claimed purges of one organization, kind and round. */
export interface PurgeBatch {
  organizationId: string;
  round: number;
  ids: readonly string[];
  targetIds: readonly string[];
}

/** A condition on `datasources d` and their runs `r`: the run neither serves nor is that of the last reindex. */
export const NOTHING_REFERS = sql`(d.serving_run_id IS DISTINCT FROM r.id AND d.reindexed_run_id IS DISTINCT FROM r.id)`;

/** A claimed purge that has not ended after this time is due again. */
export const PURGE_CLAIM_SECONDS = 120;
/** Datasources of a deleted datastore that one call marks as deleted. */
const FAN_OUT = 500;

/** The purger's statements. */
export class PurgeRepository {
  private readonly backupLock: SharedBackupLock;

  constructor(private readonly dataSource: DataSource) {
    this.backupLock = new SharedBackupLock(dataSource);
  }

  /** Calls `work`, unless a backup runs: it needs what served when it began. The purge is then delivered again later. */
  async unlessBackupRuns(work: () => Promise<void>): Promise<void> {
    return this.backupLock.unlessBackupRuns(work);
  }

  async find(id: string): Promise<PurgeEntity | null> {
    return this.dataSource.getRepository(PurgeEntity).findOneBy({ id });
  }

  /**
   * Renews the claim of a purge, and claims up to `limit` further purges of the same organization, kind and round that
   * are due. Further ones take no slot: their `attempts` stay 0.
   */
  async claimBatch(
    { id, organizationId, targetId, kind, round }: PurgeEntity,
    limit: number,
  ): Promise<PurgeBatch> {
    const further = await queryRows<{ id: string; target_id: string }>(
      this.dataSource,
      sql`UPDATE purges SET not_before = now() + make_interval(secs => ${PURGE_CLAIM_SECONDS})
           WHERE id = ${id} OR id IN (
             SELECT id FROM purges
              WHERE organization_id = ${organizationId} AND kind = ${kind} AND round = ${round} AND attempts = 0
                AND not_before <= now()
              ORDER BY not_before LIMIT ${limit} FOR UPDATE SKIP LOCKED)
          RETURNING id, target_id`,
    );
    const rows = [{ id, target_id: targetId }, ...further.filter((row) => row.id !== id)];
    return {
      organizationId,
      round,
      ids: rows.map((row) => row.id),
      targetIds: rows.map((row) => row.target_id),
    };
  }

  /**
   * The runs of datasources that have points or blobs and are neither referred to nor unfinished. Of a deleted
   * datasource, all that have ended.
   *
   * @param purgeIds purges of these datasources. Leaves out runs that ended after the purge of their datasource was
   * requested: another purge was requested when they ended, and their workers may not have noticed yet
   */
  async retiredRuns(
    organizationId: string,
    datasourceIds: readonly string[],
    purgeIds: readonly string[] | null = null,
  ): Promise<RetiredRun[]> {
    const endedBefore =
      purgeIds === null
        ? sql`true`
        : sql`EXISTS (SELECT 1 FROM purges p WHERE p.id = ANY(${purgeIds}) AND p.target_id = r.datasource_id
                         AND r.finished_at <= p.created_at)`;
    const rows = await queryRows<{ id: string; space: string | null }>(
      this.dataSource,
      sql`SELECT r.id, r.space FROM runs r JOIN datasources d ON d.id = r.datasource_id
           WHERE r.organization_id = ${organizationId} AND r.datasource_id = ANY(${datasourceIds})
             AND r.state NOT IN ${UNFINISHED_STATES}
             AND (d.deleted_at IS NOT NULL OR ${NOTHING_REFERS})
             AND (r.space IS NOT NULL OR EXISTS (
                   -- The first two columns are those of the index.
                   SELECT 1 FROM blobs b WHERE b.organization_id = r.organization_id
                      AND b.datasource_id = r.datasource_id AND b.run_id = r.id))
             AND ${endedBefore}`,
    );
    return rows.map((row) => ({ runId: row.id, space: row.space }));
  }

  /**
   * Keys of the blobs of these runs, and of original bytes that neither the datasource, nor its serving run,
   * nor an unfinished one refers to.
   */
  async retiredBlobs(
    organizationId: string,
    datasourceIds: readonly string[],
    runIds: readonly string[],
  ): Promise<string[]> {
    const isReferredTo = sql`(d.deleted_at IS NULL AND EXISTS (
      SELECT 1 FROM runs r WHERE r.datasource_id = b.datasource_id AND r.content_key = b.key
         AND (r.state IN ${UNFINISHED_STATES} OR r.id = d.serving_run_id)))`;
    const rows = await queryRows<{ key: string }>(
      this.dataSource,
      sql`SELECT b.key FROM blobs b LEFT JOIN datasources d ON d.id = b.datasource_id
           WHERE b.organization_id = ${organizationId} AND b.datasource_id = ANY(${datasourceIds})
             AND NOT ${isReferredTo}
             AND (b.run_id = ANY(${runIds})
                  OR (b.run_id IS NULL AND b.committed
                      AND (d.id IS NULL OR d.deleted_at IS NOT NULL OR d.content_key IS DISTINCT FROM b.key)))`,
    );
    return rows.map((row) => row.key);
  }

  /** Keys of all blobs of deleted datasources. */
  async blobsOf(organizationId: string, datasourceIds: readonly string[]): Promise<string[]> {
    const rows = await this.dataSource
      .getRepository(BlobEntity)
      .find({ select: { key: true }, where: { organizationId, datasourceId: Any(datasourceIds) } });
    return rows.map((row) => row.key);
  }

  /** Records that these runs have no points any more. */
  async forgetPoints(runIds: readonly string[]): Promise<void> {
    await this.dataSource.manager.update(RunEntity, { id: Any(runIds) }, { space: null });
  }

  /**
   * Schedules a round of purges `seconds` from now, e.g. to find points of late writers, and frees their slot
   * until then.
   */
  async scheduleRound(ids: readonly string[], round: number, seconds: number): Promise<void> {
    await queryRows(
      this.dataSource,
      sql`WITH changed AS (
            UPDATE purges
               SET round = ${round}, attempts = 0, not_before = now() + make_interval(secs => ${seconds})
             WHERE id = ANY(${ids}))
          SELECT ${WAKE_DISPATCHER}`,
    );
  }

  /** The purges are carried out. */
  async complete(ids: readonly string[]): Promise<void> {
    await removePurges(this.dataSource, ids);
  }

  /** The last step of deleted datasources: removes their rows, their runs and the purges. */
  async removeDatasources({ organizationId, ids, targetIds }: PurgeBatch): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.delete(DatasourceEntity, {
        id: Any(targetIds),
        organizationId,
        deletedAt: Not(IsNull()),
      });
      await removePurges(manager, ids);
    });
  }

  /**
   * Marks the next datasources of a deleted datastore as deleted, and removes the datastore when none is
   * left.
   *
   * @returns whether datasources are left
   */
  async fanOutDatastore({ id, organizationId, targetId }: PurgeEntity): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await deleteDatasources(
        manager,
        organizationId,
        sql`id IN (
          SELECT id FROM datasources
           WHERE organization_id = ${organizationId} AND datastore_id = ${targetId} AND deleted_at IS NULL
           LIMIT ${FAN_OUT})`,
      );
      if (await manager.existsBy(DatasourceEntity, { organizationId, datastoreId: targetId })) return true;
      await manager.delete(DatastoreEntity, { id: targetId, organizationId, deletedAt: Not(IsNull()) });
      await removePurges(manager, [id]);
      return false;
    });
  }
}

/** Removes purges that are carried out, and wakes the dispatcher for the next one. */
async function removePurges(manager: Executor, ids: readonly string[]): Promise<void> {
  await queryRows(
    manager,
    sql`WITH removed AS (DELETE FROM purges WHERE id = ANY(${ids})) SELECT ${WAKE_DISPATCHER}`,
  );
}
