import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Citewell, Datasource, Datastore } from '@citewell/sdk';
import { defineCommand } from '../command.js';
import { connect } from '../connection.js';
import { describeError, EXIT_FAILED } from '../describe-error.js';
import { datastoresOf, findNamed, onlyOne, requireNamed } from '../named-things.js';
import { note, print, showProgress } from '../terminal/output.js';
import { inOneLine } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const HELP = `citewell add <file | URL | ->... [--datastore <id or name>]

Puts files and web pages into a datastore and waits until they answer questions.
"-" reads one file from standard input; give its name with --name.

  --datastore <id or name>  where to; may be left out while there is only one
  --create                  make the datastore if there is none of that name
  --name <name>             name of the one thing that is added
  --custom-id <id>          an id of your own for the one thing that is added
  --no-wait                 return as soon as everything is handed over

Prints id, status and name of each. Exit code 1 when any of them failed.`;

const OPTIONS = {
  datastore: { type: 'string' },
  create: { type: 'boolean' },
  name: { type: 'string' },
  'custom-id': { type: 'string' },
  'no-wait': { type: 'boolean' },
} as const;

/** Hands one thing over. */
type Send = (client: Citewell, datastoreId: string) => Promise<Datasource>;

interface Labels {
  name?: string | undefined;
  customId?: string | undefined;
}

export const run = defineCommand(
  { help: HELP, options: OPTIONS, positionals: [1, Number.MAX_SAFE_INTEGER] },
  async ({ datastore, create = false, name, 'custom-id': customId, 'no-wait': isHasty = false }, sources) => {
    if (sources.length > 1 && (name !== undefined || customId !== undefined))
      throw new UsageError('--name and --custom-id are for one thing alone.');
    if (sources.filter((source) => source === '-').length > 1)
      throw new UsageError('Standard input can be read once.');
    // Every file is looked at before the first is sent: a slip in the last name should cost nothing.
    const sends: [source: string, send: Send][] = [];
    for (const source of sources) sends.push([source, await prepare(source, { name, customId })]);

    const client = connect();
    const { id: datastoreId } = await chooseDatastore(client, datastore, create);
    let exitCode = 0;
    const accepted: Datasource[] = [];
    const attempt = async (label: string, work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        showProgress('');
        note(`${inOneLine(label)}: ${describeError(error).sentence}`);
        exitCode = EXIT_FAILED;
      }
    };
    for (const [source, send] of sends) {
      showProgress(`${inOneLine(source, 60)}: sending`);
      await attempt(source, async () => void accepted.push(await send(client, datastoreId)));
    }
    for (const datasource of accepted) {
      await attempt(datasource.name, async () =>
        printDatasource(isHasty ? datasource : await waitFor(client, datasource)),
      );
    }
    return exitCode;
  },
);

async function prepare(source: string, { name, customId }: Labels): Promise<Send> {
  // Sent again after a failure on the way, it must not be there twice.
  const options = { idempotencyKey: randomUUID() };
  if (/^https?:\/\//i.test(source)) {
    return (client, datastoreId) =>
      client.datasources.create(
        { type: 'web_page', datastoreId, name, custom_id: customId, config: { source_url: source } },
        options,
      );
  }
  if (source === '-') {
    return async (client, datastoreId) => {
      const file = new Blob([await buffer(process.stdin)]);
      return client.datasources.upload(
        { datastoreId, file, fileName: name ?? 'stdin.txt', customId },
        options,
      );
    };
  }
  await refuseMissing(source);
  return async (client, datastoreId) => {
    const file = await openAsBlob(source);
    return client.datasources.upload(
      { datastoreId, file, fileName: name ?? basename(source), customId },
      options,
    );
  };
}

async function refuseMissing(path: string): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new UsageError(`There is no file ${path}.`);
  if (!found.isFile()) throw new UsageError(`${path} is not a file.`);
}

async function chooseDatastore(
  client: Citewell,
  idOrName: string | undefined,
  isToBeCreated: boolean,
): Promise<Datastore> {
  const shelf = datastoresOf(client);
  if (idOrName === undefined) {
    const only = await onlyOne(shelf);
    if (only) return only;
    throw new UsageError('There is no datastore yet: make one with --datastore <name> --create.');
  }
  if (!isToBeCreated) return requireNamed(shelf, idOrName);
  return (await findNamed(shelf, idOrName)) ?? client.datastores.create({ name: idOrName });
}

async function waitFor(client: Citewell, { id, name }: Datasource): Promise<Datasource> {
  const label = inOneLine(name, 60);
  const synched = await client.datasources.waitUntilSynched(id, {
    timeoutMs: Number.POSITIVE_INFINITY,
    onProgress: ({ progress }) => {
      if (progress) showProgress(`${label}: ${progress.stage}, ${Math.round(progress.percent)} %`);
    },
  });
  showProgress('');
  return synched;
}

function printDatasource({ id, status, name }: Datasource): void {
  showProgress('');
  print(`${id}  ${status}  ${inOneLine(name)}`);
}
