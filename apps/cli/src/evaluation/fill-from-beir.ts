import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Citewell, CitewellError, type DatasourceItem } from '@citewell/sdk';
import { sendItems } from '../add/send-items.js';
import { datastoresOf, findByIdOrName } from '../named-collection.js';
import { printToStderr, showProgress } from '../terminal/output.js';
import { readBeirCorpus } from './beir-folder.js';

const BATCH = 500;
const MAX_BATCH_CHARACTERS = 4_000_000;
const POLL_MS = 1_000;

/**
 * Fills the datastore with the name of a folder in the format of BEIR from its `corpus.jsonl`, and waits until it is indexed.
 * Documents that are there already, with the same text, are not indexed again.
 *
 * @returns the id of the datastore
 * @throws CitewellError if a document is refused: figures without it would be wrong
 */
export async function fillFromBeir(client: Citewell, folder: string): Promise<string> {
  const name = basename(resolve(folder)).slice(0, 255);
  const existing = await findByIdOrName(datastoresOf(client), name);
  const { id } = existing ?? (await client.datastores.create({ name }));
  printToStderr(`Filling the datastore "${name}".`);
  let batch: DatasourceItem[] = [];
  let characters = 0;
  let sent = 0;
  const send = async (): Promise<void> => {
    for (const result of await sendItems(client, id, batch))
      if (result instanceof CitewellError) throw result;
    sent += batch.length;
    showProgress(`${sent} documents were sent`);
    batch = [];
    characters = 0;
  };
  for await (const item of readBeirCorpus(folder)) {
    batch.push(item);
    characters += JSON.stringify(item).length;
    if (batch.length === BATCH || characters > MAX_BATCH_CHARACTERS) await send();
  }
  if (batch.length > 0) await send();
  await waitUntilIndexed(client, id);
  return id;
}

async function waitUntilIndexed(client: Citewell, id: string): Promise<void> {
  for (;;) {
    const { total, statuses } = await client.datastores.progress(id);
    const left = statuses.unsynched + statuses.running;
    const failed = statuses.error + statuses.usage_limit_reached;
    if (left === 0) {
      showProgress('');
      if (failed > 0)
        printToStderr(`${failed} of ${total} documents failed. The figures count them as not found.`);
      return;
    }
    showProgress(`${total - left} of ${total} documents are indexed`);
    await sleep(POLL_MS);
  }
}
