import type { BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import type { JobPayload } from '@citewell/contracts/jobs';
import { BlobRepository, type PurgeEntity, PurgeRepository, type RetiredRun } from '@citewell/database';
import { BLOB_STORE, CONFIG, VECTOR_STORE } from '@citewell/infrastructure';
import { FaultPoints, withLogContext } from '@citewell/observability';
import type { VectorStore } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';

/** A worker that lost its lease may still write for as long as a lease holds; the second round comes after that. */
const LAST_ROUND = 2;
const FAN_OUT_PAUSE_SECONDS = 2;

/**
 * Takes away what no longer serves. Every step can be repeated, and the row that asks for it goes last, so a
 * crash anywhere means that the same purge is found again.
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
    await withLogContext({ organizationId, purgeId, targetId: purge.targetId }, () => this.purge(purge));
  }

  private async purge(purge: PurgeEntity): Promise<void> {
    switch (purge.kind) {
      case 'runs':
        return this.purgeRuns(purge);
      case 'datasource':
        return this.purgeDatasource(purge);
      case 'datastore':
        if (await this.purges.fanOutDatastore(purge))
          await this.purges.again(purge.id, purge.round, FAN_OUT_PAUSE_SECONDS);
    }
  }

  /** The runs of a living datasource that neither serve nor are under way. */
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
      return this.purges.again(purge.id, purge.round + 1, this.config.LEASE_SECONDS);
    // Only what ended a lease time ago can have no late writer. What ended since has a purge of its own.
    const quiet = await this.purges.retiredRuns(organizationId, targetId, purge.id);
    const settled = new Set(await this.blobsOfRuns(purge, quiet));
    await this.blobRows.forget(deleted.filter((key) => settled.has(key)));
    await this.purges.pointsGone(quiet.map((run) => run.runId));
    await this.purges.done(purge.id);
  }

  private async purgeDatasource(purge: PurgeEntity): Promise<void> {
    const { organizationId, targetId } = purge;
    await this.vectorStore.deleteDatasource({ organizationId, datasourceId: targetId });
    this.faults.reach('after-purge-points');
    const keys = await this.purges.blobsOf(organizationId, targetId);
    await this.deleteBlobs(keys);
    this.faults.reach('after-purge-blobs');
    if (purge.round < LAST_ROUND)
      return this.purges.again(purge.id, purge.round + 1, this.config.LEASE_SECONDS);
    await this.assertGone(purge);
    await this.blobRows.forget(keys);
    await this.purges.removeDatasource(purge);
  }

  /** The rows are what leads to the points: they go only when the store says that none is left. */
  private async assertGone({ organizationId, targetId }: PurgeEntity): Promise<void> {
    const spaces = new Set((await this.vectorStore.listSpaces()).map(({ name }) => name));
    for (const { runId, space } of await this.purges.retiredRuns(organizationId, targetId)) {
      // A run says where it is going to write before it does, and the space may never have come about.
      if (space === null || !spaces.has(space)) continue;
      const left = await this.vectorStore.count({ name: space, dense: null }, { organizationId, runId });
      if (left > 0) throw new Error(`${left} points of run ${runId} are still there`);
    }
  }

  private async blobsOfRuns(
    { organizationId, targetId }: PurgeEntity,
    runs: readonly RetiredRun[],
  ): Promise<string[]> {
    const runIds = runs.map((run) => run.runId);
    return this.purges.retiredBlobs(organizationId, targetId, runIds);
  }

  /** Their rows stay until the last round: a late writer may put a blob back, and without its row nobody finds it. */
  private async deleteBlobs(keys: string[]): Promise<void> {
    if (keys.length > 0) await this.blobStore.delete(keys);
  }
}
