/**
 * Permanent failure, not retried: invalid argument, unknown space, or a request that the engine rejects.
 */
export class VectorStoreError extends Error {
  override readonly name: string = 'VectorStoreError';
}

/** The space does not exist: `ensureSpace` was never called, or the store has lost it. */
export class SpaceNotFoundError extends VectorStoreError {
  override readonly name = 'SpaceNotFoundError';
}

/** Why the store is unavailable, if its engine tells. Completes the sentence "the vector store …". */
export type UnavailableReason = 'is damaged' | 'has a full disk' | 'may not be written';

/**
 * Transient failure, retried: connection refused, engine restarting, disk full.
 * Deliberately not a subclass of {@link VectorStoreError}, so that `instanceof` tells the two apart.
 */
export class VectorStoreUnavailableError extends Error {
  override readonly name: string = 'VectorStoreUnavailableError';
  readonly reason: UnavailableReason | undefined;

  constructor(
    message: string,
    { reason, ...options }: ErrorOptions & { reason?: UnavailableReason | undefined } = {},
  ) {
    super(message, options);
    this.reason = reason;
  }
}
