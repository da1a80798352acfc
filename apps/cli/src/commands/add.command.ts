import { relative } from 'node:path';
import { progressBar } from '@citewell/infrastructure/progress-bar';
import {
  type Citewell,
  CitewellError,
  type Datasource,
  type Datastore,
  type OnUploadProgress,
} from '@citewell/sdk';
import { sendItems } from '../add/send-items.js';
import {
  type Accepted,
  type Argument,
  file,
  fileOfFolder,
  type Labels,
  readArgument,
  type Source,
} from '../add/source.js';
import { waitForMany } from '../add/wait-for-many.js';
import { type WatchedPath, watchPaths } from '../add/watch-paths.js';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { withAdvice } from '../advice.js';
import { describeError, EXIT_FAILED } from '../describe-error.js';
import { datastoresOf, findByIdOrName, findOnlyItem, requireByIdOrName } from '../named-collection.js';
import { print, printToStderr, showProgress } from '../terminal/output.js';
import { inOneLine } from '../terminal/printable.js';
import { styleStatus } from '../terminal/style.js';
import { UsageError } from '../usage-error.js';

const USAGE = 'citewell add <file | folder | URL | ->... [--datastore <id or name>]';
const HELP = `Adds files and web pages to a datastore and waits until they are indexed.
A file that was added before is replaced if its content has changed; a web page is fetched again. Both are
recognized by their path or URL.
Files: PDF, DOCX, PPTX, XLSX, ODT, RTF, HTML, EPUB, e-mail (.eml), CSV, JSON, Markdown and text,
and ZIP archives of them.
Of a folder, all files with these extensions are added, also in its subfolders, except for hidden ones.
"-" reads one file from standard input. Use --name to give it a name.

  --datastore <id or name>  the datastore; optional if there is only one
  --create                  create the datastore if no datastore has this name
  --name <name>             name of the datasource (only with a single file or URL)
  --custom-id <id>          your own id of the datasource (only with a single file or URL); default: the
                            absolute path of the file, or the URL
  --encoding <name>         the encoding of the files, such as big5 or windows-1251; default: it is detected
  --no-wait                 return after the upload, without waiting for the indexing
  --watch                   continue, and add files again when they change, until Ctrl-C; deleted files stay
  --json                    one JSON object per line

Prints the id and the status of each datasource, whether it was added, replaced or unchanged, and its name.
The exit code is 1 if any of them failed.`;

/** Up to so many new datasources are asked for one by one. */
const FEW = 10;

const OPTIONS = {
  datastore: { type: 'string' },
  create: { type: 'boolean' },
  name: { type: 'string' },
  'custom-id': { type: 'string' },
  encoding: { type: 'string' },
  'no-wait': { type: 'boolean' },
  watch: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

/** Where datasources are added, and what is printed about them. */
interface Target {
  client: Citewell;
  datastoreId: string;
  isWaiting: boolean;
  isJson: boolean;
}

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: OPTIONS,
    positionals: { required: '<file | folder | URL | ->', maximum: Number.POSITIVE_INFINITY },
  },
  async (
    {
      datastore,
      create = false,
      name,
      'custom-id': customId,
      encoding,
      'no-wait': noWait = false,
      watch = false,
      json = false,
    },
    texts,
  ) => {
    if (texts.length > 1 && (name !== undefined || customId !== undefined))
      throw new UsageError('--name and --custom-id can only be used with a single file or URL.');
    if (texts.filter((text) => text === '-').length > 1) throw new UsageError('"-" can only be used once.');
    // All arguments are checked before the first upload, so that a wrong file name has no effect.
    const args: (Argument & { text: string })[] = [];
    for (const text of texts)
      args.push({ text, ...(await readArgument(text, { name, customId, encoding })) });
    const watched = args.filter(({ isFolder }) => isFolder !== null);
    if (watch && watched.length === 0) throw new UsageError('--watch needs a file or a folder.');

    const client = connect();
    const { id: datastoreId } = await chooseDatastore(client, datastore, create);
    const target = { client, datastoreId, isWaiting: !noWait, isJson: json };
    for (const { text, skipped } of args)
      if (skipped > 0)
        printToStderr(
          `${inOneLine(text)}: skipped ${skipped} ${skipped === 1 ? 'file' : 'files'} of other types.`,
        );
    const stop = new AbortController();
    const paths = watched.map(({ text, isFolder }) => ({ path: text, isFolder: isFolder === true }));
    // Before the first upload, so that no change is missed.
    const changes = watch ? watchPaths(paths, stop.signal) : null;
    const hasSucceeded = await addAll(
      target,
      args.flatMap(({ sources }) => sources),
    );
    if (changes) {
      process.once('SIGINT', () => stop.abort());
      printToStderr('Watching for changes. Ctrl-C ends.');
      for await (const files of changes)
        await addAll(
          target,
          files.map((path) => changedFile(path, paths, { name, customId, encoding })),
        );
    }
    return hasSucceeded ? 0 : EXIT_FAILED;
  },
);

