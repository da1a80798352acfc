import type { Agent, Citewell } from '@citewell/sdk';
import { explainConflict, printAnswer, printSources } from '../answers/print-answer.js';
import { defineCommand, wholeNumber } from '../define-command.js';
import { connect } from '../connect.js';
import { agentsOf, datastoresOf, findOnlyItem, requireByIdOrName } from '../named-collection.js';
import { formatPassage } from '../terminal/format-passage.js';
import { print, printToStderr } from '../terminal/output.js';
import { inOneLine } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const USAGE = 'citewell ask "<question>" [--agent <id or name> | --datastore <id or name>]';
const HELP = `Asks an agent, streams its answer and then prints the cited sources with page and offsets.
With --datastore: prints the best passages of the datastore, without an answer.
Without --agent and --datastore: asks the only agent or, if there is no agent, the only datastore, and names it.

  --agent <id or name>
  --datastore <id or name>
  --conversation <id>       continue a conversation (agents)
  --all-sources             also print sources that the answer does not cite (agents)
  --top-k <n>               number of passages, 1 to 100, default 5 (datastores)
  --json                    print the complete result as JSON`;

const OPTIONS = {
  agent: { type: 'string' },
  datastore: { type: 'string' },
  conversation: { type: 'string' },
  'all-sources': { type: 'boolean' },
  'top-k': { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const run = defineCommand(
  { usage: USAGE, help: HELP, options: OPTIONS, positionals: { required: '"<question>"', maximum: 1 } },
  async (
    {
      agent,
      datastore,
      conversation,
      'all-sources': includeUncited = false,
      'top-k': topKText,
      json: isJson = false,
    },
    [query = ''],
  ) => {
    if (agent !== undefined && datastore !== undefined)
      throw new UsageError('Use either --agent or --datastore, not both.');
    if (query.trim() === '') throw new UsageError('The question is empty. Pass it in quotes.');
    const topK = wholeNumber('top-k', topKText, [1, 100]);
    const client = connect();
    const target = await chooseTarget(client, agent, datastore);
    if (target.kind === 'datastore') {
      const passages = await client.datastores.query(target.id, { query, topK });
      if (isJson) print(JSON.stringify(passages, null, 2));
      else if (passages.length === 0) print('No passage was found.');
      else for (const [index, passage] of passages.entries()) print(`${formatPassage(passage, index + 1)}\n`);
      return 0;
    }
    const question = { query, conversationId: conversation };
    const { id: agentId } = target.agent;
    const answer = await explainConflict(target.agent, () =>
      isJson ? client.agents.query(agentId, question) : printAnswer(client, agentId, question),
    );
    if (isJson) print(JSON.stringify(answer, null, 2));
    else {
      printSources(answer, includeUncited);
      if (process.stderr.isTTY)
        printToStderr(`\nTo continue this conversation: --conversation ${answer.conversationId}`);
    }
    return 0;
  },
);

type Target = { kind: 'agent'; agent: Agent } | { kind: 'datastore'; id: string };

/** Says on standard error what it has chosen, if the options name neither an agent nor a datastore. */
async function chooseTarget(
  client: Citewell,
  agent: string | undefined,
  datastore: string | undefined,
): Promise<Target> {
  if (agent !== undefined) return { kind: 'agent', agent: await requireByIdOrName(agentsOf(client), agent) };
  if (datastore !== undefined)
    return { kind: 'datastore', id: (await requireByIdOrName(datastoresOf(client), datastore)).id };
  const onlyAgent = await findOnlyItem(agentsOf(client));
  if (onlyAgent) {
    printToStderr(`Asking the agent "${inOneLine(onlyAgent.name)}".`);
    return { kind: 'agent', agent: onlyAgent };
  }
  const onlyDatastore = await findOnlyItem(datastoresOf(client));
  if (onlyDatastore) {
    printToStderr(`There is no agent. Searching the datastore "${inOneLine(onlyDatastore.name)}".`);
    return { kind: 'datastore', id: onlyDatastore.id };
  }
  throw new UsageError('There is no agent and no datastore yet. Add a file with "citewell add".');
}
