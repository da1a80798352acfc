import { type ContradictoryDatasource, TenantScope } from '@citewell/database';
import { type Finding, findingOf, type Patient } from './finding.js';

/** Far beyond any lease and any delivery: who is alive has taken it up by then. */
const PATIENCE_SECONDS = 15 * 60;

const idOf = ({ id }: { id: string }): string => id;

/** The tables agree with each other, and nothing waits that somebody should have done. */
export async function checkRows({ doctor, datasources }: Patient): Promise<Finding[]> {
  const resolve = async (found: readonly ContradictoryDatasource[]): Promise<string> => {
    for (const datasource of found) {
      if (datasource.serves) {
        await doctor.settleStatus(datasource);
      } else {
        await doctor.forgetServingRun(datasource);
        await datasources.sync(new TenantScope(datasource.organizationId), datasource.id, 'sync');
      }
    }
    return 'those that serve are called synched, the others are being read anew';
  };
  return [
    ...findingOf(
      'datasources have a status that contradicts what they have',
      await doctor.contradictoryDatasources(),
      idOf,
      {
        repair: resolve,
      },
    ),
    ...findingOf(
      'organizations have a wrong count of stored characters',
      await doctor.miscountedOrganizations(),
      idOf,
      {
        repair: async (found) => {
          for (const { id } of found) await doctor.recountStorage(id);
          return 'they are counted anew';
        },
      },
    ),
    ...findingOf('runs are stuck beyond any lease', await doctor.stuckRuns(PATIENCE_SECONDS), idOf, {
      repair: async (found) => {
        await doctor.releaseRuns(found.map(idOf), PATIENCE_SECONDS);
        return 'they wait for a worker again';
      },
    }),
    ...findingOf('purges are overdue', await doctor.overduePurges(PATIENCE_SECONDS), idOf, {
      repair: async (found) => {
        await doctor.hurryPurges(found.map(idOf));
        return 'they are due again';
      },
    }),
    ...findingOf(
      'datasources or datastores have something to purge and no purge',
      await doctor.unpurged(),
      idOf,
      {
        repair: async (found) => {
          await doctor.addPurges(found);
          return 'they have one now';
        },
      },
    ),
  ];
}
