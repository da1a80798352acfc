import type { AgentAnswer, Citewell } from '@citewell/sdk';
import { defineCommand, wholeNumber } from '../command.js';
import { connect } from '../connection.js';
import { agentsOf, datastoresOf, onlyOne, requireNamed } from '../named-things.js';
import { passageLines } from '../terminal/passages.js';
import { note, print } from '../terminal/output.js';
import { printable } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const HELP = `citewell ask "<question>" [--agent <id or name> | --datastore <id or name>]

Asks an agent and prints its answer as it is written, then the sources that it cites, with page and offsets.
With a datastore instead, prints the passages that fit best, without an answer made of them.
With neither, asks the only agent; where there is none, the only datastore.

  --agent <id or name>
  --datastore <id or name>
  --conversation <id>       goes on with a conversation (agents)
  --all-sources             prints what was found but not cited, too (agents)
  --top-k <n>               how many passages, 1 to 100, default 5 (datastores)
  --json                    prints the whole result as JSON, when it is complete`;

const OPTIONS = {
  agent: { type: 'string' },
  datastore: { type: 'string' },
  conversation: { type: 'string' },
  'all-sources': { type: 'boolean' },
  'top-k': { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const run = defineCommand(
  { help: HELP, options: OPTIONS, positionals: [1, 1] },
  async (
    {
      agent,
      datastore,
      conversation,
      'all-sources': withUncited = false,
      'top-k': topKText,
      json: isJson = false,
    },
    [query = ''],
  ) => {
    if (agent !== undefined && datastore !== undefined)
      throw new UsageError('Give --agent or --datastore, not both.');
    if (query.trim() === '') throw new UsageError('The question is empty.');
    const topK = wholeNumber('top-k', topKText, [1, 100]);
    const client = connect();
    const target = await chooseTarget(client, agent, datastore);
    if (target.kind === 'datastore') {
      const passages = await client.datastores.query(target.id, { query, topK });
      if (isJson) print(JSON.stringify(passages, null, 2));
      else if (passages.length === 0) print('Nothing was found.');
      else for (const [index, passage] of passages.entries()) print(`${passageLines(passage, index + 1)}\n`);
      return 0;
    }
    const question = { query, conversationId: conversation };
    const answer = isJson
      ? await client.agents.query(target.id, question)
      : await printAnswer(client, target.id, question);
    if (isJson) print(JSON.stringify(answer, null, 2));
    else printSources(answer, withUncited);
    return 0;
  },
);

async function chooseTarget(
  client: Citewell,
  agent: string | undefined,
  datastore: string | undefined,
): Promise<{ kind: 'agent' | 'datastore'; id: string }> {
  if (agent !== undefined) return { kind: 'agent', id: (await requireNamed(agentsOf(client), agent)).id };
  if (datastore !== undefined)
    return { kind: 'datastore', id: (await requireNamed(datastoresOf(client), datastore)).id };
  const onlyAgent = await onlyOne(agentsOf(client));
  if (onlyAgent) return { kind: 'agent', id: onlyAgent.id };
  const onlyDatastore = await onlyOne(datastoresOf(client));
  if (onlyDatastore) return { kind: 'datastore', id: onlyDatastore.id };
  throw new UsageError('There is nothing to ask yet: put something into a datastore with citewell add.');
}

async function printAnswer(
  client: Citewell,
  agentId: string,
  question: { query: string; conversationId: string | undefined },
): Promise<AgentAnswer> {
  let hasText = false;
  try {
    for await (const event of client.agents.stream(agentId, question)) {
      if (event.type === 'response') return event.response;
      process.stdout.write(printable(event.text));
      hasText = true;
    }
  } finally {
    // Also before an error's sentence, which should not stand at the end of a half answer.
    if (hasText) print();
  }
  // The client throws for a stream without a response.
  throw new Error('The answer ended without its sources.');
}

function printSources({ sources, conversationId }: AgentAnswer, withUncited: boolean): void {
  for (const [index, source] of sources.entries())
    if (source.cited || withUncited) print(`\n${passageLines(source, index + 1)}`);
  if (process.stderr.isTTY) note(`\nGo on with --conversation ${conversationId}`);
}
