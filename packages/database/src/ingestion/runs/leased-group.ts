import type { DataSource, EntityManager } from 'typeorm';
import type { DatasourceEntity } from '../../schema/content.entities.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import { assertLeased, type LeaseHolder, lockDatasourceOf, lockLivingPages, renewLocked } from './lease.js';

/** A transaction that changes pages or files of a group, under the lease of the group's run. */
export interface LeasedGroup {
  readonly manager: EntityManager;
  /** The group's. */
  readonly run: RunEntity;
  readonly group: DatasourceEntity;
  /** Datasources of pages or files that were asked for and are not deleted. They are locked. */
  readonly living: ReadonlySet<string>;
}

/**
 * Runs a transaction under the lease of a group's run, and extends the lease. It locks the group, then the pages or files,
 * then the run.
 *
 * @param partIds datasources of pages or files that the transaction changes
 * @throws LeaseLostError
 */
export async function underLease<Result>(
  dataSource: DataSource,
  holder: LeaseHolder,
  run: RunEntity,
  partIds: readonly (string | null)[],
  work: (leased: LeasedGroup) => Promise<Result>,
): Promise<Result> {
  return dataSource.transaction(async (manager) => {
    const group = await lockDatasourceOf(manager, run, 'SHARE');
    const ids = partIds.filter((id) => id !== null);
    const living = await lockLivingPages(manager, ids);
    await assertLeased(manager, holder.owner, run);
    const result = await work({ manager, run, group, living });
    await renewLocked(manager, holder, run);
    return result;
  });
}
