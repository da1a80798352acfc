import { realpath, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Citewell } from '@citewell/sdk';
import { countSkipped, describeTally } from '../add/tally.js';
import { connect } from '../connect.js';
import { defineCommand } from '../define-command.js';
import {
  describeError,
  errorLine,
  errorTranslator,
  EXIT_FAILED,
  EXIT_INTERRUPTED,
  UsageError,
} from '../describe-error.js';
import { chooseDatastore, datastoresOf, findByIdOrName } from '../named-collection.js';
import { FolderSync, type SyncAction, UNMADE_DATASTORE } from '../sync/folder-sync.js';
import { LocalFolder } from '../sync/local-files.js';
import { listFailed, waitUntilIndexed } from '../sync/wait-until-indexed.js';
import { ChangeWaiter } from '../sync/watch-folder.js';
import { inOneLine, print, printToStderr, showProgress } from '../terminal/output.js';

/** How often a watched folder is compared with the service although nothing seems to have changed. */
const SWEEP_MS = 15 * 60_000;
/** When a sync has failed as a whole, such as without a network. */
const RETRY_MS = 60_000;
const MAX_LABEL_LENGTH = 100;

const USAGE = 'citewell sync <folder> [--datastore <id or name>] [--watch]';
const HELP = `Makes a datastore as a folder of this machine is: adds new files, replaces changed ones, renames moved ones and
removes documents whose files are gone. Documents that another way has added to the datastore stay.
Files are those of "citewell add". What is left out is named, with the reason.

  --datastore <id or name>  the datastore; default: the one with the name of the folder, which is created if missing
  --watch                   continue, and sync again when something changes, until Ctrl-C
  --include <pattern>       only files whose path fits, such as "*.pdf" or "/reports/**"; can be repeated
  --exclude <pattern>       no files whose path fits; wins over --include; can be repeated
  --as <name>               the name of the folder in the datastore; default: its own name
  --yes                     remove documents however many they are
  --dry-run                 only print what would be done
  --no-wait                 return after the upload, without waiting for the indexing
  --json                    one JSON object per line

Nothing is changed before the whole folder is listed, nor if so many files are gone that the folder may not be
mounted: all of them, at least 3 and more than half, or at least 10 and a quarter. Then check the folder, or use --yes.
Documents stay ("kept") whose files cannot be read now: in the place of a link that leads out of the folder or nowhere,
below a folder that cannot be opened, or where a file is empty.
The exit code is 1 if something failed or a document of the folder could not be indexed, and 130 after Ctrl-C.`;

export const run = defineCommand(
  {
    usage: USAGE,
    help: HELP,
    options: {
      datastore: { type: 'string' },
      watch: { type: 'boolean' },
      include: { type: 'string', multiple: true },
      exclude: { type: 'string', multiple: true },
      as: { type: 'string' },
      yes: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      'no-wait': { type: 'boolean' },
      json: { type: 'boolean' },
    },
    positionals: { required: '<folder>', maximum: 1 },
  },
  async (
    {
      datastore,
      watch = false,
      include = [],
      exclude = [],
      as,
      yes = false,
      'dry-run': isDry = false,
      'no-wait': noWait = false,
      json = false,
    },
    [text = ''],
  ) => {
    const root = await folderOf(text);
    const label = labelOf(as ?? basename(resolve(text)));
    const client = connect();
    const datastoreId = await datastoreOf(client, { datastore, label, isDry });
    const folder = new LocalFolder(root, label, { include, exclude });
    const stop = new AbortController();
    const interrupt = (): void => stop.abort();
    process.once('SIGINT', interrupt);
    const work = new SyncCommand(client, datastoreId, folder, {
      label,
      isDry,
      isJson: json,
      isWaiting: !noWait && !isDry,
      signal: stop.signal,
    });
    try {
      return watch ? await work.watch(root, yes) : await work.once(yes);
    } catch (error) {
      if (stop.signal.aborted) return EXIT_INTERRUPTED;
      throw error;
    } finally {
      process.off('SIGINT', interrupt);
    }
  },
);

interface Settings {
  readonly label: string;
  readonly isDry: boolean;
  readonly isJson: boolean;
  readonly isWaiting: boolean;
  readonly signal: AbortSignal;
}

class SyncCommand {
  private readonly sync: FolderSync;
  /** Problems, with the last round that had them: while a folder is watched, each is named once until it is gone. */
  private readonly named = new Map<string, number>();
  private round = 0;

