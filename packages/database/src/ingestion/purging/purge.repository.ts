import { Any, type DataSource, IsNull, Not } from 'typeorm';
import { type Executor, queryRows, sql } from '../../connection/sql.js';
import { BlobEntity, DatasourceEntity, DatastoreEntity } from '../../schema/content.entities.js';
import { type PurgeEntity, type PurgeKind, RunEntity } from '../../schema/ingestion.entities.js';
import { slotsOf, WAKE_DISPATCHER } from '../runs/dispatch.js';
import { deleteDatasources } from '../runs/out-of-service.js';
import { UNFINISHED_STATES } from '../runs/transitions.js';
import { SharedBackupLock } from './backup-lock.js';

/** A run whose points and blobs are to be removed. */
export interface RetiredRun {
  runId: string;
  space: string | null;
}

/** Claimed purges of one organization, kind and round, which one job carries out. */
export interface PurgeBatch {
  readonly organizationId: string;
  readonly kind: PurgeKind;
  readonly round: number;
  readonly purges: readonly Readonly<Pick<PurgeEntity, 'id' | 'targetId'>>[];
}

/** A condition on `datasources d` and their runs `r`: the run neither serves nor is that of the last reindex. */
export const NOTHING_REFERS = sql`(d.serving_run_id IS DISTINCT FROM r.id AND d.reindexed_run_id IS DISTINCT FROM r.id)`;

/** A claimed purge that has not ended after this time is due again. */
const CLAIM_SECONDS = 120;
const CLAIM_END = sql`now() + make_interval(secs => ${CLAIM_SECONDS})`;
/** The most purges of a batch. */
const BATCH_PURGES = 64;
/** Due purges that are read to form batches. */
const READ_PURGES = 1_024;
/** Datasources of a deleted datastore that one call marks as deleted. */
const FAN_OUT = 500;

/** Purges: the dispatcher claims them, and the handler of the job `purge` carries them out. */
export class PurgeRepository {
  private readonly backupLock: SharedBackupLock;

  constructor(private readonly dataSource: DataSource) {
    this.backupLock = new SharedBackupLock(dataSource);
  }

  /** Calls `work`, unless a backup runs: it needs what served when it began. The purge is then delivered again later. */
  async unlessBackupRuns(work: () => Promise<void>): Promise<void> {
    return this.backupLock.unlessBackupRuns(work);
  }

  /**
   * Claims purges that are due, in batches: those of datastores first, as they free what counts against limits. At most
   * twice as many batches are in flight as the workers of the queue have slots. A claimed purge that has not ended after
   * {@link CLAIM_SECONDS} is due again, in the batch that it had: the queue may still have the job of the batch.
   */
  async claimDue(
    queue: string,
    minimumSlots: number,
  ): Promise<{ organizationId: string; batchId: string }[]> {
    return queryRows(
      this.dataSource,
      sql`WITH due AS (
            (SELECT id, organization_id, kind, round, batch_id, not_before FROM purges
              WHERE kind = 'datastore' AND not_before <= now() ORDER BY not_before LIMIT ${READ_PURGES})
            UNION ALL
            (SELECT id, organization_id, kind, round, batch_id, not_before FROM purges
              WHERE kind <> 'datastore' AND not_before <= now() ORDER BY not_before LIMIT ${READ_PURGES})
          ), placed AS (
            SELECT id, organization_id, kind, round, not_before, batch_id AS claimed_as,
                   (row_number() OVER (PARTITION BY organization_id, kind, round, batch_id ORDER BY not_before, id) - 1)
                     / CASE kind WHEN 'datastore' THEN 1 ELSE ${BATCH_PURGES} END AS place
              FROM due
          ), batches AS (
            SELECT coalesce(claimed_as, gen_random_uuid()) AS batch_id, array_agg(id) AS ids
              FROM placed GROUP BY organization_id, kind, round, claimed_as, place
             ORDER BY kind <> 'datastore', min(not_before)
             LIMIT (SELECT greatest(0, 2 * greatest(${slotsOf(sql`${queue}`)}, ${minimumSlots}) - count(DISTINCT batch_id))
                      FROM purges WHERE batch_id IS NOT NULL AND not_before > now())
          ), claimed AS (
            SELECT p.id, batches.batch_id FROM batches JOIN purges p ON p.id = ANY(batches.ids)
             WHERE p.not_before <= now() FOR UPDATE OF p SKIP LOCKED
          ), changed AS (
            UPDATE purges p SET batch_id = claimed.batch_id, not_before = ${CLAIM_END}
              FROM claimed WHERE p.id = claimed.id RETURNING p.organization_id, p.batch_id
          )
          SELECT DISTINCT organization_id AS "organizationId", batch_id AS "batchId" FROM changed`,
    );
  }

  /**
   * The purges of a claimed batch, whose job begins: renews their claim.
   *
   * @returns null when none is left: the job was delivered late
   */
  async begin(organizationId: string, batchId: string): Promise<PurgeBatch | null> {
    const rows = await queryRows<PurgeBatch['purges'][number] & Pick<PurgeBatch, 'kind' | 'round'>>(
      this.dataSource,
      sql`UPDATE purges SET not_before = ${CLAIM_END}
           WHERE organization_id = ${organizationId} AND batch_id = ${batchId}
          RETURNING id, target_id AS "targetId", kind, round`,
    );
    const [first] = rows;
    if (first === undefined) return null;
    const purges = rows.map(({ id, targetId }) => ({ id, targetId }));
    return { organizationId, kind: first.kind, round: first.round, purges };
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
               SET round = ${round}, batch_id = NULL, not_before = now() + make_interval(secs => ${seconds})
             WHERE id = ANY(${ids}))
          SELECT ${WAKE_DISPATCHER}`,
    );
  }

  /** The purges are carried out. */
  async complete(ids: readonly string[]): Promise<void> {
    await removePurges(this.dataSource, ids);
  }

  /** The last step of deleted datasources: removes their rows, their runs and the purges. */
  async removeDatasources({ organizationId, purges }: PurgeBatch): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.delete(DatasourceEntity, {
        id: Any(purges.map(({ targetId }) => targetId)),
        organizationId,
        deletedAt: Not(IsNull()),
      });
      await removePurges(
        manager,
        purges.map(({ id }) => id),
      );
    });
  }

  /**
   * Marks the next datasources of a deleted datastore as deleted, and removes the datastore when none is
   * left.
   *
   * @returns whether datasources are left
   */
  async fanOutDatastore(
    organizationId: string,
    { id, targetId }: Pick<PurgeEntity, 'id' | 'targetId'>,
  ): Promise<boolean> {
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
