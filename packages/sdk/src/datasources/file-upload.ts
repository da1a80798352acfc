import type { CreateOptions, Transport } from '../http/transport.js';
import type { Datasource } from './datasources.types.js';

/** The minimum upload rate for which the default timeout is sufficient. */
const MIN_BYTES_PER_SECOND = 128 * 1024;

export interface FileToUpload {
  /** In Node, use `fs.openAsBlob(path)`: it streams the file and does not read it into memory. */
  file: Blob;
  /** Default: the name of a `File`. Its extension determines the type if the blob has none. */
  fileName?: string | undefined;
  /** An id that the caller chooses. Queries can filter by it. */
  customId?: string | undefined;
}

/** Sends a file as multipart/form-data. The default timeout grows by one second per 128 KiB. */
export async function sendFile(
  transport: Transport,
  path: string,
  fields: Readonly<Record<string, string>>,
  { file, fileName, customId }: FileToUpload,
  options: CreateOptions | undefined,
): Promise<Datasource> {
  if (!(file instanceof Blob)) throw new TypeError('file must be a Blob, such as await fs.openAsBlob(path).');
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (fileName !== undefined) form.append('fileName', fileName);
  if (customId !== undefined) form.append('custom_id', customId);
  // The file is last, so that the server can reject the fields before it receives the bytes.
  if (fileName === undefined) form.append('file', file);
  else form.append('file', file, fileName);
  const timeoutMs =
    options?.timeoutMs ??
    transport.timeoutMs(undefined) + Math.ceil(file.size / MIN_BYTES_PER_SECOND) * 1_000;
  return transport.json({ method: 'POST', path, form, options: { ...options, timeoutMs } });
}
