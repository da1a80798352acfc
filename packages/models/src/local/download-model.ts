import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { remoteFetch } from '@citewell/web/remote-fetch';
import { ModelError } from '../model.error.js';
import { MODEL_FILES, WEIGHTS } from './model-files.js';
import type { OnProgress } from './on-progress.js';

const HUB = 'https://huggingface.co';
const STALLED_AFTER_MS = 60_000;

export interface DownloadOptions {
  /** Id of the model on the hub, such as `Xenova/multilingual-e5-small`. */
  id: string;
  /** The model is stored in a folder of this directory, and not downloaded again. */
  directory: string;
  /** Address of the hub or of a mirror. Default: that of Hugging Face. */
  hub?: string | undefined;
  onProgress: OnProgress;
}

/**
 * Downloads the files of a model from the hub, unless they are there.
 *
 * @returns the folder of the model
 * @throws ModelError (`permanent`) if the model does not exist, or the hub cannot be reached
 */
export async function downloadModel({
  id,
  directory,
  hub = HUB,
  onProgress,
}: DownloadOptions): Promise<string> {
  const folder = join(directory, ...id.split('/'));
  // Written last, so that an interrupted download goes on at the next start.
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  const fetchFile = (file: string): Promise<boolean> =>
    downloadFile(`${hub.replace(/\/+$/, '')}/${id}/resolve/main/${file}`, join(folder, file), (done) =>
      onProgress({ text: `Downloading ${id}, ${file}`, done }),
    ).catch((cause: unknown) => {
      throw new ModelError(
        'permanent',
        `The file ${file} of the model ${id} could not be downloaded. Without access to the hub, copy the files of the ` +
          'model to a directory and configure `local:<directory>`.',
        { cause },
      );
    });
  for (const { file, isRequired } of MODEL_FILES) {
    if (!(await fetchFile(file)) && isRequired) throw missing(id, file);
  }
  for (const file of WEIGHTS) {
    if (!(await fetchFile(file))) continue;
    await writeFile(complete, '');
    return folder;
  }
  throw missing(id, WEIGHTS.join(' or '));
}

function missing(id: string, file: string): ModelError {
  return new ModelError(
    'permanent',
    `The hub has no model ${id} in ONNX format: the file ${file} does not exist.`,
  );
}

/** @returns false if the server has no such file */
async function downloadFile(url: string, target: string, onDone: (part: number) => void): Promise<boolean> {
  if (existsSync(target)) return true;
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), STALLED_AFTER_MS);
  try {
    const response = await remoteFetch(url, { signal: stalled.signal });
    // The hub answers 401 for a model that does not exist or is private.
    if ([401, 403, 404].includes(response.status)) {
      await response.body?.cancel();
      return false;
    }
    if (!response.ok || response.body === null) throw new Error(`The hub answered ${response.status}.`);
    // Otherwise a file that the connection has cut could not be told from a whole one.
    if (!response.headers.has('content-length') && !response.headers.has('transfer-encoding'))
      throw new Error('The hub sent a file without its length.');
    const total = Number(response.headers.get('content-length'));
    let loaded = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        timer.refresh();
        loaded += chunk.length;
        if (total > 0) onDone(loaded / total);
        next(null, chunk);
      },
    });
    await mkdir(dirname(target), { recursive: true });
    const partial = `${target}.${process.pid}.partial`;
    try {
      await pipeline(Readable.fromWeb(response.body), count, createWriteStream(partial));
      await rename(partial, target);
    } finally {
      await rm(partial, { force: true });
    }
    return true;
  } finally {
    clearTimeout(timer);
  }
}
