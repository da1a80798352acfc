import { createHash, randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Citewell, Datasource, Datastore } from '@citewell/sdk';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { withAdvice } from '../advice.js';
import { describeError, EXIT_FAILED } from '../describe-error.js';
import { datastoresOf, findByIdOrName, findOnlyItem, requireByIdOrName } from '../named-collection.js';
import { print, printToStderr, showProgress } from '../terminal/output.js';
import { inOneLine } from '../terminal/printable.js';
import { UsageError } from '../usage-error.js';

const MAX_CUSTOM_ID_LENGTH = 255;

const USAGE = 'citewell add <file | URL | ->... [--datastore <id or name>]';
const HELP = `Adds files and web pages to a datastore and waits until they are indexed.
A file that was added before is replaced if its content has changed; a web page is fetched again. Both are
recognized by their path or URL.
Files: PDF, DOCX, PPTX, XLSX, ODT, RTF, HTML, EPUB, e-mail (.eml), CSV, JSON, Markdown and text,
and ZIP archives of them.
"-" reads one file from standard input. Use --name to give it a name.

  --datastore <id or name>  the datastore; optional if there is only one
  --create                  create the datastore if no datastore has this name
  --name <name>             name of the datasource (only with a single file or URL)
  --custom-id <id>          your own id of the datasource (only with a single file or URL); default: the
                            absolute path of the file, or the URL
  --no-wait                 return after the upload, without waiting for the indexing

Prints the id and the status of each datasource, whether it was added, replaced or unchanged, and its name.
The exit code is 1 if any of them failed.`;

const OPTIONS = {
  datastore: { type: 'string' },
  create: { type: 'boolean' },
  name: { type: 'string' },
  'custom-id': { type: 'string' },
  'no-wait': { type: 'boolean' },
} as const;

/** Creates one datasource. */
type Send = (client: Citewell, datastoreId: string) => Promise<Datasource>;

interface Labels {
  name?: string | undefined;
  customId?: string | undefined;
}

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: OPTIONS,
    positionals: { required: '<file | URL | ->', maximum: Number.POSITIVE_INFINITY },
  },
  async ({ datastore, create = false, name, 'custom-id': customId, 'no-wait': noWait = false }, sources) => {
    if (sources.length > 1 && (name !== undefined || customId !== undefined))
      throw new UsageError('--name and --custom-id can only be used with a single file or URL.');
    if (sources.filter((source) => source === '-').length > 1)
      throw new UsageError('"-" can only be used once.');
    // All arguments are checked before the first upload, so that a wrong file name has no effect.
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
        printToStderr(`${inOneLine(label)}: ${describeError(error).message}`);
        exitCode = EXIT_FAILED;
      }
    };
    for (const [source, send] of sends) {
      showProgress(`${inOneLine(source, 60)}: sending`);
      await attempt(source, async () => void accepted.push(await send(client, datastoreId)));
    }
    for (const datasource of accepted) {
      await attempt(datasource.name, async () =>
        printDatasource(
          noWait ? datasource : await waitFor(client, datasource),
          datasource.upsertOutcome ?? 'created',
        ),
      );
    }
    return exitCode;
  },
);

async function prepare(source: string, { name, customId }: Labels): Promise<Send> {
  // With this key, a retry after a network failure does not create the datasource twice.
  const options = { idempotencyKey: randomUUID() };
  if (/^https?:\/\//i.test(source)) {
    return (client, datastoreId) =>
      client.datasources.create(
        {
          type: 'web_page',
          datastoreId,
          name,
          custom_id: customId ?? customIdOf(source),
          upsert: true,
          config: { source_url: source },
        },
        options,
      );
  }
  if (source === '-') {
    return async (client, datastoreId) => {
      const file = new Blob([await buffer(process.stdin)]);
      return client.datasources.upload(
        { datastoreId, file, fileName: name ?? 'stdin.txt', customId, upsert: customId !== undefined },
        options,
      );
    };
  }
  await assertIsFile(source);
  return async (client, datastoreId) => {
    const file = await openAsBlob(source);
    const fileName = name ?? basename(source);
    const id = customId ?? customIdOf(resolve(source));
    return client.datasources.upload({ datastoreId, file, fileName, customId: id, upsert: true }, options);
  };
}

/** The custom id by which a later `add` finds the datasource. The API limits its length. */
function customIdOf(source: string): string {
  if (source.length <= MAX_CUSTOM_ID_LENGTH) return source;
  return `sha256:${createHash('sha256').update(source).digest('hex')}`;
}

async function assertIsFile(path: string): Promise<void> {
  const stats = await stat(path).catch(() => null);
  if (!stats) throw new UsageError(`The file ${path} does not exist.`);
  if (!stats.isFile()) throw new UsageError(`${path} is not a file.`);
}

async function chooseDatastore(
  client: Citewell,
  idOrName: string | undefined,
  create: boolean,
): Promise<Datastore> {
  const datastores = datastoresOf(client);
  if (idOrName === undefined) {
    const onlyDatastore = await findOnlyItem(datastores);
    if (onlyDatastore) return onlyDatastore;
    throw new UsageError('There is no datastore yet. Create one with --datastore <name> --create.');
  }
  if (!create) return requireByIdOrName(datastores, idOrName);
  return (await findByIdOrName(datastores, idOrName)) ?? client.datastores.create({ name: idOrName });
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

const OUTCOME_WORDS = { created: 'added', replaced: 'replaced', unchanged: 'unchanged' } as const;

function printDatasource({ id, status, name, error }: Datasource, outcome: keyof typeof OUTCOME_WORDS): void {
  showProgress('');
  print(`${id}  ${status}  ${OUTCOME_WORDS[outcome]}  ${inOneLine(name)}`);
  // Of a group that is synched: what could not be read.
  if (error && status === 'synched')
    printToStderr(`${inOneLine(name)}: ${withAdvice(inOneLine(error.message), error.code, id)}`);
}
