import { type Config, loadConfig } from '@citewell/config';
import { qdrantStorageOf } from '@citewell/infrastructure';
import type { ClusterChange } from '@citewell/vector-store/qdrant';
import { defineCommand } from '../define-command.js';
import { type Output, standardOutput } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';

const HELP = `Gives every shard of the vectors QDRANT_REPLICAS replicas, on different nodes of the Qdrant cluster, and spreads them
evenly. Run this command after QDRANT_REPLICAS, QDRANT_QUANTIZATION or QDRANT_VECTORS_ON_DISK has changed, after a node was
added, and after one was lost for good: it copies what the lost node had, and takes that node out of the
cluster. Questions and ingestion go on meanwhile. The number of shards is fixed when a collection is created (QDRANT_SHARDS).`;

export const run = defineCommand(
  { usage: 'citewell rebalance', help: HELP, options: {}, positionals: { maximum: 0 } },
  async (
    _options,
    _positionals,
    { config = loadConfig(), output = standardOutput }: { config?: Config; output?: Output } = {},
  ) => {
    if (config.QDRANT_URL === undefined)
      throw new UsageError(
        'The vectors are in the data directory: QDRANT_URL is not set. There is nothing to balance.',
      );
    const { rebalanceCluster } = await import('@citewell/vector-store/qdrant');
    let changes = 0;
    await rebalanceCluster({
      urls: config.QDRANT_URL,
      apiKey: config.QDRANT_API_KEY,
      ...qdrantStorageOf(config),
      onChange: (collection, change) => {
        changes += 1;
        output.write(`${describe(collection, change)}\n`);
      },
    });
    output.write(
      changes === 0
        ? 'The collections have the settings, and the replicas are balanced.\n'
        : `Balanced with ${changes} changes.\n`,
    );
    return 0;
  },
);

function describe(collection: string, change: ClusterChange): string {
  if (change.kind === 'remove') return `removing node ${change.peer}, which cannot be reached`;
  const replica = `shard ${change.shard} of ${collection}`;
  if (change.kind === 'drop') return `dropping ${replica} on node ${change.peer}`;
  return `${change.kind === 'copy' ? 'copying' : 'moving'} ${replica} from node ${change.from} to ${change.to}`;
}
