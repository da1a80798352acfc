// A rolling upgrade under load: the schema is migrated while processes of the previous release work, then each process is
// replaced by one of this release. PREVIOUS_RELEASE is the folder of a checkout of the previous release, prepared with
// `node scripts/prepare.mjs`. Without it, both are this release, and the test is a rolling restart.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';
import { Tenant } from '../client/tenant.js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import { API_KEY, type CommandOutcome, waitUntilReady } from '../deployments/deployment.js';
import { SCALED_APPS, type ScaledApp, ScaledDeployment } from '../deployments/scaled.deployment.js';
import { findLost } from './faults/find-lost.js';
import { MixedLoad } from './faults/mixed-load.js';
import { errorsOf } from './faults/request-log.js';
import { report } from '../report.js';
import { Balancer } from './rolling-upgrade/balancer.js';

const PREVIOUS = process.env['PREVIOUS_RELEASE'];
/** Of each app. */
const PROCESSES = 2;
/** Time without new requests before an API ends, as `preStop` of the Helm chart waits. */
const LEAVE_MS = 5_000;
const LOAD_MS = 10_000;

let engines: ScaledDeployment;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let balancer: Balancer;
let tenant: Tenant;
let datastoreId: string;
let load: MixedLoad;
let shownAt = 0;
const running = new Map<RunningProcess, { app: ScaledApp; origin: string }>();

function programOf(app: string, root: string | undefined): string {
  const program = `apps/${app}/dist/main.js`;
  return root === undefined ? program : `${root}/${program}`;
}

async function migrate(root: string | undefined): Promise<CommandOutcome> {
  const command = RunningProcess.start('migrate', programOf('cli', root), {
    env: engines.environment,
    args: ['migrate'],
  });
  return { code: await command.exited, output: command.output };
}

async function start(app: ScaledApp, root: string | undefined): Promise<void> {
  const env = { ...engines.environment, CITEWELL_API_KEY: API_KEY, PORT: '0' };
  const started = RunningProcess.start(app, programOf(app, root), { env });
  let origin = '';
  if (app === 'api') {
    origin = await started.waitForOutput(/"url":"(http[^"]+)"/);
    await waitUntilReady(origin, [started]);
    balancer.add(origin);
  } else await started.waitForOutput(/"msg":"ready"/);
  running.set(started, { app, origin });
}

/** Replaces all processes of an app, one after the other. */
async function replace(app: ScaledApp): Promise<void> {
  for (const [old, { origin }] of [...running].filter(([, one]) => one.app === app)) {
    await start(app, undefined);
    if (app === 'api') {
      balancer.remove(origin);
      await sleep(LEAVE_MS);
    }
    await old.stop();
    expect([app, await old.exited]).toEqual([app, 0]);
    running.delete(old);
  }
}

/** Checks the requests since the last call. */
function show(what: string): void {
  const now = performance.now();
  const requests = load.log.between(shownAt, now);
  const wrong = load.log.wrongAnswers.filter(({ at }) => at >= shownAt);
  shownAt = now;
  const errors = errorsOf(requests);
  report(`${what}: ${requests.length} requests, wrong ${wrong.length}, errors ${errors}`);
  expect([what, wrong, errors]).toEqual([what, [], 'none']);
}

beforeAll(async () => {
  database = await createTestDatabase();
  balancer = await Balancer.start();
  engines = await ScaledDeployment.start({ DATABASE_URL: database.url, RATE_LIMIT_PER_MINUTE: '0' }, []);
  expect(await migrate(PREVIOUS)).toMatchObject({ code: 0 });
  for (const app of SCALED_APPS) for (let n = 0; n < PROCESSES; n += 1) await start(app, PREVIOUS);
  tenant = Tenant.withKey(`${balancer.origin}/api`, API_KEY);
  datastoreId = (await tenant.datastore('Harbours')).id;
  const apis = [new ApiClient(`${balancer.origin}/api`, API_KEY)];
  load = new MixedLoad({ apis, datastoreId, perSecond: { text: 8, search: 10, delete: 1 } });
  await sleep(LOAD_MS);
});
afterAll(async () => {
  await Promise.all([...running.keys()].map((one) => one.stop()));
  await balancer.stop();
  await engines.stop();
  await database.drop();
});

it('migrates the schema while the previous release works', async () => {
  show('before');
  const { code, output } = await migrate(undefined);
  report(output.trim());
  expect(code).toBe(0);
  await sleep(LOAD_MS);
  show('previous release, new schema');
});

it.each([...SCALED_APPS])('replaces the processes of %s without a failed request', async (app) => {
  await replace(app);
  await sleep(LOAD_MS);
  show(`${app} replaced`);
});

it('has lost nothing', async () => {
  await load.stop();
  expect(await findLost(load, tenant, datastoreId, 120_000)).toEqual([]);
  report(`${load.documents.length} texts accepted, none lost`);
  expect(await engines.citewell('doctor')).toMatchObject({ code: 0 });
});
