import type { BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import type { JobPayload } from '@citewell/contracts/jobs';
import { BlobRepository, type PurgeEntity, PurgeRepository, type RetiredRun } from '@citewell/database';
import { BLOB_STORE, CONFIG, VECTOR_STORE } from '@citewell/infrastructure';
import { FaultPoints, withLogContext } from '@citewell/observability';
import type { VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';

/** A worker that lost its lease may still write during one lease time. The second round runs after that. */
const LAST_ROUND = 2;
const FAN_OUT_PAUSE_SECONDS = 2;

/**
 * Handles `purge`: deletes points and blobs that no longer serve. Every step can be repeated, and the row of
 * the purge is deleted last. After a crash, the same purge is delivered again.
 */
@Injectable()
export class PurgeHandler {
  constructor(
    @Inject(PurgeRepository) private readonly purges: PurgeRepository,
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(VECTOR_STORE) private readonly vectorStore: VectorStore,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async handle({ purgeId, organizationId }: JobPayload<'purge'>): Promise<void> {
    const purge = await this.purges.find(purgeId);
    if (!purge) return;
    await withLogContext({ organizationId, purgeId, targetId: purge.targetId }, () =>
      this.purges.unlessBackupRuns(() => this.purge(purge)),
    );
  }

  private async purge(purge: PurgeEntity): Promise<void> {
    switch (purge.kind) {
      case 'runs':
        return this.purgeRuns(purge);
      case 'datasource':
        return this.purgeDatasource(purge);
      case 'datastore':
        if (await this.purges.fanOutDatastore(purge))
          await this.purges.scheduleRound(purge.id, purge.round, FAN_OUT_PAUSE_SECONDS);
    }
  }

  /** Purges the runs of an existing datasource that are neither serving nor unfinished. */
  private async purgeRuns(purge: PurgeEntity): Promise<void> {
    const { organizationId, targetId } = purge;
    const retired = await this.purges.retiredRuns(organizationId, targetId);
    for (const { runId } of retired.filter((run) => run.space !== null)) {
      await this.vectorStore.deleteRun({ organizationId, runId });
    }
    this.faults.reach('after-purge-points');
    const deleted = await this.blobsOfRuns(purge, retired);
    await this.deleteBlobs(deleted);
    this.faults.reach('after-purge-blobs');
    if (purge.round < LAST_ROUND)
      return this.purges.scheduleRound(purge.id, purge.round + 1, this.config.LEASE_SECONDS);
    // Forget only runs that ended before this purge was requested: no worker writes for them any more. Runs
    // that ended later have a purge of their own.
    const finished = await this.purges.retiredRuns(organizationId, targetId, purge.id);
    const finishedBlobs = new Set(await this.blobsOfRuns(purge, finished));
    await this.blobRows.forget(deleted.filter((key) => finishedBlobs.has(key)));
    await this.purges.forgetPoints(finished.map((run) => run.runId));
    await this.purges.complete(purge.id);
  }

  private async purgeDatasource(purge: PurgeEntity): Promise<void> {
    const { organizationId, targetId } = purge;
    await this.vectorStore.deleteDatasource({ organizationId, datasourceId: targetId });
    this.faults.reach('after-purge-points');
    const keys = await this.purges.blobsOf(organizationId, targetId);
    await this.deleteBlobs(keys);
    this.faults.reach('after-purge-blobs');
    if (purge.round < LAST_ROUND)
      return this.purges.scheduleRound(purge.id, purge.round + 1, this.config.LEASE_SECONDS);
    await this.assertPointsDeleted(purge);
    await this.blobRows.forget(keys);
    await this.purges.removeDatasource(purge);
  }

  /**
   * Throws while the store still has points of the datasource. Without its rows, nothing could find those
   * points again.
   */
  private async assertPointsDeleted({ organizationId, targetId }: PurgeEntity): Promise<void> {
    const spaces = new Set((await this.vectorStore.listSpaces()).map(({ name }) => name));
    for (const { runId, space } of await this.purges.retiredRuns(organizationId, targetId)) {
      // A run records its space before it writes, so the space may not exist.
      if (space === null || !spaces.has(space)) continue;
      const remaining = await this.vectorStore.count({ name: space, dense: null }, { organizationId, runId });
      if (remaining > 0) throw new Error(`The vector store still has ${remaining} points of run ${runId}`);
    }
  }

  private async blobsOfRuns(
    { organizationId, targetId }: PurgeEntity,
    runs: readonly RetiredRun[],
  ): Promise<string[]> {
    const runIds = runs.map((run) => run.runId);
    return this.purges.retiredBlobs(organizationId, targetId, runIds);
  }

  /** Rows stay until the last round: a late writer may write a blob again, and only its row leads to it. */
  private async deleteBlobs(keys: string[]): Promise<void> {
    if (keys.length > 0) await this.blobStore.delete(keys);
  }
}
