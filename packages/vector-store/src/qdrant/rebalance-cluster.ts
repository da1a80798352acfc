import { setTimeout as sleep } from 'node:timers/promises';
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { VectorStoreUnavailableError } from '../vector-store.errors.js';
import { callQdrant, QdrantNodes } from './qdrant-call.js';
import {
  COLLECTION_PREFIX,
  type QdrantStorageOptions,
  toSpace,
  toStorageChange,
} from './qdrant-collection.js';
import type { QdrantVectorStoreOptions } from './qdrant-vector-store.adapter.js';

const POLL_MS = 500;
const RETRY_BUDGET_MS = 30_000;
/** Of a request to a node that may be paused. */
const LEADER_TIMEOUT_MS = 2_000;

/** A change of the cluster. A node is removed when it is lost and has no replica any more. */
export type ClusterChange = ReplicaChange | { readonly kind: 'remove'; readonly peer: number };

export interface RebalanceOptions
  extends QdrantStorageOptions, Pick<QdrantVectorStoreOptions, 'urls' | 'apiKey'> {
  /** Is called before each change. */
  readonly onChange: (collection: string, change: ClusterChange) => void;
}

/**
 * Gives all collections these settings of storage, and every shard the wanted number of replicas on nodes that can be
 * reached. Spreads them over the nodes, and takes nodes that are lost and have no replica any more out of the
 * cluster. Queries and writes go on. On a single server, only the settings of storage change.
 */
export async function rebalanceCluster(options: RebalanceOptions): Promise<void> {
  const { urls, apiKey, replicas = 1, onChange } = options;
  const nodes = new QdrantNodes(urls, apiKey, RETRY_BUDGET_MS);
  const call = <T>(work: (client: QdrantClient) => Promise<T>): Promise<T> =>
    callQdrant(nodes, RETRY_BUDGET_MS, work);

  const all = await call((client) => client.getCollections());
  const names = all.collections.map(({ name }) => name).filter((name) => name.startsWith(COLLECTION_PREFIX));
  for (const name of names) {
    const space = toSpace(name, await call((client) => client.getCollection(name)));
    await call((client) => client.updateCollection(name, toStorageChange(space, options)));
  }
  const { data } = await call((client) => client.api().clusterStatus({}));
  if (data.result?.status !== 'enabled') return;

  for (const name of names) {
    for (;;) {
      const info = await call((client) => client.collectionClusterInfo(name));
      if (info.shard_transfers.length > 0) {
        await sleep(POLL_MS);
        continue;
      }
      const { reachable } = await readPeers(options);
      const change = nextReplicaChange(toReplicas(info, reachable), reachable, replicas);
      if (change === null) break;
      onChange(name, change);
      await call((client) => client.updateCollectionCluster(name, toOperation(change)));
      await sleep(POLL_MS);
    }
  }
  const { lost } = await readPeers(options);
  for (const peer of lost) {
    onChange('', { kind: 'remove', peer });
    await call((client) => client.api().removePeer({ peer_id: peer }));
  }
}

/**
 * The nodes of the cluster. A node is lost while the leader cannot send to it. Another node is not asked: it may remember a
 * failure of the time when it was the leader.
 *
 * @throws VectorStoreUnavailableError if none of the URLs is that of the leader
 */
async function readPeers({
  urls,
  apiKey,
}: RebalanceOptions): Promise<{ reachable: number[]; lost: number[] }> {
  const deadline = performance.now() + RETRY_BUDGET_MS;
  for (let turn = 0; performance.now() < deadline; turn += 1) {
    const node = new QdrantNodes(urls, apiKey, LEADER_TIMEOUT_MS, turn % urls.length).current;
    const answer = await node
      .api()
      .clusterStatus({})
      .catch(() => null);
    const status = answer?.data.result;
    if (status?.status !== 'enabled' || status.raft_info.role !== 'Leader') {
      await sleep(POLL_MS / urls.length);
      continue;
    }
    const failures = new Set(Object.keys(status.message_send_failures));
    const peers = Object.entries(status.peers).map(([id, peer]) => ({
      id: Number(id),
      uri: peer?.uri ?? '',
    }));
    return {
      reachable: peers.filter(({ uri }) => !failures.has(uri)).map(({ id }) => id),
      lost: peers.filter(({ uri }) => failures.has(uri)).map(({ id }) => id),
    };
  }
  throw new VectorStoreUnavailableError(
    'The leader of the Qdrant cluster does not answer: QDRANT_URL must list all nodes.',
  );
}

