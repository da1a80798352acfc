import type { OpenResponse } from './transport.js';

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
