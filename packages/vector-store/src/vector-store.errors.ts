/**
 * Permanent failure, not retried: invalid argument, unknown space, or a request that the engine rejects.
 */
export class VectorStoreError extends Error {
  override readonly name: string = 'VectorStoreError';
}

/**
 * Transient failure, retried: connection refused, engine restarting, disk full.
 * Deliberately not a subclass of {@link VectorStoreError}, so that `instanceof` tells the two apart.
 */
export class VectorStoreUnavailableError extends Error {
  override readonly name: string = 'VectorStoreUnavailableError';
}
