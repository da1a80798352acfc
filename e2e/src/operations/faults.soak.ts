// Two API and six worker processes under a mixed load, while each dependency in turn is killed, paused, slowed and cut, a
// disk fills and a clock jumps.
//
//   QDRANT_BINARY=/path npm run soak -- faults        30 minutes; Qdrant is a stand-in without QDRANT_BINARY
//   FAULTS_MINUTES=3 FAULTS=redis,clock npm run soak -- faults.soak      only faults whose name has one of these words
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../client/tenant.js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { FaultReport } from './faults/fault-report.js';
import { findLost } from './faults/find-lost.js';
import { faultsOf } from './faults/faults.js';
import { FaultyDeployment } from './faults/faulty.deployment.js';
import { MixedLoad } from './faults/mixed-load.js';
import { SiteLoad } from './faults/site-load.js';
import { report as print } from '../report.js';
import { takeInventory } from './resilience/inventory.js';

const MINUTES = Number(process.env['FAULTS_MINUTES'] ?? 30);
const FAULT_MS = 10_000;
const CALM_MS = 20_000;

const PAGES = Math.min(300, Math.ceil(MINUTES * 60));
const PER_SECOND = { text: 0.4, file: 0.1, search: 0.8, answer: 0.3, delete: 0.2 };
/** Time in which everything has to work again after a dependency is back. */
const RECOVERY_MS = 30_000;
const LONGEST_WAIT_MS = 120_000;

let deployment: FaultyDeployment;
let tenant: Tenant;
let datastoreId: string;
let load: MixedLoad;
let site: SiteLoad;
let passed = false;

beforeAll(async () => {
  deployment = await FaultyDeployment.start();
  ({ tenant } = deployment.scaled);
  datastoreId = (await tenant.datastore('Boats')).id;
  const { id: agentId } = await tenant.agent({ name: 'Harbour master', datastoreIds: [datastoreId] });
  site = await SiteLoad.start(tenant, PAGES);
  load = new MixedLoad({ apis: deployment.apis, datastoreId, agentId, perSecond: PER_SECOND });
});
afterAll(async () => {
  await deployment.stop({ keepFiles: !passed });
});

it('loses nothing, answers nothing wrongly, and recovers from every fault', async () => {
  const words = process.env['FAULTS']?.split(',') ?? [''];
  const faults = faultsOf(deployment).filter(({ name }) => words.some((word) => name.includes(word)));
  const slotMs = Math.max(1, MINUTES * 60_000 - CALM_MS) / faults.length;
  const report = new FaultReport(load, site);
  await report.during('no fault', async () => sleep(CALM_MS));
  for (const { name, begin, end } of faults) {
    const started = performance.now();
    await report.during(name, async () => {
      await begin();
      await sleep(FAULT_MS);
      await end();
      const returned = performance.now();
      await report.recovered(returned, LONGEST_WAIT_MS);
      await sleep(Math.max(0, started + slotMs - performance.now()));
      return returned;
    });
  }
  print('the load ends');
  await load.stop();
  report.lost = await findLost(load, tenant, datastoreId, LONGEST_WAIT_MS);
  await site.stop();
  print(`\n${report.table()}\n`);
  print(
    `${load.documents.length} documents, ${load.log.requests.length} requests, ${site.syncs} syncs of ${PAGES} pages`,
  );
  const doctor = await deployment.scaled.citewell('doctor');
  print(doctor.output);
  const { problems } = await takeInventory(deployment.scaled);
  expect({
    lost: report.lost.map(({ document, why }) => `${document.word} ${why}`),
    wrong: load.log.wrongAnswers.map(({ what }) => what),
    unexpected: report.unexpected,
    late: report.lateThan(RECOVERY_MS),
    ended: deployment.scaled.ended,
    site: site.problems,
    problems,
    doctor: doctor.code,
  }).toEqual({
    lost: [],
    wrong: [],
    unexpected: [],
    late: [],
    ended: [],
    site: [],
    problems: [],
    doctor: 0,
  });
  passed = true;
});
