import { relative } from 'node:path';
import { addAll } from '../add/add-all.js';
import { type Argument, file, fileOfFolder, type Labels, readArgument, type Source } from '../add/source.js';
import { countSkipped, describeTally, newTally } from '../add/tally.js';
import { type WatchedPath, watchPaths } from '../add/watch-paths.js';
import { defineCommand } from '../define-command.js';
import { connect } from '../connect.js';
import { errorTranslator, EXIT_FAILED, EXIT_INTERRUPTED, UsageError } from '../describe-error.js';
import { chooseDatastore } from '../named-collection.js';
import { printToStderr } from '../terminal/output.js';

const USAGE = 'citewell add <file | folder | URL | ->... [--datastore <id or name>]';
const HELP = `Adds files and web pages to a datastore and waits until they are indexed.
A file that was added before is replaced if its content has changed; a web page is fetched again. Both are
recognized by their path or URL.
Files: PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, HTML, EPUB, e-mail (.eml), CSV, JSON, Markdown and text,
and ZIP archives of them.
Of a folder, all these files and other files of text (.yaml, .py, .tex) are added, also in its subfolders. What
is skipped is named: hidden files, folders of programs (node_modules), symbolic links, empty files, other types.
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
At the end, a line on standard error says how many were added, replaced, unchanged, skipped and failed.
The exit code is 1 if any of them failed, and 130 after Ctrl-C, which ends the upload; what was sent is indexed.`;

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
    const tally = newTally();
    const skipped = args.flatMap((argument) => argument.skipped);
    for (const line of countSkipped(tally, skipped, errorTranslator())) printToStderr(line);
    const stop = new AbortController();
    const interrupt = (): void => stop.abort();
    // The second Ctrl-C ends the process at once.
    process.once('SIGINT', interrupt);
    const paths = watched.map(({ text, isFolder }) => ({ path: text, isFolder: isFolder === true }));
    // Before the first upload, so that no change is missed.
    const changes = watch ? watchPaths(paths, stop.signal) : null;
    const sources = args.flatMap((argument) => argument.sources);
    await addAll(target, sources, { tally, signal: stop.signal });
    if (sources.length !== 1 || skipped.length > 0) printToStderr(describeTally(tally));
    if (stop.signal.aborted) return EXIT_INTERRUPTED;
    if (changes) {
      printToStderr('Watching for changes. Ctrl-C ends.');
      for await (const files of changes)
        await addAll(
          target,
          files.map((path) => changedFile(path, paths, { name, customId, encoding })),
          { tally, signal: stop.signal },
        );
    }
    process.off('SIGINT', interrupt);
    return tally.failed === 0 ? 0 : EXIT_FAILED;
  },
);

function changedFile(path: string, watched: readonly WatchedPath[], labels: Labels): Source {
  const folder = watched.find((candidate) => candidate.isFolder && isInside(path, candidate.path));
  return folder ? fileOfFolder(path, folder.path, labels) : file(path, labels);
}

function isInside(path: string, folder: string): boolean {
  return !relative(folder, path).startsWith('..');
}