/** Sends all sources, then waits for them. @returns whether all of them succeeded */
async function addAll(
  { client, datastoreId, isWaiting, isJson }: Target,
  sources: readonly Source[],
): Promise<boolean> {
  let hasSucceeded = true;
  const attempt = async (label: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      showProgress('');
      printToStderr(`${inOneLine(label)}: ${describeError(error).message}`);
      hasSucceeded = false;
    }
  };
  const addresses = sources.flatMap((source) => ('item' in source ? source.item : []));
  let sending: ReturnType<typeof sendItems> | undefined;
  const accepted: Accepted[] = [];
  let sentAddresses = 0;
  for (const source of sources) {
    const shown = inOneLine(source.label, 50);
    showProgress(`${shown}: sending`);
    await attempt(source.label, async () => {
      if ('item' in source) {
        // All addresses together, when the first one comes.
        sending ??= sendItems(client, datastoreId, addresses);
        const result = (await sending)[sentAddresses++];
        if (result instanceof CitewellError) throw result;
        if (result !== undefined) accepted.push(result);
        return;
      }
      const onProgress: OnUploadProgress = ({ sentBytes, totalBytes }) =>
        showProgress(`${progressBar((sentBytes / (totalBytes ?? sentBytes)) * 100)}  ${shown}: sending`);
      accepted.push(await source.send(client, datastoreId, onProgress));
    });
  }
  const created = accepted.filter(({ upsertOutcome }) => (upsertOutcome ?? 'created') === 'created');
  const synched =
    isWaiting && created.length > FEW
      ? await waitForMany(
          client,
          created.map(({ id }) => id),
          { datastoreId, onProgress: (ended) => showProgress(`${ended} of ${created.length} are indexed`) },
        )
      : new Map<string, Datasource>();
  for (const datasource of accepted) {
    await attempt(datasource.name, async () => {
      const { id, status, upsertOutcome = 'created' } = datasource;
      const isDone = upsertOutcome === 'unchanged' && status === 'synched';
      const result =
        synched.get(id) ?? (isWaiting && !isDone ? await waitFor(client, datasource) : datasource);
      showProgress('');
      if (!isJson) printDatasource({ error: null, ...result }, upsertOutcome);
      else
        print(
          JSON.stringify({
            ...('config' in result ? result : await client.datasources.get(id)),
            upsertOutcome,
          }),
        );
    });
  }
  return hasSucceeded;
}

function changedFile(path: string, watched: readonly WatchedPath[], labels: Labels): Source {
  const folder = watched.find((candidate) => candidate.isFolder && isInside(path, candidate.path));
  return folder ? fileOfFolder(path, folder.path, labels) : file(path, labels);
}

function isInside(path: string, folder: string): boolean {
  return !relative(folder, path).startsWith('..');
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

async function waitFor(client: Citewell, { id, name }: Accepted): Promise<Datasource> {
  const label = inOneLine(name, 50);
  return client.datasources.waitUntilSynched(id, {
    timeoutMs: Number.POSITIVE_INFINITY,
    onProgress: ({ progress }) => {
      if (progress) showProgress(`${progressBar(progress.percent)}  ${label}: ${progress.stage}`);
    },
  });
}

const OUTCOME_WORDS = { created: 'added', replaced: 'replaced', unchanged: 'unchanged' } as const;

function printDatasource(
  { id, status, name, error }: Pick<Datasource, 'id' | 'status' | 'name' | 'error'>,
  outcome: keyof typeof OUTCOME_WORDS,
): void {
  print(`${id}  ${styleStatus(status)}  ${OUTCOME_WORDS[outcome]}  ${inOneLine(name)}`);
  // Of a group that is synched: what could not be read.
  if (error && status === 'synched')
    printToStderr(`${inOneLine(name)}: ${withAdvice(inOneLine(error.message), error.code, id)}`);
}
