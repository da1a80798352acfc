import type { CreateOptions, Transport } from '../http/transport.js';
import type { Datasource } from '../wire.types.js';

/** The slowest link that an upload is expected to have. */
const BYTES_PER_SECOND = 128 * 1024;

export interface FileToUpload {
  /** In Node, `fs.openAsBlob(path)` reads a file as it is sent, without taking it into memory. */
  file: Blob;
  /** Default: the name of a `File`. Its extension counts where the blob has no type. */
  fileName?: string | undefined;
  /** An id of the caller's own, by which queries can filter. */
  customId?: string | undefined;
}

/** Sends a file as multipart. Its limit of time, unless one is given, grows by a second for every 128 KiB. */
export function sendFile(
  transport: Transport,
  path: string,
  fields: Readonly<Record<string, string>>,
  { file, fileName, customId }: FileToUpload,
  options: CreateOptions | undefined,
): Promise<Datasource> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (fileName !== undefined) form.append('fileName', fileName);
  if (customId !== undefined) form.append('custom_id', customId);
  // The file comes last: a server can refuse the fields before it has taken the bytes.
  if (fileName === undefined) form.append('file', file);
  else form.append('file', file, fileName);
  const timeoutMs =
    options?.timeoutMs ?? transport.timeoutMs(undefined) + Math.ceil(file.size / BYTES_PER_SECOND) * 1_000;
  return transport.json({ method: 'POST', path, form, options: { ...options, timeoutMs } });
}
