import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AccessDeniedError, type Citewell, type ConversationWithMessages } from '@citewell/sdk';
import { connect } from '../connect.js';
import { defineCommand } from '../define-command.js';
import { describeError, EXIT_FAILED } from '../describe-error.js';
import { exportDatastore } from '../export/export-datastore.js';
import { foldersOf } from '../export/export-libraries.js';
import { readJsonLines, writeJsonLines } from '../export/json-lines.js';
import { datastoresOf, requireByIdOrName } from '../named-collection.js';
import { patiently } from '../patiently.js';
import { inOneLine, print, printToStderr, showProgress } from '../terminal/output.js';

const USAGE = 'citewell export <folder> [--datastore <id or name>]';
const HELP = `Writes all documents that the key may read to a folder: originals, texts, and metadata as JSON lines, one folder
for each datastore. Then agents and conversations, as far as the key may read them.

  --datastore <id or name>  only this datastore, without agents and conversations

The same command continues an export that was interrupted, and brings a finished one up to date. It deletes no files:
documents.jsonl of each datastore names those that count. Secrets of sources are not exported.
The exit code is 1 if something could not be exported; it is named, and its line has the reason.`;

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: { datastore: { type: 'string' } },
    positionals: { required: '<folder>', maximum: 1 },
  },
  async ({ datastore: idOrName }, [folder = '']) => {
    const client = connect();
    await mkdir(folder, { recursive: true });
    const datastores =
      idOrName === undefined
        ? (await all(client.datastores.list({ limit: 100 }))).toReversed()
        : [await requireByIdOrName(datastoresOf(client), idOrName)];
    let incomplete = 0;
    const folders = await foldersOf(folder, datastores);
    for (const datastore of datastores) {
      const into = folders.get(datastore.id) ?? '';
      const tally = await exportDatastore(client, datastore, join(folder, into), (name, reason) => {
        showProgress('');
        printToStderr(`incomplete ${inOneLine(name)}: ${reason}`);
      });
      showProgress('');
      const counts = Object.entries(tally).flatMap(([word, count]) => (count > 0 ? `${count} ${word}` : []));
      print(`${inOneLine(datastore.name)}: ${counts.join(', ') || 'no documents'}`);
      incomplete += tally.incomplete;
    }
    if (idOrName === undefined) {
      await exportList(folder, 'agents', () => all(client.agents.list({ limit: 100 })));
      await exportList(folder, 'conversations', (file) => conversationsOf(client, file));
    }
    return incomplete === 0 ? 0 : EXIT_FAILED;
  },
);

/** Writes a list as JSON lines. If the key may not read it, this is told, is no failure, and keeps an earlier file. */
async function exportList(
  folder: string,
  name: string,
  read: (file: string) => Promise<readonly object[]>,
): Promise<void> {
  const file = join(folder, `${name}.jsonl`);
  try {
    const items = await read(file);
    await writeJsonLines(file, items);
    print(`${name}: ${items.length}`);
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error;
    printToStderr(`${name}: not exported. ${describeError(error).message}`);
  }
}

/** Without the scope `admin`, a key reads only conversations that it began. Others that an earlier export has written stay. */
async function conversationsOf({ conversations, session }: Citewell, file: string): Promise<object[]> {
  const found: ConversationWithMessages[] = [];
  for await (const conversation of conversations.list({ limit: 100 })) {
    const { id, agentId } = conversation;
    const messages = await patiently(() => all(conversations.messages(id, { agentId, limit: 100 })));
    found.push({ ...conversation, messages: messages.toReversed() });
    showProgress(`conversations: ${found.length}`);
  }
  showProgress('');
  if ((await session.get()).scopes.includes('admin')) return found;
  const isFound = new Set(found.map(placeOf));
  const others = (await readJsonLines<ConversationWithMessages>(file)).filter(
    (one) => !isFound.has(placeOf(one)),
  );
  printToStderr(
    'conversations: only those that this key began. The scope admin reads all. Others of an earlier export stay.',
  );
  return [...found, ...others];
}

/** Agents may have conversations with the same id. */
function placeOf({ agentId, id }: ConversationWithMessages): string {
  return JSON.stringify([agentId, id]);
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
