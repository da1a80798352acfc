import { type Agent, type Citewell, type Datastore, AccessDeniedError } from '@citewell/sdk';
import { agentsOf, datastoresOf, requireByIdOrName } from '../named-collection.js';
import { inOneLine, printToStderr } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';

const NO_DATASTORE = 'There is no agent and no datastore yet. Add a file with "citewell add".';

/**
 * The agent that answers a question. Says on standard error which one it is, if the options do not name it.
 *
 * - `--agent` names it.
 * - `--datastore` names what it answers from: the oldest agent that searches only this datastore, which is created if there
 *   is none.
 * - Without both: an agent that searches the datastore that was created last, so that it knows what was just added. Other
 *   agents are asked only by name.
 */
export async function chooseAgent(
  client: Citewell,
  { agent, datastore }: { agent: string | undefined; datastore: string | undefined },
): Promise<Agent> {
  if (agent !== undefined) return requireByIdOrName(agentsOf(client), agent);
  if (datastore !== undefined)
    return agentOf(client, await requireByIdOrName(datastoresOf(client), datastore));
  const newest = await newestDatastore(client);
  const agents = await allAgents(client);
  const searching =
    newest === null ? agents : agents.filter(({ datastoreIds }) => datastoreIds.includes(newest.id));
  const [first, ...others] = searching;
  if (first === undefined) {
    if (newest === null) throw new UsageError(NO_DATASTORE);
    return agentOf(client, newest);
  }
  if (others.length > 0) return onlyFor(newest, searching);
  printToStderr(`Asking the agent "${inOneLine(first.name)}".`);
  return first;
}

/** The datastore that is searched: the named one, or the one that was created last, which standard error names. */
export async function chooseDatastore(client: Citewell, named: string | undefined): Promise<Datastore> {
  if (named !== undefined) return requireByIdOrName(datastoresOf(client), named);
  const newest = await newestDatastore(client);
  if (newest === null) throw new UsageError(NO_DATASTORE);
  printToStderr(`Searching the datastore "${inOneLine(newest.name)}".`);
  return newest;
}

/** Of several agents that search a datastore, the one that searches nothing else. */
function onlyFor(newest: Datastore | null, agents: readonly Agent[]): Agent {
  const own = agents.findLast(
    ({ datastoreIds: [id, ...others] }) => id === newest?.id && others.length === 0,
  );
  if (own === undefined) {
    const names = agents.slice(0, 5).map(({ name }) => `"${inOneLine(name, 60)}"`);
    throw new UsageError(`There are several agents: ${names.join(', ')}. Choose one with --agent.`);
  }
  printToStderr(`Asking the agent "${inOneLine(own.name)}".`);
  return own;
}

/** The oldest agent that searches only this datastore. Created if there is none. */
async function agentOf(client: Citewell, { id, name }: Datastore): Promise<Agent> {
  const agents = await allAgents(client);
  const own = agents.findLast(({ datastoreIds }) => datastoreIds.length === 1 && datastoreIds[0] === id);
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

/** Newest first. */
async function allAgents(client: Citewell): Promise<Agent[]> {
  const agents: Agent[] = [];
  for await (const agent of client.agents.list({ limit: 100 })) agents.push(agent);
  return agents;
}

async function newestDatastore(client: Citewell): Promise<Datastore | null> {
  for await (const datastore of client.datastores.list({ limit: 100 })) return datastore;
  return null;
}
