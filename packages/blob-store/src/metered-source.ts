import { createHash } from 'node:crypto';
import type { BlobSource, PutOptions, PutResult } from './blob-store.port.js';
import { BlobTooLargeError } from './blob-store.errors.js';

/**
 * Reads a source once, counts and hashes its bytes, and applies the byte limit and the signal.
 *
 * `failure` holds the error of the source itself, as opposed to errors of the store that reads it. An adapter
 * whose client wraps errors can then still throw the original one.
 */
export class MeteredSource {
  /** The error that ended the source early: its own, the limit, or the reason of the signal. */
  failure: { error: unknown } | null = null;

  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(
    private readonly source: BlobSource,
    private readonly options: PutOptions,
  ) {}

  /** Returns the totals. Call it once, after the last chunk. */
  result(): PutResult {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }

  /** Yields the chunks of the source. Can be read once. */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const { maxBytes = Infinity, signal } = this.options;
    const iterator = toIterator(this.source);
    try {
      for (;;) {
        const { done, value } = await nextUnlessAborted(iterator, signal);
        if (done) return;
        this.bytes += value.byteLength;
        if (this.bytes > maxBytes) throw new BlobTooLargeError(maxBytes);
        this.hash.update(value);
        yield value;
      }
    } catch (error) {
      this.failure = { error };
      throw error;
    } finally {
      // Destroys a stream or ends a generator. Not awaited: a generator that hangs in `next` hangs here too.
      void Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  }
}

export function toIterator(source: BlobSource): AsyncIterator<Uint8Array> {
  if (!(source instanceof Uint8Array)) return source[Symbol.asyncIterator]();
  return (async function* () {
    yield source;
  })();
}

/**
 * Returns the next chunk, or rejects as soon as the signal is aborted, even if the source hangs.
 * `Promise.race` with one promise for the signal would retain every chunk of the stream until that promise
 * settles.
 */
export function nextUnlessAborted<T>(
  iterator: AsyncIterator<T>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<T>> {
  if (!signal) return iterator.next();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
