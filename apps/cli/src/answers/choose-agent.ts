import {
  type Agent,
  type Citewell,
  type Datastore,
  type DatastoreQuery,
  type DatastoreQueryItem,
  AccessDeniedError,
} from '@citewell/sdk';
import { agentsOf, datastoresOf, requireByIdOrName } from '../named-collection.js';
import { inOneLine, printToStderr } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';

const NO_DATASTORE = 'There is no datastore yet. Add a file with "citewell add".';

/**
 * The agent that answers a question. Says on standard error which one it is, if the options do not name it.
 *
 * - `--agent` names it.
 * - `--datastore` names what it answers from: the oldest agent that searches only this datastore, which is created if there
 *   is none.
 * - Without both: the agent that answers from all datastores that the key may read.
 */
export async function chooseAgent(
  client: Citewell,
  { agent, datastore }: { agent: string | undefined; datastore?: string | undefined },
): Promise<Agent> {
  if (agent !== undefined) return requireByIdOrName(agentsOf(client), agent);
  if (datastore !== undefined)
    return agentOf(client, await requireByIdOrName(datastoresOf(client), datastore));
  const all = await client.agents.get('all');
  if (all.datastoreIds.length === 0) throw new UsageError(NO_DATASTORE);
  printToStderr(`Asking the agent "${inOneLine(all.name)}", which answers from all datastores.`);
  return all;
}

/** The datastores that are searched: the named one, or all that the key may read. */
export async function chooseDatastores(client: Citewell, named: string | undefined): Promise<Datastore[]> {
  if (named !== undefined) return [await requireByIdOrName(datastoresOf(client), named)];
  const all: Datastore[] = [];
  for await (const datastore of client.datastores.list({ limit: 100 })) all.push(datastore);
  if (all.length === 0) throw new UsageError(NO_DATASTORE);
  return all;
}

/** As many passages as one datastore returns, the most relevant first. Scores of datastores are comparable. */
export async function bestPassages(
  client: Citewell,
  stores: readonly Datastore[],
  query: DatastoreQuery,
): Promise<DatastoreQueryItem[]> {
  const found: DatastoreQueryItem[][] = [];
  for (const { id } of stores) found.push(await client.datastores.query(id, query));
  const count = Math.max(0, ...found.map(({ length }) => length));
  return found
    .flat()
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count);
}

/** The oldest agent that searches only this datastore. Created if there is none. */
async function agentOf(client: Citewell, { id, name }: Datastore): Promise<Agent> {
  let own: Agent | undefined;
  // The last one of the list is the oldest.
  for await (const agent of client.agents.list({ limit: 100 })) {
    const { allDatastores, datastoreIds } = agent;
    if (!allDatastores && datastoreIds.length === 1 && datastoreIds[0] === id) own = agent;
  }
  if (own !== undefined) return own;
  try {
    const created = await client.agents.create({ name, datastoreIds: [id] });
    printToStderr(
      `Created the agent "${inOneLine(name)}", which answers from the datastore "${inOneLine(name)}".`,
    );
    return created;
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error;
    throw new UsageError(
      `No agent answers from the datastore "${inOneLine(name)}" alone, and this key may not create one. Use --passages, or a key with the scope "write".`,
    );
  }
}
