import type { DataSource, EntityManager } from 'typeorm';
import { PurgeEntity } from './purge.entity.js';
import { deleteDatasources } from '../datasources/delete-datasources.js';
import { WAKES_DISPATCHER } from '../runs/dispatch-channels.js';
import { UNDER_WAY_STATES } from '../runs/under-way.js';

/** A run whose points and blobs have to go. */
export interface RetiredRun {
  runId: string;
  space: string | null;
}

const FAN_OUT = 500;

/** What the purger asks of the database. */
export class PurgeRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(id: string): Promise<PurgeEntity | null> {
    return this.dataSource.getRepository(PurgeEntity).findOneBy({ id });
  }

  /**
   * The runs of a datasource that neither serve nor are under way; of a deleted datasource, all.
   *
   * @param purgeId leaves out runs that ended after this purge was asked for: whoever ended them asked for another one,
   * and their workers may not have noticed yet
   */
  async retiredRuns(
    organizationId: string,
    datasourceId: string,
    purgeId: string | null = null,
  ): Promise<RetiredRun[]> {
    const rows = await this.dataSource.query<{ id: string; space: string | null }[]>(
      `SELECT r.id, r.space FROM runs r JOIN datasources d ON d.id = r.datasource_id
        WHERE r.organization_id = $1 AND r.datasource_id = $2 AND r.state NOT IN ${UNDER_WAY_STATES}
          AND (d.deleted_at IS NOT NULL OR d.serving_run_id IS DISTINCT FROM r.id)
          AND (r.space IS NOT NULL OR EXISTS (SELECT 1 FROM blobs b WHERE b.run_id = r.id))
          AND ($3::uuid IS NULL OR r.finished_at <= (SELECT created_at FROM purges WHERE id = $3))`,
      [organizationId, datasourceId, purgeId],
    );
    return rows.map((row) => ({ runId: row.id, space: row.space }));
  }

  /**
   * Blobs that these runs made, and original bytes that neither the datasource, nor its serving run, nor one
   * under way refers to.
   */
  async retiredBlobs(
    organizationId: string,
    datasourceId: string,
    runIds: readonly string[],
  ): Promise<string[]> {
    const rows = await this.dataSource.query<{ key: string }[]>(
      `SELECT b.key FROM blobs b LEFT JOIN datasources d ON d.id = b.datasource_id
        WHERE b.organization_id = $1 AND b.datasource_id = $2
          AND ((b.run_id = ANY($3) AND NOT EXISTS (SELECT 1 FROM runs u WHERE u.datasource_id = b.datasource_id AND u.content_key = b.key
                   AND d.deleted_at IS NULL AND (u.state IN ${UNDER_WAY_STATES} OR u.id = d.serving_run_id)))
               OR (b.run_id IS NULL AND b.committed AND (d.id IS NULL OR d.deleted_at IS NOT NULL OR d.content_key IS DISTINCT FROM b.key)
                   AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.datasource_id = b.datasource_id
                                     AND r.content_key = b.key AND d.deleted_at IS NULL
                                     AND (r.state IN ${UNDER_WAY_STATES} OR r.id = d.serving_run_id))))`,
      [organizationId, datasourceId, runIds],
    );
    return rows.map((row) => row.key);
  }

  /** All blobs of a deleted datasource. */
  async blobsOf(organizationId: string, datasourceId: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ key: string }[]>(
      'SELECT key FROM blobs WHERE organization_id = $1 AND datasource_id = $2',
      [organizationId, datasourceId],
    );
    return rows.map((row) => row.key);
  }

  /** These runs have no points any more. */
  async pointsGone(runIds: readonly string[]): Promise<void> {
    await this.dataSource.query('UPDATE runs SET space = NULL WHERE id = ANY($1)', [runIds]);
  }

  /** Once more, `seconds` from now: points of a late writer are found then. Until then another one has the slot. */
  async again(id: string, round: number, seconds: number): Promise<void> {
    await this.dataSource.query(
      `WITH changed AS (
         UPDATE purges SET round = $2, attempts = 0, not_before = now() + make_interval(secs => $3) WHERE id = $1)
       SELECT ${WAKES_DISPATCHER}`,
      [id, round, seconds],
    );
  }

  async done(id: string): Promise<void> {
    await removePurge(this.dataSource.manager, id);
  }

  /** The last step of a deleted datasource: its rows go, its runs with them. */
  async removeDatasource(purge: PurgeEntity): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(
        `DELETE FROM datasources WHERE id = $1 AND organization_id = $2 AND deleted_at IS NOT NULL`,
        [purge.targetId, purge.organizationId],
      );
      await removePurge(manager, purge.id);
    });
  }

  /**
   * Deletes the next datasources of a deleted datastore, and the datastore itself when none is left.
   *
   * @returns whether something is left to do
   */
  async fanOutDatastore(purge: PurgeEntity): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      await deleteDatasources(
        manager,
        purge.organizationId,
        `id IN (SELECT id FROM datasources WHERE organization_id = $1 AND datastore_id = $2 AND deleted_at IS NULL LIMIT ${FAN_OUT})`,
        [purge.targetId],
      );
      const left = await manager.query<unknown[]>(
        'SELECT 1 FROM datasources WHERE organization_id = $1 AND datastore_id = $2 LIMIT 1',
        [purge.organizationId, purge.targetId],
      );
      if (left.length > 0) return true;
      await manager.query(
        'DELETE FROM datastores WHERE id = $1 AND organization_id = $2 AND deleted_at IS NOT NULL',
        [purge.targetId, purge.organizationId],
      );
      await removePurge(manager, purge.id);
      return false;
    });
  }
}

/** It is carried out; the dispatcher is woken for the next one. */
async function removePurge(manager: EntityManager, id: string): Promise<void> {
  await manager.query(`WITH gone AS (DELETE FROM purges WHERE id = $1) SELECT ${WAKES_DISPATCHER}`, [id]);
}
