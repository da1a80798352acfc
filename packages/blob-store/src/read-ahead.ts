import type { BlobSource } from './blob-store.port.js';
import { nextUnlessAborted, toIterator } from './metered-source.js';

/**
 * Reads the beginning of a source, to learn whether it is small.
 *
 * @param most bytes of a small source
 * @returns the content of a small source; otherwise a source with the same content
 * @throws the error of the source, or the reason of the signal; the source is closed then, unless it hangs
 */
export async function readAhead(
  source: BlobSource,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal | undefined },
): Promise<BlobSource> {
  if (source instanceof Uint8Array) return source;
  const iterator = toIterator(source);
  const head: Uint8Array[] = [];
  try {
    for (let bytes = 0; bytes <= most;) {
      const { done, value } = await nextUnlessAborted(iterator, signal);
      if (done === true) return Buffer.concat(head);
      head.push(value);
      bytes += value.byteLength;
    }
  } catch (error) {
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
    throw error;
  }
  return continued(head, iterator);
}

/** The chunks of `head`, then those that the iterator has left. */
function continued(head: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => {
      const value = head.shift();
      return value === undefined ? rest.next() : { done: false, value };
    },
    return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