/** A replica on a node that is lost stays `Active` until a write to it fails, and is not. */
function toReplicas(info: Schemas['CollectionClusterInfo'], reachable: readonly number[]): Replica[] {
  const local = info.local_shards.map((shard) => ({ ...shard, peer_id: info.peer_id }));
  return [...local, ...info.remote_shards].map(({ shard_id: shard, peer_id: peer, state }) => ({
    shard,
    peer,
    isActive: state === 'Active' && reachable.includes(peer),
  }));
}

function toOperation(change: ReplicaChange): Schemas['ClusterOperations'] {
  if (change.kind === 'drop') return { drop_replica: { shard_id: change.shard, peer_id: change.peer } };
  const transfer = { shard_id: change.shard, from_peer_id: change.from, to_peer_id: change.to };
  return change.kind === 'copy' ? { replicate_shard: transfer } : { move_shard: transfer };
}

/** A replica of a shard on a node of the cluster. Qdrant calls a node a peer. */
export interface Replica {
  readonly shard: number;
  readonly peer: number;
  /** Whether it has all points and answers queries. */
  readonly isActive: boolean;
}

/** One change of a collection. The next one is planned when it is done. */
type ReplicaChange =
  | { readonly kind: 'copy'; readonly shard: number; readonly from: number; readonly to: number }
  | { readonly kind: 'move'; readonly shard: number; readonly from: number; readonly to: number }
  | { readonly kind: 'drop'; readonly shard: number; readonly peer: number };

/**
 * The next change towards a collection in which every shard has the wanted number of active replicas, on different
 * nodes, and no node has two replicas more than another. Null if there is nothing to do. A replica is dropped only while
 * enough others are active, so that nothing is lost and reads go on.
 *
 * @param peers nodes that can be reached
 * @param wanted replicas of each shard; as many as there are nodes, if they are fewer
 */
export function nextReplicaChange(
  replicas: readonly Replica[],
  peers: readonly number[],
  wanted: number,
): ReplicaChange | null {
  const target = Math.min(wanted, peers.length);
  const load = (peer: number): number => replicas.filter((replica) => replica.peer === peer).length;
  const byLoad = peers.toSorted((a, b) => load(a) - load(b));
  const shards = [...Map.groupBy(replicas, ({ shard }) => shard)].toSorted(([a], [b]) => a - b);

  for (const [shard, all] of shards) {
    const active = all.filter(({ isActive }) => isActive);
    const [source] = active;
    const to = byLoad.find((peer) => !all.some((replica) => replica.peer === peer));
    if (source !== undefined && active.length < target && to !== undefined)
      return { kind: 'copy', shard, from: source.peer, to };
  }
  for (const [shard, all] of shards) {
    const active = all.filter(({ isActive }) => isActive);
    if (active.length < target) continue;
    // A replica that is not active on a node that can be reached is being recovered there.
    const lost = all.find(({ isActive, peer }) => !isActive && !peers.includes(peer));
    if (lost !== undefined) return { kind: 'drop', shard, peer: lost.peer };
    const fullest = active.toSorted((a, b) => load(b.peer) - load(a.peer))[0];
    if (active.length > target && fullest !== undefined) return { kind: 'drop', shard, peer: fullest.peer };
  }
  const [emptiest] = byLoad;
  const fullest = byLoad.at(-1);
  if (emptiest === undefined || fullest === undefined || load(fullest) - load(emptiest) < 2) return null;
  const movable = shards.find(
    ([, all]) =>
      all.some(({ peer, isActive }) => peer === fullest && isActive) &&
      !all.some(({ peer }) => peer === emptiest),
  );
  return movable === undefined ? null : { kind: 'move', shard: movable[0], from: fullest, to: emptiest };
}
