import { withFile } from '../http/streamed-form.js';
import type { CreateOptions, Fetch, ResourceRequest, Transport } from '../http/transport.js';
import type { OnUploadProgress } from '../http/upload-progress.js';
import { hasXhr, xhrFetch } from '../http/xhr-fetch.js';
import type { Datasource } from '@citewell/contracts';

/** The minimum upload rate for which the default timeout is sufficient. */
const MIN_BYTES_PER_SECOND = 128 * 1024;

export interface FileToUpload {
  /**
   * A blob, or a stream of bytes. Both are sent without being read into memory, except for a stream in a browser. A
   * stream needs a `fileName`. In Node, `fileFromPath` of `@citewell/sdk/node` opens a file.
   */
  file: Blob | ReadableStream<Uint8Array>;
  /** Default: the name of a `File`. Its extension determines the type if the blob has none. */
  fileName?: string | undefined;
  /** The length of a stream in bytes, if it is known: for `totalBytes` of the progress, and for the default timeout. */
  fileSize?: number | undefined;
  /** An id that the caller chooses. Queries can filter by it. */
  customId?: string | undefined;
  /** The encoding of a file of text, such as `big5` or `windows-1251`. Default: it is detected. */
  encoding?: string | undefined;
}

export interface UploadOptions extends CreateOptions {
  /** Reports how much has been sent. In a browser, the upload is then sent by `XMLHttpRequest` in place of `fetch`. */
  onProgress?: OnUploadProgress | undefined;
}

/**
 * Sends a file as multipart/form-data. The default timeout grows by one second per 128 KiB; a stream of unknown length
 * has none. A stream can be read only once, so its upload is not retried.
 */
export async function sendFile(
  transport: Transport,
  { method, path }: Pick<ResourceRequest, 'method' | 'path'>,
  fields: Readonly<Record<string, string>>,
  upload: FileToUpload,
  { onProgress, ...options }: UploadOptions = {},
): Promise<Datasource> {
  const { fileName, fileSize, customId, encoding } = upload;
  const file = await toSendable(upload);
  const isBlob = file instanceof Blob;
  const isStreamed = !isBlob || (onProgress !== undefined && !hasXhr());
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (fileName !== undefined) form.append('fileName', fileName);
  if (customId !== undefined) form.append('custom_id', customId);
  if (encoding !== undefined) form.append('encoding', encoding);
  // The file is last, so that the server can reject the fields before it receives the bytes.
  const name = fileName ?? (file instanceof File ? file.name : 'blob');
  form.append('file', isStreamed ? new Blob([], isBlob ? { type: file.type } : {}) : file, name);

  const size = isBlob ? file.size : fileSize;
  const sizeTimeoutMs =
    size === undefined ? Number.POSITIVE_INFINITY : Math.ceil(size / MIN_BYTES_PER_SECOND) * 1_000;
  const streamed =
    (fetch: Fetch): Fetch =>
    async (url, init) =>
      fetch(url, await withFile(init, form, { stream: isBlob ? file.stream() : file, size }, onProgress));
  return transport.json({
    method,
    path,
    form,
    sendWith: isStreamed ? streamed : onProgress && (() => xhrFetch(onProgress)),
    options: {
      ...options,
      timeoutMs: options.timeoutMs ?? transport.timeoutMs(undefined) + sizeTimeoutMs,
      ...(isBlob ? {} : { maxRetries: 0 }),
    },
  });
}

/** Browsers cannot send a stream over every connection, so they read it into a blob. */
async function toSendable({ file, fileName }: FileToUpload): Promise<FileToUpload['file']> {
  if (file instanceof Blob) return file;
  if (!(file instanceof ReadableStream)) throw new TypeError('file must be a Blob or a ReadableStream.');
  if (fileName === undefined) throw new TypeError('A stream needs a fileName.');
  return hasXhr() ? new Response(file).blob() : file;
}
