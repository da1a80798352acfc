import {
  type ContradictoryDatasource,
  findRowProblems,
  ROW_PROBLEMS,
  STUCK_AFTER_SECONDS,
  TenantScope,
} from '@citewell/database';
import { type CheckContext, type Finding, findingsFor } from './check.js';

const idOf = ({ id }: { id: string }): string => id;

/** Checks that the tables do not contradict each other, and that no run or purge is stuck. */
export async function checkRows({ doctor, datasources }: CheckContext): Promise<Finding[]> {
  const repairStatus = async (found: readonly ContradictoryDatasource[]): Promise<string> => {
    for (const datasource of found) {
      if (datasource.serves) {
        await doctor.correctStatus(datasource);
      } else {
        await doctor.forgetServingRun(datasource);
        await datasources.sync(new TenantScope(datasource.organizationId), datasource.id, 'sync');
      }
    }
    return 'A datasource with a serving run is now synched. A datasource without one is synchronized again.';
  };
  const problems = await findRowProblems(doctor, null);
  return [
    ...findingsFor(ROW_PROBLEMS.wrongStatus, problems.wrongStatus, idOf, {
      repair: repairStatus,
    }),
    ...findingsFor(ROW_PROBLEMS.wrongCount, problems.wrongCount, idOf, {
      repair: async (found) => {
        for (const { id } of found) await doctor.recountStorage(id);
        return 'The counts are corrected.';
      },
    }),
    ...findingsFor(ROW_PROBLEMS.stuckRuns, problems.stuckRuns, idOf, {
      repair: async (found) => {
        await doctor.releaseRuns(found.map(idOf), STUCK_AFTER_SECONDS);
        return 'They are released and wait for a worker.';
      },
    }),
    ...findingsFor(ROW_PROBLEMS.overduePurges, problems.overduePurges, idOf, {
      repair: async (found) => {
        await doctor.makePurgesDue(found.map(idOf));
        return 'They are due now.';
      },
    }),
    ...findingsFor(ROW_PROBLEMS.unpurged, problems.unpurged, idOf, {
      repair: async (found) => {
        await doctor.addPurges(found);
        return 'The purges are created.';
      },
    }),
  ];
}
