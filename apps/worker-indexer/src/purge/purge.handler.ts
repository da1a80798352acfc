import type { BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import type { JobPayload } from '@citewell/contracts/jobs';
import {
  BlobRepository,
  type PurgeBatch,
  PurgeRepository,
  type RetiredRun,
  togetherOrAlone,
} from '@citewell/database';
import { BLOB_STORE, CONFIG, VECTOR_STORE } from '@citewell/infrastructure';
import { FaultPoints, withLogContext } from '@citewell/observability';
import type { VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';

/** A worker that lost its lease may still write during one lease time. The second round runs after that. */
const LAST_ROUND = 2;
const FAN_OUT_PAUSE_SECONDS = 2;

/**
 * Handles `purge`: deletes points and blobs that no longer serve, for all purges of a batch. If that fails, the purges are
 * carried out one by one. Every step can be repeated, and the rows of the purges are deleted last. After a crash, the
 * same purges are delivered again.
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

  async handle({ organizationId, batchId }: JobPayload<'purge'>): Promise<void> {
    const batch = await this.purges.begin(organizationId, batchId);
    if (batch === null) return;
    await withLogContext({ organizationId, batchId }, () =>
      this.purges.unlessBackupRuns(async () => {
        const outcomes = await togetherOrAlone(batch.purges, async (purges) => {
          await this.purge({ ...batch, purges });
          return [];
        });
        const failed = outcomes.find(({ status }) => status === 'rejected');
        if (failed?.status === 'rejected') throw failed.reason;
      }),
    );
  }

  private async purge(batch: PurgeBatch): Promise<void> {
    switch (batch.kind) {
      case 'runs':
        return this.purgeRuns(batch);
      case 'datasource':
        return this.purgeDatasources(batch);
      case 'datastore':
        for (const purge of batch.purges)
          if (await this.purges.fanOutDatastore(batch.organizationId, purge))
            await this.purges.scheduleRound([purge.id], batch.round, FAN_OUT_PAUSE_SECONDS);
    }
  }

  /** Purges the runs of existing datasources that are neither serving nor unfinished. */
  private async purgeRuns({ organizationId, round, purges }: PurgeBatch): Promise<void> {
    const { ids, targetIds } = idsOf(purges);
    const blobsOf = (runs: readonly RetiredRun[]): Promise<string[]> =>
      this.purges.retiredBlobs(
        organizationId,
        targetIds,
        runs.map(({ runId }) => runId),
      );
    const retired = await this.purges.retiredRuns(organizationId, targetIds);
    for (const { runId } of retired.filter((run) => run.space !== null)) {
      await this.vectorStore.deleteRun({ organizationId, runId });
    }
    this.faults.reach('after-purge-points');
    const deleted = await blobsOf(retired);
    await this.deleteBlobs(deleted);
    this.faults.reach('after-purge-blobs');
    if (round < LAST_ROUND) return this.purges.scheduleRound(ids, round + 1, this.config.LEASE_SECONDS);
    // Forget only runs that ended before their purge was requested: no worker writes for them any more. Runs
    // that ended later have a purge of their own, and so have those that stopped serving since: their points are there.
    const purged = new Set(retired.map(({ runId }) => runId));
    const ended = await this.purges.retiredRuns(organizationId, targetIds, ids);
    const finished = ended.filter(({ runId }) => purged.has(runId));
    const finishedBlobs = new Set(await blobsOf(finished));
    await this.blobRows.forget(deleted.filter((key) => finishedBlobs.has(key)));
    await this.purges.forgetPoints(finished.map((run) => run.runId));
    await this.purges.complete(ids);
  }

  private async purgeDatasources(batch: PurgeBatch): Promise<void> {
    const { organizationId, round, purges } = batch;
    const { ids, targetIds } = idsOf(purges);
    for (const datasourceId of targetIds) {
      await this.vectorStore.deleteDatasource({ organizationId, datasourceId });
    }
    this.faults.reach('after-purge-points');
    const keys = await this.purges.blobsOf(organizationId, targetIds);
    await this.deleteBlobs(keys);
    this.faults.reach('after-purge-blobs');
    if (round < LAST_ROUND) return this.purges.scheduleRound(ids, round + 1, this.config.LEASE_SECONDS);
    await this.assertPointsDeleted(batch);
    await this.blobRows.forget(keys);
    await this.purges.removeDatasources(batch);
  }

  /**
   * Throws while the store still has points of the datasources. Without their rows, nothing could find those
   * points again.
   */
  private async assertPointsDeleted({ organizationId, purges }: PurgeBatch): Promise<void> {
    const { targetIds } = idsOf(purges);
    const spaces = new Set((await this.vectorStore.listSpaces()).map(({ name }) => name));
    for (const { runId, space } of await this.purges.retiredRuns(organizationId, targetIds)) {
      // A run records its space before it writes, so the space may not exist.
      if (space === null || !spaces.has(space)) continue;
      const remaining = await this.vectorStore.count({ name: space, dense: null }, { organizationId, runId });
      if (remaining > 0) throw new Error(`The vector store still has ${remaining} points of run ${runId}`);
    }
  }

  /** Rows stay until the last round: a late writer may write a blob again, and only its row leads to it. */
  private async deleteBlobs(keys: string[]): Promise<void> {
    if (keys.length > 0) await this.blobStore.delete(keys);
  }
}

function idsOf(purges: PurgeBatch['purges']): { ids: string[]; targetIds: string[] } {
  return { ids: purges.map(({ id }) => id), targetIds: purges.map(({ targetId }) => targetId) };
}
