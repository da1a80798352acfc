import { type ContradictoryDatasource, TenantScope } from '@citewell/database';
import type { CheckContext } from './check.js';
import { type Finding, findingsFor } from './finding.js';

/**
 * Much longer than a lease or a delivery: a live worker would have continued the run or the purge by then.
 */
const STUCK_AFTER_SECONDS = 15 * 60;

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
  return [
    ...findingsFor('datasources with a wrong status', await doctor.contradictoryDatasources(), idOf, {
      repair: repairStatus,
    }),
    ...findingsFor(
      'organizations with a wrong count of stored characters',
      await doctor.miscountedOrganizations(),
      idOf,
      {
        repair: async (found) => {
          for (const { id } of found) await doctor.recountStorage(id);
          return 'The counts are corrected.';
        },
      },
    ),
    ...findingsFor('stuck runs', await doctor.stuckRuns(STUCK_AFTER_SECONDS), idOf, {
      repair: async (found) => {
        await doctor.releaseRuns(found.map(idOf), STUCK_AFTER_SECONDS);
        return 'They are released and wait for a worker.';
      },
    }),
    ...findingsFor('overdue purges', await doctor.overduePurges(STUCK_AFTER_SECONDS), idOf, {
      repair: async (found) => {
        await doctor.makePurgesDue(found.map(idOf));
        return 'They are due now.';
      },
    }),
    ...findingsFor(
      'datasources or datastores with data to purge, but without a purge',
      await doctor.unpurged(),
      idOf,
      {
        repair: async (found) => {
          await doctor.addPurges(found);
          return 'The purges are created.';
        },
      },
    ),
  ];
}
