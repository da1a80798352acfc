// Three Qdrant nodes during ingestion and questions: each in turn is killed, paused and replaced by an empty one, and the
// number of replicas changes. Needs the program of Qdrant 1.19 or newer: QDRANT_BINARY=/path npm run soak -- qdrant-cluster
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../client/tenant.js';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import { type Deployment, runCitewell } from '../deployments/deployment.js';
import { startScaled } from '../deployments/scaled.deployment.js';
import { findLost } from './faults/find-lost.js';
import { MixedLoad } from './faults/mixed-load.js';
import { errorsOf } from './faults/request-log.js';
import { QdrantNode } from './qdrant-cluster/qdrant-node.js';
import { report as print } from '../report.js';

const binary = process.env['QDRANT_BINARY'];
const FAULT_SECONDS = 12;
/** Time in which a cluster has to answer as before after a node is back. */
const RECOVERY_SECONDS = 30;

if (binary === undefined) it.skip('Qdrant cluster: set QDRANT_BINARY', () => undefined);
else clusterSuite(binary);

function clusterSuite(program: string): void {
  let directory: string;
  let nodes: QdrantNode[] = [];
  let deployment: Deployment;
  let tenant: Tenant;
  let datastoreId: string;
  let load: MixedLoad;
  let shownAt = 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'citewell-qdrant-'));
    const first = await QdrantNode.create(program, directory, null);
    nodes = [
      first,
      await QdrantNode.create(program, directory, first),
      await QdrantNode.create(program, directory, first),
    ];
    for (const node of nodes) await node.start();
    process.env['QDRANT_URL'] = nodes.map(({ url }) => url).join();
    deployment = await startScaled({ QDRANT_SHARDS: '3', QDRANT_REPLICAS: '2', RATE_LIMIT_PER_MINUTE: '0' });
    ({ tenant } = deployment);
    datastoreId = (await tenant.datastore('Harbours')).id;
    const apis = [new ApiClient(deployment.baseUrl, deployment.apiKey)];
    load = new MixedLoad({ apis, datastoreId, perSecond: { text: 5, search: 10 } });
    await sleep(10_000);
    show('no fault');
  });
  afterAll(async () => {
    await deployment.stop();
    for (const node of nodes) await node.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const rebalance = (replicas: string) =>
    runCitewell({ QDRANT_URL: process.env['QDRANT_URL'] ?? '', QDRANT_REPLICAS: replicas }, ['rebalance']);

  function show(what: string): void {
    const now = performance.now();
    const requests = load.log.between(shownAt, now);
    const wrong = load.log.wrongAnswers.filter(({ at }) => at >= shownAt && at < now);
    shownAt = now;
    const searches = requests.filter(({ kind, code }) => kind === 'search' && code === null);
    const sorted = searches.map(({ startedAt, endedAt }) => endedAt - startedAt).toSorted((a, b) => a - b);
    const [p50, p99] = [0.5, 0.99].map((share) =>
      Math.round(sorted[Math.floor(share * sorted.length)] ?? NaN),
    );
    const accepted = requests.filter(({ kind, code }) => kind === 'text' && code === null);
    print(
      `${what}: ${accepted.length} accepted, ${searches.length} searches, wrong ${wrong.length}, errors ${errorsOf(requests)}, p50 ${p50} ms, p99 ${p99} ms`,
    );
    expect([what, wrong]).toEqual([what, []]);
  }

  it.each([0, 1, 2])('node %i is killed', async (index) => {
    await nodes[index]?.kill();
    await sleep(FAULT_SECONDS * 1_000);
    show(`node ${index} killed`);
    await nodes[index]?.start();
    await sleep(RECOVERY_SECONDS * 1_000);
    show(`node ${index} back`);
  });

  it.each([0, 1, 2])('node %i is paused', async (index) => {
    nodes[index]?.pause();
    await sleep(FAULT_SECONDS * 1_000);
    show(`node ${index} paused`);
    nodes[index]?.resume();
    await sleep(RECOVERY_SECONDS * 1_000);
    show(`node ${index} resumed`);
  });

  it('a node is replaced by an empty one', async () => {
    await nodes[1]?.kill();
    await sleep(FAULT_SECONDS * 1_000);
    // Qdrant accepts no node with the address of one that it knows.
    const forgotten = await rebalance('2');
    print(forgotten.output);
    expect(forgotten).toEqual({ code: 0, output: expect.stringMatching(/copying shard[^]*removing node/) });
    show('node 1 lost and taken out');
    await nodes[1]?.startEmpty();
    const replaced = await rebalance('2');
    print(replaced.output);
    expect(replaced).toEqual({ code: 0, output: expect.stringMatching(/moving shard/) });
    show('node 1 replaced');
  });

  it('the number of replicas changes', async () => {
    for (const replicas of ['3', '2']) {
      const { code, output } = await rebalance(replicas);
      print(output);
      expect([code, output]).toEqual([0, expect.any(String)]);
      show(`${replicas} replicas`);
    }
  });

  it('has lost nothing', async () => {
    await load.stop();
    expect(await findLost(load, tenant, datastoreId, 120_000)).toEqual([]);
    print(`${load.documents.length} texts accepted, all found`);
    const { code, output } = await deployment.citewell('doctor');
    expect([code, output]).toEqual([0, expect.any(String)]);
  });
}
