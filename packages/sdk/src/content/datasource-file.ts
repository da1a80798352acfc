import { readableStream } from '../http/readable-stream.js';
import type { OpenResponse } from '../http/transport.js';

/** A file that is being downloaded. */
export interface DatasourceFile {
  name: string;
  mimeType: string;
  /** The bytes. Read them to the end or cancel the stream; otherwise the connection stays open. */
  stream: ReadableStream<Uint8Array>;
}

/** Converts a response to a file. The name is from `Content-Disposition` (RFC 6266). */
export function toDatasourceFile(response: OpenResponse): DatasourceFile {
  const { headers } = response;
  return {
    name: fileNameOf(headers.get('content-disposition')),
    mimeType: headers.get('content-type') ?? 'application/octet-stream',
    stream: readableStream(response),
  };
}

function fileNameOf(header: string | null): string {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Invalid encoding: fall back to the plain name.
    }
  }
  return /filename\s*=\s*"([^"]*)"/i.exec(header ?? '')?.[1] ?? '';
}
