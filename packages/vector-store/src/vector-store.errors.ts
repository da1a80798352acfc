/**
 * A request that cannot succeed however often it is repeated: a bad argument, an unknown space, an engine that refuses
 * the request. Its class is the retry decision: permanent.
 */
export class VectorStoreError extends Error {
  override readonly name: string = 'VectorStoreError';
}

/**
 * The store cannot be reached or cannot work just now: connection refused, engine restarting, disk full. Its class is
 * the retry decision: transient. It is deliberately not a {@link VectorStoreError}, so that `instanceof` decides.
 */
export class VectorStoreUnavailableError extends Error {
  override readonly name: string = 'VectorStoreUnavailableError';
}
