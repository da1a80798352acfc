import type { OpenResponse } from './transport.js';
import type { OnUploadProgress } from './upload-progress.js';

/** The content of the file of a form, which is read once. */
export interface FileContent {
  stream: ReadableStream<Uint8Array>;
  /** In bytes; undefined if it is unknown. */
  size: number | undefined;
}

/**
 * The arguments of a `fetch` that sends a form as a stream, so that its file is not read into memory.
 *
 * @param form its last part is an empty file, in whose place `content` is sent
 */
export async function withFile(
  init: RequestInit,
  form: FormData,
  { stream, size }: FileContent,
  onProgress: OnUploadProgress | undefined,
): Promise<RequestInit> {
  // The runtime encodes the names and the boundary. The content belongs before the last delimiter.
  const encoded = new Response(form);
  const headers = new Headers(init.headers);
  // Read before the body: Bun forgets the type with the body.
  headers.set('content-type', encoded.headers.get('content-type') ?? '');
  const text = await encoded.text();
  const end = text.lastIndexOf('\r\n--');
  const encoder = new TextEncoder();
  const head = encoder.encode(text.slice(0, end));
  const tail = encoder.encode(text.slice(end));
  const totalBytes = size === undefined ? null : head.length + size + tail.length;

  let sentBytes = 0;
  const send = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
    controller.enqueue(chunk);
    sentBytes += chunk.length;
    onProgress?.({ sentBytes, totalBytes });
  };
  const envelope = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => send(head, controller),
    transform: send,
    flush: (controller) => send(tail, controller),
  });
  // Node refuses a stream without `duplex`, which the types of browsers lack.
  const streamed: RequestInit & { duplex: 'half' } = {
    ...init,
    headers,
    body: stream.pipeThrough(envelope),
    duplex: 'half',
  };
  return streamed;
}

/** The body of a response. Reading it to the end or cancelling it closes the connection. */
export function readableStream({ chunks, close }: OpenResponse): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // Not `chunks.return()`, which waits for the pending read.
    cancel: close,
  });
}
