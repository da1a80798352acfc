/** A replica of a shard on a node of the cluster. Qdrant calls a node a peer. */
export interface Replica {
  readonly shard: number;
  readonly peer: number;
  /** Whether it has all points and answers queries. */
  readonly isActive: boolean;
}

/** One change of a collection. The next one is planned when it is done. */
export type ReplicaChange =
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
