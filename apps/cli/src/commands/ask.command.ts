import { bestPassages, chooseAgent, chooseDatastores } from '../answers/choose-agent.js';
import { explainConflict, formatPassage, printAnswer, printSources } from '../answers/print-answer.js';
import { defineCommand, wholeNumber } from '../define-command.js';
import { connect } from '../connect.js';
import { print, printToStderr } from '../terminal/output.js';
import { UsageError } from '../describe-error.js';

const USAGE = 'citewell ask "<question>" [--agent <id or name> | --datastore <id or name>]';
const HELP = `Asks an agent, streams its answer and then prints the cited sources with page and offsets.
With --datastore: asks the agent that answers from this datastore only, and creates it if there is none.
Without --agent and --datastore: asks the agent that answers from all datastores that the key may read.

  --agent <id or name>
  --datastore <id or name>
  --passages                print the best passages of the datastore, or of all datastores, without an answer
  --conversation <id>       continue a conversation
  --all-sources             also print sources that the answer does not cite
  --top-k <n>               number of passages that are searched, 1 to 100; with --passages, default 5
  --json                    print the complete result as JSON`;

const OPTIONS = {
  agent: { type: 'string' },
  datastore: { type: 'string' },
  passages: { type: 'boolean' },
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
      passages: isSearch = false,
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
    if (isSearch) {
      const stores = await chooseDatastores(client, datastore);
      const passages = await bestPassages(client, stores, { query, topK });
      if (isJson) print(JSON.stringify(passages, null, 2));
      else if (passages.length === 0) print('No passage was found.');
      else for (const [index, passage] of passages.entries()) print(`${formatPassage(passage, index + 1)}\n`);
      return 0;
    }
    const asked = await chooseAgent(client, { agent, datastore });
    const question = { query, conversationId: conversation, topK };
    const answer = await explainConflict(asked, () =>
      isJson ? client.agents.query(asked.id, question) : printAnswer(client, asked.id, question),
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
