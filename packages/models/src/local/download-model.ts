import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Fetch, offlineRefusalIn, withoutTrailingSlashes } from '@citewell/web/remote-fetch';
import { ModelError } from '../model.error.js';
import { DamagedFileError, downloadFile } from './download-file.js';
import { MODEL_FILES, WEIGHTS } from './model-files.js';
import { folderOf, type ModelSource } from './model-source.js';
import type { OnProgress } from './on-progress.js';

const HUB = 'https://huggingface.co';
/** Digests of the files of a mirror, in the format of `sha256sum`. */
const SUMS = 'SHA256SUMS';

export interface DownloadOptions {
  source: Exclude<ModelSource, { kind: 'directory' }>;
  /** The model is stored in a folder of this directory, and not downloaded again. */
  directory: string;
  /** Address of the hub or of a mirror with its paths. Default: that of Hugging Face. */
  hub?: string | undefined;
  /** For the model of a URL. Default: `remoteFetch`. */
  fetcher?: Fetch | undefined;
  onProgress: OnProgress;
  signal?: AbortSignal | undefined;
}

/** The last file of a complete model. Earlier releases wrote it, too. */
const COMPLETE = 'complete';

/** Whether `downloadModel` needs no network. */
export function isDownloaded({ source, directory }: Pick<DownloadOptions, 'source' | 'directory'>): boolean {
  return existsSync(join(folderOf(source, directory), COMPLETE));
}

/**
 * Downloads the files of a model, unless they are there. The folder appears when it is complete. A process that ends in
 * the middle leaves another folder, which the next call continues.
 *
 * @returns the folder of the model
 * @throws ModelError (`permanent`) if the model does not exist, cannot be reached, or has other digests than announced;
 * the reason of the signal
 */
export async function downloadModel(options: DownloadOptions): Promise<string> {
  const { source, directory, hub = HUB, fetcher, onProgress, signal } = options;
  const folder = folderOf(source, directory);
  if (isDownloaded(options)) return folder;
  const name = source.kind === 'hub' ? source.id : source.url;
  const base =
    source.kind === 'url' ? source.url : `${withoutTrailingSlashes(hub)}/${source.id}/resolve/main/`;
  const unfinished = await unfinishedFolder(folder);
  let sums: ReadonlyMap<string, string> = new Map();
  const fetchFile = (file: string): Promise<boolean> =>
    downloadFile(base + file, join(unfinished, file), {
      sha256: sums.get(file),
      signal,
      fetcher: source.kind === 'url' ? fetcher : undefined,
      onDone: (done) => onProgress({ step: 'downloading', text: `Downloading ${name}, ${file}`, done }),
    }).catch(async (cause: unknown) => {
      signal?.throwIfAborted();
      // The other files may be of the same wrong copy.
      if (cause instanceof DamagedFileError) await rm(unfinished, { recursive: true, force: true });
      throw failure(name, file, cause);
    });
  // The server may have corrected its digests since the last attempt.
  await rm(join(unfinished, SUMS), { force: true });
  if (source.kind === 'url' && (await fetchFile(SUMS))) sums = await readSums(join(unfinished, SUMS));
  for (const { file, isRequired } of MODEL_FILES) {
    if (!(await fetchFile(file)) && isRequired) throw missing(name, file);
  }
  for (const file of WEIGHTS) {
    if (!(await fetchFile(file))) continue;
    await finish(unfinished, folder);
    return folder;
  }
  throw missing(name, WEIGHTS.join(' or '));
}

async function finish(unfinished: string, folder: string): Promise<void> {
  await writeFile(join(unfinished, COMPLETE), '');
  // Another process may have downloaded the same model in the meantime.
  if (existsSync(join(folder, COMPLETE))) return rm(unfinished, { recursive: true });
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
}

/** The folder of this process for an unfinished download. Takes over that of a process of this machine that has ended. */
async function unfinishedFolder(folder: string): Promise<string> {
  const prefix = `${basename(folder)}.unfinished-${hostname()}-`;
  const own = join(dirname(folder), `${prefix}${process.pid}`);
  await mkdir(dirname(folder), { recursive: true });
  if (existsSync(own)) return own;
  for (const entry of await readdir(dirname(folder))) {
    const pid = entry.startsWith(prefix) ? Number(entry.slice(prefix.length)) : 0;
    if (pid > 0 && !isRunning(pid)) {
      await rename(join(dirname(folder), entry), own).catch(() => undefined);
      if (existsSync(own)) return own;
    }
  }
  return own;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** @returns the digest of each file */
async function readSums(file: string): Promise<Map<string, string>> {
  const lines = (await readFile(file, 'utf8')).matchAll(/^([0-9a-f]{64}) [ *](?:\.\/)?(.+?)\r?$/gim);
  return new Map([...lines].map(([, digest = '', name = '']) => [name, digest.toLowerCase()]));
}

function failure(name: string, file: string, cause: unknown): ModelError {
  if (offlineRefusalIn(cause))
    return new ModelError(
      'permanent',
      `The server works offline and does not download the model ${name}. Copy its files to a directory and choose \`local:<directory>\`.`,
    );
  const message =
    cause instanceof DamagedFileError
      ? `The file ${file} of the model ${name} has another digest than the server announced. The download starts anew at the next attempt.`
      : `The file ${file} of the model ${name} could not be downloaded. Without access to it, copy the files of the model ` +
        'to a directory and choose `local:<directory>`.';
  return new ModelError('permanent', message, { cause });
}

function missing(name: string, file: string): ModelError {
  return new ModelError(
    'permanent',
    `There is no model ${name} in ONNX format: the file ${file} does not exist.`,
  );
}
