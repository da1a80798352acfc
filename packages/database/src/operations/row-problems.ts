import type {
  ContradictoryDatasource,
  DoctorRepository,
  MiscountedOrganization,
  Owned,
} from './doctor.repository.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import type { PurgeKind } from '../schema/ingestion.entities.js';

/**
 * Much longer than a lease or a delivery: a live worker would have continued the run or the purge by then.
 */
export const STUCK_AFTER_SECONDS = 15 * 60;

/** Rows that contradict each other, and runs and purges that are stuck. */
export interface RowProblems {
  wrongStatus: ContradictoryDatasource[];
  wrongCount: MiscountedOrganization[];
  stuckRuns: Owned[];
  overduePurges: Owned[];
  unpurged: (Owned & { kind: PurgeKind })[];
}

/** What the affected rows are, in the plural. */
export const ROW_PROBLEMS: Readonly<Record<keyof RowProblems, string>> = {
  wrongStatus: 'datasources with a wrong status',
  wrongCount: 'organizations with a wrong count of stored characters',
  stuckRuns: 'stuck runs',
  overduePurges: 'overdue purges',
  unpurged: 'datasources or datastores with data to purge, but without a purge',
};

/** @param scope null for all organizations */
export async function findRowProblems(
  doctor: DoctorRepository,
  scope: TenantScope | null,
): Promise<RowProblems> {
  return {
    wrongStatus: await doctor.contradictoryDatasources(scope),
    wrongCount: await doctor.miscountedOrganizations(scope),
    stuckRuns: await doctor.stuckRuns(scope, STUCK_AFTER_SECONDS),
    overduePurges: await doctor.overduePurges(scope, STUCK_AFTER_SECONDS),
    unpurged: await doctor.unpurged(scope),
  };
}
