import { createHash, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Citewell, Datasource, DatasourceItem, OnUploadProgress } from '@citewell/sdk';
import { fileFromPath } from '@citewell/sdk/node';
import { UsageError } from '../describe-error.js';
import { listFiles, type SkippedEntry } from './list-files.js';

const MAX_CUSTOM_ID_LENGTH = 255;

/** What is known of a datasource that was accepted. */
export type Accepted = Pick<Datasource, 'id' | 'status' | 'upsertOutcome'> & { name: string };

/** A file, which becomes one datasource with a request of its own. */
export interface FileSource {
  /** For messages. */
  label: string;
  send(
    client: Citewell,
    datastoreId: string,
    options: { onProgress: OnUploadProgress; signal: AbortSignal },
  ): Promise<Accepted>;
}

/** Something that becomes one datasource: a file, or an address, which is sent with others. */
export type Source = FileSource | { label: string; item: DatasourceItem };

export interface Labels {
  name?: string | undefined;
  customId?: string | undefined;
  /** The encoding of files of text. */
  encoding?: string | undefined;
}

/** What an argument of the command line stands for. */
export interface Argument {
  sources: Source[];
  /** Entries of a folder that are not added. */
  skipped: SkippedEntry[];
  /** Null if it is neither a file nor a folder. */
  isFolder: boolean | null;
}

/** @throws {@link UsageError} if there is no such file */
export async function readArgument(text: string, labels: Labels): Promise<Argument> {
  if (/^https?:\/\//i.test(text)) return { sources: [webPage(text, labels)], skipped: [], isFolder: null };
  if (text === '-') return { sources: [standardInput(labels)], skipped: [], isFolder: null };
  const stats = await stat(text).catch(() => null);
  if (!stats) throw new UsageError(`The file ${text} does not exist.`);
  if (stats.isFile()) return { sources: [file(text, labels)], skipped: [], isFolder: false };
  if (!stats.isDirectory()) throw new UsageError(`${text} is neither a file nor a folder.`);
  if (labels.name !== undefined || labels.customId !== undefined)
    throw new UsageError('--name and --custom-id can only be used with a single file or URL.');
  const { files, skipped } = await listFiles(text);
  return { sources: files.map((path) => fileOfFolder(path, text, labels)), skipped, isFolder: true };
}

export function file(path: string, { name, customId, encoding }: Labels = {}): Source {
  const options = sendOnce();
  return {
    label: path,
    async send(client, datastoreId, sending) {
      const { file: blob, fileName } = await fileFromPath(path);
      const upload = {
        datastoreId,
        file: blob,
        fileName: name ?? fileName,
        customId: customId ?? customIdOf(resolve(path)),
        encoding,
        upsert: true,
      };
      return client.datasources.upload(upload, { ...options, ...sending });
    },
  };
}

/** Its name has the path inside the folder: `handbook/travel/trains.md`. */
export function fileOfFolder(
  path: string,
  folder: string,
  { encoding }: Pick<Labels, 'encoding'> = {},
): Source {
  return file(path, { name: join(basename(resolve(folder)), relative(folder, path)), encoding });
}

function webPage(url: string, { name, customId }: Labels): Source {
  return {
    label: url,
    item: {
      type: 'web_page',
      name,
      custom_id: customId ?? customIdOf(url),
      upsert: true,
      config: { source_url: url },
    },
  };
}

function standardInput({ name = 'stdin.txt', customId, encoding }: Labels): Source {
  const options = sendOnce();
  return {
    label: '-',
    async send(client, datastoreId, sending) {
      const blob = new Blob([await buffer(process.stdin)]);
      const upload = {
        datastoreId,
        file: blob,
        fileName: name,
        customId,
        encoding,
        upsert: customId !== undefined,
      };
      return client.datasources.upload(upload, { ...options, ...sending });
    },
  };
}

/** With this key, a retry after a network failure does not create the datasource twice. */
export function sendOnce(): { idempotencyKey: string } {
  return { idempotencyKey: randomUUID() };
}

/** The custom id by which a later `add` finds the datasource. The API limits its length. */
function customIdOf(source: string): string {
  if (source.length <= MAX_CUSTOM_ID_LENGTH) return source;
  return `sha256:${createHash('sha256').update(source).digest('hex')}`;
}
