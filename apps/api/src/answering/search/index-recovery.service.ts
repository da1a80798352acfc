import { DoctorRepository, RebuildRepository, type TenantScope } from '@citewell/database';
import { findIncompleteRuns, LOGGER, scanStoredRuns, VECTOR_STORE } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { SpaceNotFoundError, type VectorStore, VectorStoreUnavailableError } from '@citewell/vector-store';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { MaintenanceTask } from '../../background/maintenance-task.js';
import { ApiError } from '../../http/api-error.js';

/** Pause between two comparisons because of a missing space: each reads all runs of the store. */
const COMPARISON_PAUSE_MS = 60_000;
/** After a loss, a run that had written its points before may begin to serve. It is found after this time. */
const LATE_COMPARISON_MS = 60_000;
const RETRY_SECONDS = 15;

/**
 * Rebuilds what the vector store has lost: its file was damaged, deleted or emptied. The points of all serving runs are
 * counted, and those that are not complete are indexed again, from the database and the blob store. Meanwhile searches of
 * their datastores are refused, because their results would be incomplete.
 */
@Injectable()
export class IndexRecovery implements MaintenanceTask, OnApplicationBootstrap {
  readonly intervalMs = 5_000;
  private comparedLosses = 0;
  private comparedAt = -Infinity;
  private lateComparisonAt = Infinity;
  private comparison: Promise<void> | undefined;
  /** Datasources that are being rebuilt. */
  private remaining = 0;

  constructor(
    @Inject(VECTOR_STORE) private readonly vectorStore: VectorStore,
    @Inject(DoctorRepository) private readonly doctor: DoctorRepository,
    @Inject(RebuildRepository) private readonly rebuilds: RebuildRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Compares before the first request. Then checks the whole store in the background. */
  async onApplicationBootstrap(): Promise<void> {
    await this.runQuietly();
    // Damage that it finds counts as a loss.
    this.vectorStore.check().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the check of the vector store failed');
    });
  }

  async run(): Promise<void> {
    // Notices that the file was deleted or replaced.
    await this.vectorStore.ping().catch(() => undefined);
    if (this.hasLosses || performance.now() >= this.lateComparisonAt) await this.compare();
    this.remaining = await this.rebuilds.count();
  }

  /** What operators should know; null if nothing. Completes the sentence "the vector store …". */
  get warning(): string | null {
    if (!this.hasLosses && this.remaining === 0) return null;
    const { lastDamage } = this.vectorStore;
    const progress = this.hasLosses ? '' : `, ${this.remaining} documents left`;
    const file = lastDamage === null ? '' : `. The damaged file is ${lastDamage.file}`;
    return `is being rebuilt${progress}${file}`;
  }

  /** @throws ApiError `UPSTREAM_UNAVAILABLE` while the index of one of the datastores is incomplete */
  async assertSearchable(tenant: TenantScope, datastoreIds: readonly string[]): Promise<void> {
    if (this.hasLosses) {
      void this.runQuietly();
      throw rebuilding();
    }
    if (this.remaining > 0 && (await this.rebuilds.isRebuilding(tenant, datastoreIds))) throw rebuilding();
  }

  /**
   * As {@link assertSearchable}, also right after another process has started a rebuild: for searches that found nothing,
   * because "nothing" must be true.
   */
  async assertComplete(tenant: TenantScope, datastoreIds: readonly string[]): Promise<void> {
    this.remaining = await this.rebuilds.count();
    await this.assertSearchable(tenant, datastoreIds);
  }

  /**
   * Handles the failure of a search.
   *
   * @param search.space that was searched
   *
   * @returns if the search failed because of a space that no serving run is in
   * @throws ApiError `UPSTREAM_UNAVAILABLE` if the store has lost the space or is damaged; otherwise the error
   */
  async recoverFrom(
    error: unknown,
    { tenant, datastoreIds, space }: { tenant: TenantScope; datastoreIds: readonly string[]; space: string },
  ): Promise<void> {
    if (error instanceof VectorStoreUnavailableError && error.reason === 'is damaged') {
      void this.runQuietly();
      throw rebuilding(error);
    }
    if (!(error instanceof SpaceNotFoundError)) throw error;
    if (performance.now() > this.comparedAt + COMPARISON_PAUSE_MS) await this.compare();
    await this.assertComplete(tenant, datastoreIds);
    // The comparison has not noticed the loss yet.
    if (await this.rebuilds.isServedFrom(tenant, datastoreIds, space)) throw rebuilding(error);
  }

  private get hasLosses(): boolean {
    return this.vectorStore.losses !== this.comparedLosses;
  }

  private async runQuietly(): Promise<void> {
    await this.run().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'the comparison with the vector store failed and will be tried again'),
    );
  }

  private async compare(): Promise<void> {
    this.comparison ??= this.compareAll().finally(() => (this.comparison = undefined));
    return this.comparison;
  }

  private async compareAll(): Promise<void> {
    const { losses, lastDamage } = this.vectorStore;
    const stored = await scanStoredRuns(this.vectorStore);
    const lost = await findIncompleteRuns(this.vectorStore, this.doctor, stored);
    if (lost.length > 0) {
      this.logger.error(
        { documents: lost.length, damage: lastDamage },
        'the vector store has lost points, which are now rebuilt',
      );
      await this.rebuilds.start(lost);
    }
    this.remaining = await this.rebuilds.count();
    const isFirst = this.comparedAt === -Infinity && lost.length === 0;
    this.lateComparisonAt =
      losses === this.comparedLosses || isFirst ? Infinity : performance.now() + LATE_COMPARISON_MS;
    this.comparedAt = performance.now();
    this.comparedLosses = losses;
  }
}

function rebuilding(cause?: unknown): ApiError {
  return new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'The search index was damaged and is being rebuilt from the stored documents. Ask again later.',
    { retryAfterSeconds: RETRY_SECONDS, ...(cause === undefined ? {} : { cause }) },
  );
}