  constructor(
    private readonly client: Citewell,
    private readonly datastoreId: string,
    private readonly folder: LocalFolder,
    private readonly settings: Settings,
  ) {
    this.sync = new FolderSync(client, datastoreId, folder, settings.label);
  }

  /** @returns the exit code */
  async once(removesMany: boolean): Promise<number> {
    const { signal, isDry, isWaiting } = this.settings;
    const { tally, listing, uploaded } = await this.sync.run({
      signal,
      isDry,
      removesMany,
      onAction: (action) => this.tell(action),
    });
    showProgress('');
    for (const line of countSkipped(tally, listing.skipped, errorTranslator())) this.nameOnce(line);
    printToStderr(`${isDry ? 'Nothing was changed. ' : ''}${describeTally(tally)}`);
    if (signal.aborted) return EXIT_INTERRUPTED;
    const isIndexed = !isWaiting || (await this.waitForDocuments(uploaded));
    return tally.failed === 0 && isIndexed ? 0 : EXIT_FAILED;
  }

  /** Until the signal. @returns the exit code */
  async watch(root: string, removesMany: boolean): Promise<number> {
    const { signal } = this.settings;
    const waiter = new ChangeWaiter(root);
    try {
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        this.round += 1;
        let waitMs = SWEEP_MS;
        try {
          await waiter.refresh().catch((error: unknown) => {
            this.nameOnce(
              `The folder is not watched, but compared each 15 minutes: ${describeError(error).message}`,
            );
          });
          await this.once(removesMany && isFirst);
          for (const [line, round] of this.named) if (round < this.round) this.named.delete(line);
          if (isFirst && !signal.aborted) printToStderr('Watching for changes. Ctrl-C ends.');
        } catch (error) {
          if (signal.aborted) break;
          showProgress('');
          this.nameOnce(describeError(error).message);
          waitMs = RETRY_MS;
        }
        if (signal.aborted) break;
        // Without a change, others may have changed the datastore, or the watch has missed something.
        if (!(await waiter.wait(waitMs, signal))) this.sync.forget();
      }
    } finally {
      waiter.close();
    }
    return EXIT_INTERRUPTED;
  }

  /** @returns whether all documents of the folder are indexed */
  private async waitForDocuments(uploaded: ReadonlySet<string>): Promise<boolean> {
    const { signal } = this.settings;
    await waitUntilIndexed(this.client, this.datastoreId, uploaded, signal);
    showProgress('');
    const failed = await listFailed(this.client, this.datastoreId, this.folder.prefix);
    for (const { name, error } of failed)
      this.nameOnce(`not indexed ${inOneLine(name)}${error === null ? '' : `: ${errorLine(error)}`}`);
    return failed.length === 0;
  }

  private tell(action: SyncAction): void {
    showProgress('');
    const { isJson } = this.settings;
    const { action: word, name, from, reason } = action;
    const json = JSON.stringify(action);
    const shown = from === undefined ? inOneLine(name) : `${inOneLine(from)} → ${inOneLine(name)}`;
    if (reason === undefined) print(isJson ? json : `${word}  ${shown}`);
    else if (isJson) this.nameOnce(json, print);
    else this.nameOnce(`${word} ${shown}: ${reason}`);
  }

  private nameOnce(line: string, write = printToStderr): void {
    if (!this.named.has(line)) write(line);
    this.named.set(line, this.round);
  }
}

/** @throws {@link UsageError} if it is not a folder */
async function folderOf(text: string): Promise<string> {
  const stats = await stat(text).catch(() => null);
  if (stats === null) throw new UsageError(`The folder ${text} does not exist.`);
  if (!stats.isDirectory()) throw new UsageError(`${text} is not a folder. Use "citewell add" for a file.`);
  return realpath(text);
}

function labelOf(name: string): string {
  const label = name.normalize();
  if (label === '') throw new UsageError('The folder has no name. Choose one with --as.');
  if (label.includes('/') || label.length > MAX_LABEL_LENGTH)
    throw new UsageError(`--as must have at most ${MAX_LABEL_LENGTH} characters and no "/".`);
  return label;
}

async function datastoreOf(
  client: Citewell,
  { datastore, label, isDry }: { datastore: string | undefined; label: string; isDry: boolean },
): Promise<string> {
  if (isDry && datastore === undefined)
    return (await findByIdOrName(datastoresOf(client), label))?.id ?? UNMADE_DATASTORE;
  return (await chooseDatastore(client, datastore ?? label, datastore === undefined)).id;
}
