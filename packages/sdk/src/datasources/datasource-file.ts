import type { OpenResponse } from '../http/transport.js';

/** A file on its way. */
export interface DatasourceFile {
  name: string;
  mimeType: string;
  /** Its bytes; read them or cancel the stream, or the connection stays open. */
  stream: ReadableStream<Uint8Array>;
}

/** Takes the name from `Content-Disposition` (RFC 6266) and the bytes as they come. */
export function toDatasourceFile({ headers, chunks, close }: OpenResponse): DatasourceFile {
  return {
    name: fileNameOf(headers.get('content-disposition')),
    mimeType: headers.get('content-type') ?? 'application/octet-stream',
    stream: new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // Not `chunks.return()`: that would wait behind the piece that is being read.
      cancel: close,
    }),
  };
}

function fileNameOf(header: string | null): string {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Badly encoded: the plain name is the better one.
    }
  }
  return /filename\s*=\s*"([^"]*)"/i.exec(header ?? '')?.[1] ?? '';
}
