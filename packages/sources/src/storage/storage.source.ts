import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { StorageSourceConfig } from '@citewell/contracts/schemas';
import { FilteringProxy, type WebFetchError } from '@citewell/web';
import { z } from 'zod';
import type { SourceContext } from '../open-source.js';
import { compareNames, counted, pagesOf } from '../inventory-pages.js';
import {
  type FetchedDocument,
  type InventoryPage,
  type SkippedDocument,
  type Source,
  type SourceDocument,
  SourceError,
  type SourceErrorKind,
} from '../source.js';
import { Rclone, RcloneError } from './rclone.js';
import { storageError } from './storage-error.js';
import { needsAllPorts, remoteParameters, secretTexts } from './storage-remote.js';

/** The name of the only remote. */
const NAME = 'source';
const MAX_ID_CHARACTERS = 1_024;
/** Connections are reused. A document may be large. */
const LIMITS = { maxBytesPerConnection: Infinity, maxConnectionMs: 6 * 60 * 60_000 };
/** Hashes of rclone that Node makes too. */
const NODE_HASHES = new Set(['md5', 'sha1', 'sha256', 'sha512']);
/** Errors that may concern a folder alone. */
const FOLDER_ERRORS: ReadonlySet<SourceErrorKind> = new Set<SourceErrorKind>([
  'denied',
  'gone',
  'unreadable',
]);
/** Types of content take a request for each file on some storages. */
const LIST_OPTIONS = { showHash: true, noMimeType: true };

const entrySchema = z.object({
  Name: z.string(),
  /** -1 if the storage does not tell it. */
  Size: z.number(),
  ModTime: z.string().optional(),
  IsDir: z.boolean(),
  Hashes: z.record(z.string(), z.string()).nullish(),
});
type Entry = z.infer<typeof entrySchema>;
// An empty folder has null.
const listSchema = z.object({ list: z.array(entrySchema).nullable() });
const statSchema = z.object({ item: entrySchema.nullable() });
const remoteSchema = z.object({ token: z.string().optional() });

/**
 * A folder of a storage that rclone knows: S3, WebDAV, SFTP, Google Drive and others. rclone runs as long as the source is
 * open. Its connections go through a proxy that refuses private networks.
 *
 * Files and folders whose names begin with a dot are left out. Folders are listed one after another, so that memory is
 * bounded by the largest.
 */
export class StorageSource implements Source {
  private connection: WebFetchError | null = null;
  private rclone: Rclone | null = null;
  private proxy: FilteringProxy | null = null;
  private readonly fs: string;
  private readonly secretTexts: string[];
  private token: string | undefined;

