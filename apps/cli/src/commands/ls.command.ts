import {
  AccessDeniedError,
  type Agent,
  type ChatModel,
  type Citewell,
  type DatasourceStatus,
  type ModelName,
  NotFoundError,
  type SiteUrl,
  type UrlOutcome,
} from '@citewell/sdk';
import { defineCommand, wholeNumber } from '../define-command.js';
import { connect } from '../connect.js';
import { datastoresOf, requireByIdOrName } from '../named-collection.js';
import { inOneLine, print, styleStatus, toColumns } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';

const USAGE = 'citewell ls [datasources | datastores | agents | urls]';
const HELP = `Lists datasources (the default), datastores or agents, newest first. The columns of datasources are: id, status, type,
last sync, datastore and name. The type of an archive that another program has exported names the program, such as
"file (notion)". A datasource that failed says why. The columns of agents are: id, what writes the answers, and name.
Without the scope admin, the second one is the model name of the agent.
urls lists what the latest crawl of a web site found, with the reason for pages that were skipped or failed.

  --datastore <id or name>  only the datasources of this datastore
  --group <id>              only the pages, files or URLs of this web site or archive
  --status <status>         only this status: unsynched, running, synched, error or usage_limit_reached
  --outcome <outcome>       only these URLs: page, redirect, canonical, duplicate, skipped, failed, sitemap, feed,
                            or waiting
  --limit <n>               maximum number of lines, default 1000
  --json                    one JSON object per line`;

const OPTIONS = {
  datastore: { type: 'string' },
  group: { type: 'string' },
  status: { type: 'string' },
  outcome: { type: 'string' },
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
const OUTCOMES: readonly UrlOutcome[] = [
  'page',
  'redirect',
  'canonical',
  'duplicate',
  'skipped',
  'failed',
  'sitemap',
  'feed',
  'waiting',
];
const DEFAULT_LIMIT = 1_000;
const MAX_PAGE_SIZE = 100;
const MAX_DATASTORE_WIDTH = 30;

/** The items to list, and the columns of an item. */
interface Listing<Item> {
  items: AsyncIterable<Item>;
  toRow(item: Item): string[];
}

export const run = defineCommand(
  { usage: USAGE, help: HELP, options: OPTIONS, positionals: { maximum: 1 } },
  async (
    { datastore, group, status, outcome, limit: limitText, json: isJson = false },
    [kind = 'datasources'],
  ) => {
    const limit = wholeNumber('limit', limitText, [1, 1_000_000]) ?? DEFAULT_LIMIT;
    const filters = { datastore, group, status: oneOf('status', status, STATUSES) };
    if (outcome !== undefined && kind !== 'urls')
      throw new UsageError('--outcome can only be used with urls.');
    const page = { limit: Math.min(limit, MAX_PAGE_SIZE) };
    switch (kind) {
      case 'datasources':
        return printListing(await datasources(connect(), filters, page, isJson), limit, isJson);
      case 'urls':
        assertNoFilters({ datastore, status }, '--datastore and --status can only be used with datasources.');
        if (group === undefined) throw new UsageError('Name the web site with --group <id>.');
        return printListing(
          await urls(connect(), group, oneOf('outcome', outcome, OUTCOMES), page),
          limit,
          isJson,
        );
      case 'datastores':
        assertNoFilters(filters, '--datastore, --group and --status can only be used with datasources.');
        return printListing(
          { items: connect().datastores.list(page), toRow: ({ id, name }) => [id, inOneLine(name)] },
          limit,
          isJson,
        );
      case 'agents':
        assertNoFilters(filters, '--datastore, --group and --status can only be used with datasources.');
        return printListing(await agents(connect(), page, isJson), limit, isJson);
      default:
        throw new UsageError(`Cannot list "${kind}". Use datasources, datastores, agents or urls.`);
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
  isJson: boolean,
) {
  if (group !== undefined) await requireGroup(client, group);
  // JSON has the ids of the datastores.
  const names = isJson ? new Map<string, string>() : await datastoreNames(client);
  const datastoreId =
    datastore === undefined ? undefined : (await requireByIdOrName(datastoresOf(client), datastore)).id;
  return {
    items: client.datasources.list({ ...page, datastoreId, groupId: group, status }),
    toRow: ({
      id,
      status: datasourceStatus,
      type,
      exportOf,
      lastSynch,
      datastoreId: storeId,
      name,
      error,
    }) => [
      id,
      styleStatus(datasourceStatus),
      exportOf === undefined ? type : `${type} (${exportOf})`,
      lastSynch ?? '-',
      inOneLine(names.get(storeId) ?? storeId, MAX_DATASTORE_WIDTH),
      inOneLine(name),
      ...(error ? [`${error.code}: ${inOneLine(error.message)}`] : []),
    ],
  } satisfies Listing<Awaited<ReturnType<typeof client.datasources.get>>>;
}

async function agents(client: Citewell, page: { limit: number }, isJson: boolean): Promise<Listing<Agent>> {
  // JSON has the model names.
  const models = isJson ? null : await chatModels(client);
  const answersWith = (modelName: ModelName): string =>
    models === null
      ? modelName
      : (models.find(({ modelNames }) => modelNames.includes(modelName))?.name ?? 'quotes, no model');
  return {
    items: client.agents.list(page),
    toRow: ({ id, modelName, name }) => [id, inOneLine(answersWith(modelName)), inOneLine(name)],
  };
}

/** Null if the key may not list models: that needs the scope `admin`. */
async function chatModels({ models }: Citewell): Promise<readonly ChatModel[] | null> {
  try {
    return (await models.list()).chat;
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error;
    return null;
  }
}

async function datastoreNames({ datastores }: Citewell): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { id, name } of datastores.list({ limit: MAX_PAGE_SIZE })) names.set(id, name);
  return names;
}

/** The API answers an unknown group with an empty list. @throws {@link UsageError} if it does not exist */
async function requireGroup({ datasources: api }: Citewell, id: string): Promise<void> {
  try {
    await api.get(id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new UsageError(
      `There is no web site or archive with the id "${id}". Find its id with "citewell ls datasources".`,
    );
  }
}

async function urls(
  client: Citewell,
  siteId: string,
  outcome: UrlOutcome | undefined,
  page: { limit: number },
): Promise<Listing<SiteUrl>> {
  await requireGroup(client, siteId);
  return {
    items: client.datasources.urls(siteId, { ...page, outcome }),
    toRow: ({ url, outcome: found, message, reason, target }) => [
      found,
      inOneLine(url),
      inOneLine(message ?? reason ?? (target === null ? '' : `→ ${target}`)),
    ],
  };
}

/** @throws {@link UsageError} if an option is given */
function assertNoFilters(filters: Readonly<Record<string, string | undefined>>, message: string): void {
  if (Object.values(filters).some((filter) => filter !== undefined)) throw new UsageError(message);
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

function oneOf<Name extends string>(
  option: string,
  text: string | undefined,
  names: readonly Name[],
): Name | undefined {
  const name = names.find((known) => known === text);
  if (text !== undefined && name === undefined)
    throw new UsageError(`Unknown ${option} "${text}". Use one of: ${names.join(', ')}.`);
  return name;
}
