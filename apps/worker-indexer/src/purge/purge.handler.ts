import type { BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import type { JobPayload } from '@citewell/contracts/jobs';
import {
  BlobRepository,
  type PurgeBatch,
  type PurgeEntity,
  PurgeRepository,
  type RetiredRun,
} from '@citewell/database';
import { BLOB_STORE, CONFIG, VECTOR_STORE } from '@citewell/infrastructure';
import { FaultPoints, withLogContext } from '@citewell/observability';
import type { VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';

/** A worker that lost its lease may still write during one lease time. The second round runs after that. */
const LAST_ROUND = 2;
const FAN_OUT_PAUSE_SECONDS = 2;

/** The most purges that a job carries out besides its own. */
const SIBLINGS = 63;

/**
 * Handles `purge`: deletes points and blobs that no longer serve, together with further purges of the organization. If
 * that fails, the purges are carried out one by one. Every step can be repeated, and the rows of the purges are deleted
 * last. After a crash, the same purges are delivered again.
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
    // Between its rounds, a purge is not claimed. Its job was delivered late.
    if (!purge || purge.attempts === 0) return;
    await withLogContext({ organizationId, purgeId, targetId: purge.targetId }, () =>
      this.purges.unlessBackupRuns(() => this.purge(purge)),
    );
  }

  private async purge(purge: PurgeEntity): Promise<void> {
    switch (purge.kind) {
      case 'runs':
        return inBatch(await this.purges.claimBatch(purge, SIBLINGS), (batch) => this.purgeRuns(batch));
      case 'datasource':
        return inBatch(await this.purges.claimBatch(purge, SIBLINGS), (batch) =>
          this.purgeDatasources(batch),
        );
      case 'datastore':
        if (await this.purges.fanOutDatastore(purge))
          await this.purges.scheduleRound([purge.id], purge.round, FAN_OUT_PAUSE_SECONDS);
    }
  }

  /** Purges the runs of existing datasources that are neither serving nor unfinished. */
  private async purgeRuns({ organizationId, round, ids, targetIds }: PurgeBatch): Promise<void> {
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
    // that ended later have a purge of their own.
    const finished = await this.purges.retiredRuns(organizationId, targetIds, ids);
    const finishedBlobs = new Set(await blobsOf(finished));
    await this.blobRows.forget(deleted.filter((key) => finishedBlobs.has(key)));
    await this.purges.forgetPoints(finished.map((run) => run.runId));
    await this.purges.complete(ids);
  }

  private async purgeDatasources(batch: PurgeBatch): Promise<void> {
    const { organizationId, round, ids, targetIds } = batch;
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
  private async assertPointsDeleted({ organizationId, targetIds }: PurgeBatch): Promise<void> {
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

/** Carries out purges together. If that fails, one by one: a purge that fails does not hold the others up. */
async function inBatch(batch: PurgeBatch, purge: (batch: PurgeBatch) => Promise<void>): Promise<void> {
  const { ids, targetIds } = batch;
  try {
    await purge(batch);
  } catch (error) {
    if (ids.length === 1) throw error;
    const single = ids.map((id, index) => ({
      ...batch,
      ids: [id],
      targetIds: targetIds.slice(index, index + 1),
    }));
    const outcomes = [];
    for (const one of single) outcomes.push(...(await Promise.allSettled([purge(one)])));
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed) throw error;
  }
}
