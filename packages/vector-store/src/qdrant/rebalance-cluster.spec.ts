import { describe, expect, it } from '@jest/globals';
import { nextReplicaChange, type Replica } from './rebalance-cluster.js';

/** Replicas from a picture such as `1:ab 2:b!c`: shard 1 on the peers a and b, shard 2 on b, where it is not active, and c. */
function replicasOf(picture: string): Replica[] {
  return picture.split(' ').flatMap((part) => {
    const [shard, peers = ''] = part.split(':');
    return [...peers.matchAll(/([a-z])(!?)/g)].map(([, peer = '', dead]) => ({
      shard: Number(shard),
      peer: peer.charCodeAt(0),
      isActive: dead === '',
    }));
  });
}
const peersOf = (letters: string): number[] => [...letters].map((letter) => letter.charCodeAt(0));
const letter = (peer: number): string => String.fromCharCode(peer);

function next(picture: string, peers: string, wanted: number): string | null {
  const change = nextReplicaChange(replicasOf(picture), peersOf(peers), wanted);
  if (change === null) return null;
  if (change.kind === 'drop') return `drop ${change.shard} on ${letter(change.peer)}`;
  return `${change.kind} ${change.shard} from ${letter(change.from)} to ${letter(change.to)}`;
}

describe('nextReplicaChange', () => {
  it.each<[situation: string, replicas: string, peers: string, wanted: number, change: string | null]>([
    ['nothing to do', '1:ab 2:bc 3:ca', 'abc', 2, null],
    ['one node', '1:a 2:a', 'a', 2, null],
    ['a second replica is wanted', '1:a 2:b 3:c', 'abc', 2, 'copy 1 from a to b'],
    ['to the node with the fewest', '1:ab 2:ab 3:a', 'abc', 2, 'copy 3 from a to c'],
    ['a node is lost: its shards are copied first', '1:ab! 2:b!c 3:ca', 'ac', 2, 'copy 1 from a to c'],
    ['then its replicas are dropped', '1:ab!c 2:b!ca 3:ca', 'ac', 2, 'drop 1 on b'],
    ['never the last active replica', '1:b!', 'ac', 2, null],
    ['a replica that is being recovered is left alone', '1:ab!c', 'abc', 2, null],
    ['an empty node replaces a lost one', '1:ab! 2:b!c 3:ca', 'acd', 2, 'copy 1 from a to d'],
    ['fewer replicas are wanted', '1:abc 2:abc', 'abc', 2, 'drop 1 on a'],
    ['a new node gets its share', '1:ab 2:ab 3:ab', 'abc', 2, 'move 1 from b to c'],
    ['a difference of one stays', '1:ab 2:ac', 'abc', 2, null],
  ])('%s', (_, replicas, peers, wanted, change) => {
    expect(next(replicas, peers, wanted)).toBe(change);
  });

  it('ends from any start, with each shard on the wanted number of nodes', () => {
    for (let start = 0; start < 200; start += 1) {
      const peers = peersOf('abcde').slice(0, 2 + (start % 4));
      let replicas: Replica[] = Array.from({ length: 6 }, (_, shard) => ({
        shard,
        peer: peers[(start * 7 + shard * (1 + (start % 3))) % peers.length] ?? NaN,
        isActive: true,
      }));
      let changes = 0;
      for (; ; changes += 1) {
        const change = nextReplicaChange(replicas, peers, 2);
        if (change === null) break;
        expect(changes).toBeLessThan(40);
        if (change.kind !== 'copy') {
          const gone = change.kind === 'drop' ? change.peer : change.from;
          replicas = replicas.filter(({ shard, peer }) => shard !== change.shard || peer !== gone);
        }
        if (change.kind !== 'drop') replicas.push({ shard: change.shard, peer: change.to, isActive: true });
      }
      for (let shard = 0; shard < 6; shard += 1)
        expect(new Set(replicas.filter((one) => one.shard === shard).map(({ peer }) => peer)).size).toBe(2);
    }
  });
});
