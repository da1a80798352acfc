import { createHash } from 'node:crypto';
import type { BlobSource, PutOptions, PutResult } from './blob-store.port.js';
import { BlobTooLargeError } from './blob-store.errors.js';

/**
 * Reads a source once, counting and hashing what passes, within a byte limit and until a signal fires.
 *
 * Keeps the error that ended the source apart from errors of the store that reads it: `failure` holds the former,
 * so that an adapter whose client wraps errors can still throw the caller's own.
 */
export class MeteredSource {
  /** What ended the source before its time: its own error, the limit, or the signal's reason. */
  failure: { error: unknown } | null = null;

  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(
    private readonly source: BlobSource,
    private readonly options: PutOptions,
  ) {}

  /** What has passed; call it once, after the last chunk. */
  result(): PutResult {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }

  /** The source's chunks. May be read once. */
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
      // Destroys a stream, or lets a generator clean up. Not awaited: one that hangs in `next` would hang here too.
      void Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  }
}

function toIterator(source: BlobSource): AsyncIterator<Uint8Array> {
  if (!(source instanceof Uint8Array)) return source[Symbol.asyncIterator]();
  return (async function* () {
    yield source;
  })();
}

/**
 * A source that has fallen silent must not outlive the signal. Not `Promise.race` with one promise for the signal:
 * that promise would hold every chunk of the stream until it settles.
 */
function nextUnlessAborted<T>(
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
