import { setTimeout as sleep } from 'node:timers/promises';
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { VectorStoreUnavailableError } from '../vector-store.errors.js';
import { callQdrant } from './qdrant-call.js';
import {
  COLLECTION_PREFIX,
  type QdrantStorageOptions,
  toSpace,
  toStorageChange,
} from './qdrant-collection.js';
import { QdrantNodes } from './qdrant-nodes.js';
import type { QdrantVectorStoreOptions } from './qdrant-vector-store.adapter.js';
import { nextReplicaChange, type Replica, type ReplicaChange } from './replica-plan.js';

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
 * @throws VectorStoreUnavailableError if none of the URLs leads to the leader
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