  /** @throws SourceError */
  static async open(config: StorageSourceConfig, context: SourceContext): Promise<StorageSource> {
    const source = new StorageSource(config, context);
    try {
      await source.start(config);
      return source;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  private constructor(
    { path = '' }: StorageSourceConfig,
    private readonly context: SourceContext,
  ) {
    this.fs = `${NAME}:${path}`;
    this.secretTexts = secretTexts(context.secrets);
    this.token = context.secrets['token'];
  }

  async check(signal: AbortSignal): Promise<string> {
    const entries = await this.entriesOf('', signal);
    await this.keepToken();
    const folders = entries.filter(({ IsDir }) => IsDir).length;
    return `The storage answers. The folder has ${counted(entries.length - folders, 'file')} and ${counted(folders, 'folder')}.`;
  }

  async *inventory(cursor: string | null, signal: AbortSignal): AsyncGenerator<InventoryPage> {
    const found = this.walk('', cursor === null ? null : cursor.split('/'), signal);
    for await (const page of pagesOf(found, ({ path }) => path)) {
      await this.keepToken();
      yield page;
    }
  }

  async fetch({ path }: Pick<SourceDocument, 'path'>, signal: AbortSignal): Promise<FetchedDocument> {
    const entry = await this.statOf(path, signal);
    const content = await this.attempt(path, signal, (rclone) => rclone.open(this.fs, path, signal));
    // The iteration has not begun, but the connection may fail.
    content.on('error', () => undefined);
    return {
      version: versionOf(entry),
      content: Readable.from(this.contentOf(content, path, entry, signal), { objectMode: false }),
    };
  }

  async close(): Promise<void> {
    await this.keepToken().catch(() => undefined);
    await this.rclone?.close();
    await this.proxy?.close();
    this.rclone = null;
  }

  private async start({ provider, options = {} }: StorageSourceConfig): Promise<void> {
    const { secrets, allowPrivateNetworks = [], proxy, rclonePath = 'rclone' } = this.context;
    this.proxy = await FilteringProxy.start({
      allowPrivateNetworks,
      ...(proxy === undefined ? {} : { proxy }),
      ports: needsAllPorts(provider) ? 'all' : 'web',
      limits: LIMITS,
      onFailure: (error) => {
        this.connection ??= error;
      },
    });
    const { url } = this.proxy;
    const parameters = await remoteParameters(
      { provider, options },
      { secrets, allowPrivateNetworks, proxy: url },
    );
    this.rclone = await Rclone.start(rclonePath, url);
    // `obscure` encodes passwords as rclone expects them in a configuration.
    const opt = { nonInteractive: true, obscure: true };
    const remote = {
      name: NAME,
      type: provider === 'gcs' ? 'google cloud storage' : provider,
      parameters,
      opt,
    };
    await this.attempt('The storage', undefined, (rclone) =>
      rclone.call('config/create', remote, z.unknown()),
    );
  }

  /** @param after names of the last entry that was listed; null to list all */
  private async *walk(
    folder: string,
    after: readonly string[] | null,
    signal: AbortSignal,
  ): AsyncGenerator<SourceDocument | SkippedDocument> {
    const [first, ...below] = after ?? [];
    let entries: Entry[];
    try {
      entries = await this.entriesOf(folder, signal);
    } catch (error) {
      const isOfFolder = error instanceof SourceError && FOLDER_ERRORS.has(error.kind);
      if (folder === '' || !isOfFolder) throw error;
      // Credentials may have expired: then the root fails, too.
      await this.entriesOf('', signal);
      yield { id: folder, path: folder, reason: error.message, isFolder: true };
      return;
    }
    let last: string | undefined;
    for (const entry of entries) {
      const { Name: name, IsDir: isFolder } = entry;
      const isDuplicate = name === last;
      last = name;
      if (first !== undefined && compareNames(name, first) < 0) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const problem = isDuplicate
        ? 'Another file of the folder has the same name.'
        : path.length > MAX_ID_CHARACTERS
          ? `Its path is longer than ${MAX_ID_CHARACTERS} characters.`
          : null;
      if (isFolder && problem === null) {
        yield* this.walk(path, name === first && below.length > 0 ? below : null, signal);
      } else if (name === first && below.length === 0) {
        continue;
      } else if (problem !== null) {
        yield {
          id: path.slice(0, MAX_ID_CHARACTERS),
          path,
          reason: problem,
          ...(isFolder ? { isFolder } : {}),
        };
      } else yield documentOf(path, entry);
    }
  }

  /** The entries of a folder in a fixed order, without hidden ones. */
  private async entriesOf(folder: string, signal: AbortSignal): Promise<Entry[]> {
    const subject = folder === '' ? 'The folder' : folder;
    const input = { fs: this.fs, remote: folder, opt: LIST_OPTIONS };
    const { list } = await this.attempt(subject, signal, (rclone) =>
      rclone.call('operations/list', input, listSchema, signal),
    ).catch((error: unknown) => {
      if (folder !== '' || !(error instanceof SourceError) || error.kind !== 'gone') throw error;
      throw new SourceError('denied', 'The storage has no such folder.', { cause: error });
    });
    return (list ?? [])
      .filter(({ Name }) => !Name.startsWith('.'))
      .toSorted((one, other) => compareNames(one.Name, other.Name));
  }

  private async statOf(path: string, signal: AbortSignal): Promise<Entry> {
    const { item } = await this.attempt(path, signal, (rclone) =>
      rclone.call('operations/stat', { fs: this.fs, remote: path, opt: LIST_OPTIONS }, statSchema, signal),
    );
    if (item === null || item.IsDir) throw new SourceError('gone', `${path} is not there any more.`);
    return item;
  }

  /** The bytes of a file. What their hash does not prove is looked up again. */
  private async *contentOf(
    response: IncomingMessage,
    path: string,
    entry: Entry,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const expected = hashOf(entry);
    const digest = expected !== null && NODE_HASHES.has(expected.name) ? createHash(expected.name) : null;
    let failure: unknown = null;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        digest?.update(chunk);
        yield chunk;
      }
      if (digest !== null && digest.digest('hex') === expected?.value) return;
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    } finally {
      response.destroy();
    }
    if (versionOf(await this.statOf(path, signal)) !== versionOf(entry))
      throw new SourceError('changed', `${path} was changed while it was read.`, { cause: failure });
    if (failure !== null)
      throw new SourceError('unavailable', `The connection was lost while ${path} was read.`, {
        cause: failure,
      });
  }

  private async attempt<T>(
    subject: string,
    signal: AbortSignal | undefined,
    action: (rclone: Rclone) => Promise<T>,
  ): Promise<T> {
    if (this.rclone === null) throw new SourceError('unavailable', 'The source is closed.');
    this.connection = null;
    try {
      return await action(this.rclone);
    } catch (error) {
      signal?.throwIfAborted();
      const { connection, secretTexts: texts } = this;
      // Without the cause, whose text may have secrets.
      if (error instanceof RcloneError && error.status === 404 && connection === null)
        throw new SourceError('gone', `${subject} is not there any more.`);
      throw storageError(subject, { error, connection, secretTexts: texts });
    }
  }

  /** Tokens of OAuth 2.0 that are renewed may replace those that the source has. */
  private async keepToken(): Promise<void> {
    if (this.rclone === null || this.token === undefined || this.context.saveSecret === undefined) return;
    const { token } = await this.rclone.call('config/get', { name: NAME }, remoteSchema);
    if (token === undefined || token === this.token) return;
    this.token = token;
    this.secretTexts.push(...secretTexts({ token }));
    await this.context.saveSecret('token', token);
  }
}

function documentOf(path: string, entry: Entry): SourceDocument {
  const { Size: size, ModTime: time } = entry;
  const modifiedAt = time ? new Date(time) : null;
  return {
    id: path,
    path,
    version: versionOf(entry),
    bytes: size < 0 ? null : size,
    modifiedAt: modifiedAt === null || Number.isNaN(modifiedAt.getTime()) ? null : modifiedAt,
    access: 'library',
  };
}

/** A hash if the storage has one, else size and time of change. Storages tell fractions of seconds in some calls only. */
function versionOf(entry: Entry): string {
  const hash = hashOf(entry);
  if (hash !== null) return `${hash.name}:${hash.value}`;
  return `${entry.Size}-${Math.floor(Date.parse(entry.ModTime ?? '') / 1_000)}`;
}

/** The longest hash, so that the choice is the same each time. */
function hashOf({ Hashes: hashes }: Entry): { name: string; value: string } | null {
  const [longest] = Object.entries(hashes ?? {})
    .filter(([, value]) => value !== '')
    .toSorted(
      ([one, value], [other, otherValue]) => otherValue.length - value.length || compareNames(one, other),
    );
  return longest === undefined ? null : { name: longest[0], value: longest[1].toLowerCase() };
}
