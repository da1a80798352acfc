import type { Citewell, DatasourceStatus } from '@citewell/sdk';
import { defineCommand, wholeNumber } from '../define-command.js';
import { connect } from '../connect.js';
import { datastoresOf, requireByIdOrName } from '../named-collection.js';
import { print } from '../terminal/output.js';
import { inOneLine, toColumns } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const HELP = `citewell ls [datasources | datastores | agents]

Lists datasources (the default), datastores or agents, newest first.

  --datastore <id or name>  only the datasources of this datastore
  --group <id>              only the pages of this web site
  --status <status>         only this status: unsynched, running, synched, error or usage_limit_reached
  --limit <n>               maximum number of lines, default 1000
  --json                    one JSON object per line`;

const OPTIONS = {
  datastore: { type: 'string' },
  group: { type: 'string' },
  status: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const STATUSES: readonly DatasourceStatus[] = [
  'unsynched',
  'running',
  'synched',
  'error',
  'usage_limit_reached',
];
const DEFAULT_LIMIT = 1_000;
const MAX_PAGE_SIZE = 100;

/** The items to list, and the columns of an item. */
interface Listing<Item> {
  items: AsyncIterable<Item>;
  toRow(item: Item): string[];
}

export const run = defineCommand(
  { help: HELP, options: OPTIONS, positionals: [0, 1] },
  async ({ datastore, group, status, limit: limitText, json: isJson = false }, [kind = 'datasources']) => {
    const limit = wholeNumber('limit', limitText, [1, 1_000_000]) ?? DEFAULT_LIMIT;
    const filters = { datastore, group, status: toStatus(status) };
    if (kind !== 'datasources' && Object.values(filters).some((filter) => filter !== undefined))
      throw new UsageError('--datastore, --group and --status can only be used with datasources.');
    const page = { limit: Math.min(limit, MAX_PAGE_SIZE) };
    switch (kind) {
      case 'datasources':
        return printListing(await datasources(connect(), filters, page), limit, isJson);
      case 'datastores':
        return printListing(
          { items: connect().datastores.list(page), toRow: ({ id, name }) => [id, inOneLine(name)] },
          limit,
          isJson,
        );
      case 'agents':
        return printListing(
          {
            items: connect().agents.list(page),
            toRow: ({ id, modelName, name }) => [id, modelName, inOneLine(name)],
          },
          limit,
          isJson,
        );
      default:
        throw new UsageError(`Cannot list "${kind}". Use datasources, datastores or agents.`);
    }
  },
);

async function datasources(
  client: Citewell,
  {
    datastore,
    group,
    status,
  }: { datastore: string | undefined; group: string | undefined; status: DatasourceStatus | undefined },
  page: { limit: number },
) {
  const datastoreId =
    datastore === undefined ? undefined : (await requireByIdOrName(datastoresOf(client), datastore)).id;
  return {
    items: client.datasources.list({ ...page, datastoreId, groupId: group, status }),
    toRow: ({ id, status: datasourceStatus, type, lastSynch, name }) => [
      id,
      datasourceStatus,
      type,
      lastSynch ?? '-',
      inOneLine(name),
    ],
  } satisfies Listing<Awaited<ReturnType<typeof client.datasources.get>>>;
}

async function printListing<Item>(
  { items, toRow }: Listing<Item>,
  limit: number,
  isJson: boolean,
): Promise<number> {
  const listed: Item[] = [];
  for await (const item of items) {
    listed.push(item);
    if (listed.length === limit) break;
  }
  if (listed.length === 0) return 0;
  print(isJson ? listed.map((item) => JSON.stringify(item)).join('\n') : toColumns(listed.map(toRow)));
  return 0;
}

function toStatus(text: string | undefined): DatasourceStatus | undefined {
  const status = STATUSES.find((known) => known === text);
  if (text !== undefined && status === undefined)
    throw new UsageError(`Unknown status "${text}". Use one of: ${STATUSES.join(', ')}.`);
  return status;
}
