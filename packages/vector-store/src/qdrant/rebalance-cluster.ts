import { setTimeout as sleep } from 'node:timers/promises';
import type { QdrantClient, Schemas } from '@qdrant/js-client-rest';
import { VectorStoreError } from '../vector-store.errors.js';
import { callQdrant } from './qdrant-call.js';
import { QdrantNodes } from './qdrant-nodes.js';
import type { QdrantVectorStoreOptions } from './qdrant-vector-store.adapter.js';
import { nextReplicaChange, type Replica, type ReplicaChange } from './replica-plan.js';

const POLL_MS = 500;
const RETRY_BUDGET_MS = 30_000;

/** A change of the cluster. A node is removed when it is lost and has no replica any more. */
export type ClusterChange = ReplicaChange | { readonly kind: 'remove'; readonly peer: number };

export interface RebalanceOptions extends Pick<
  QdrantVectorStoreOptions,
  'urls' | 'apiKey' | 'collectionPrefix' | 'writeConsistency'
> {
  /** Wanted replicas of each shard. */
  readonly replicas: number;
  /** Is called before each change. */
  readonly onChange: (collection: string, change: ClusterChange) => void;
}

/**
 * Gives every shard of all collections the wanted number of replicas on nodes that can be reached, spreads them over the
 * nodes, and takes nodes that are lost and have no replica any more out of the cluster. Queries and writes go on.
 *
 * @throws VectorStoreError if the server is no cluster
 */
export async function rebalanceCluster(options: RebalanceOptions): Promise<void> {
  const { replicas, onChange, collectionPrefix = 'citewell_' } = options;
  const nodes = new QdrantNodes(options.urls, options.apiKey, RETRY_BUDGET_MS);
  const call = <T>(work: (client: QdrantClient) => Promise<T>): Promise<T> =>
    callQdrant(nodes, RETRY_BUDGET_MS, work);

  const { collections } = await call((client) => client.getCollections());
  for (const { name } of collections.filter((one) => one.name.startsWith(collectionPrefix))) {
    await call((client) =>
      client.updateCollection(name, {
        params: {
          replication_factor: replicas,
          write_consistency_factor: options.writeConsistency ?? 1,
        },
      }),
    );
    for (;;) {
      const info = await call((client) => client.collectionClusterInfo(name));
      if (info.shard_transfers.length > 0) {
        await sleep(POLL_MS);
        continue;
      }
      const { reachable } = await readPeers(call);
      const change = nextReplicaChange(toReplicas(info, reachable), reachable, replicas);
      if (change === null) break;
      onChange(name, change);
      await call((client) => client.updateCollectionCluster(name, toOperation(change)));
      await sleep(POLL_MS);
    }
  }
  const { lost } = await readPeers(call);
  for (const peer of lost) {
    onChange('', { kind: 'remove', peer });
    await call((client) => client.api().removePeer({ peer_id: peer }));
  }
}

type Call = <T>(work: (client: QdrantClient) => Promise<T>) => Promise<T>;

/** The nodes of the cluster. A node is lost while the leader cannot send to it. */
async function readPeers(call: Call): Promise<{ reachable: number[]; lost: number[] }> {
  const { data } = await call((client) => client.api().clusterStatus({}));
  const status = data.result;
  if (status?.status !== 'enabled') throw new VectorStoreError('Qdrant is a single server, and no cluster.');
  const failures = new Set(Object.keys(status.message_send_failures));
  const peers = Object.entries(status.peers).map(([id, peer]) => ({ id: Number(id), uri: peer?.uri ?? '' }));
  return {
    reachable: peers.filter(({ uri }) => !failures.has(uri)).map(({ id }) => id),
    lost: peers.filter(({ uri }) => failures.has(uri)).map(({ id }) => id),
  };
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
