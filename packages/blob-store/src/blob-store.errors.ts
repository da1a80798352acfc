/** There is no blob with the key. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super(`there is no blob with key ${key}`, options);
  }
}

/**
 * The stored bytes are not those that were written: another size, another digest, or not a file. A retry does not help:
 * the blob must be written again or restored.
 */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';

  constructor(
    readonly key: string,
    /** Completes the sentence "the blob …". */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`the blob with key ${key} ${reason}`, options);
  }
}

/** The source has more bytes than `maxBytes`. Nothing was stored. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';

  constructor(readonly maxBytes: number) {
    super(`the blob is larger than ${maxBytes} bytes`);
  }
}

/** The disk is full, or the quota of the bucket is used up. Reading still works. */
export class BlobStoreFullError extends Error {
  override readonly name = 'BlobStoreFullError';

  constructor(options?: ErrorOptions) {
    super('the blob store has no space left', options);
  }
}

/** Transient failure: the store cannot be reached, or rejects the request. */
export class BlobStoreUnavailableError extends Error {
  override readonly name = 'BlobStoreUnavailableError';
  readonly reason: string | undefined;

  /** @param reason why, if the system tells; completes the sentence "the blob store …" */
  constructor(
    operation: string,
    { reason, ...options }: ErrorOptions & { reason?: string | undefined } = {},
  ) {
    super(`the blob store failed to ${operation}`, options);
    this.reason = reason;
  }
}

/** The key is not of the form `organization/datasource/run/kind`. A bug in the caller, not a user error. */
export class InvalidBlobKeyError extends Error {
  override readonly name = 'InvalidBlobKeyError';

  constructor(key: string) {
    super(`invalid blob key: ${JSON.stringify(key.slice(0, 200))}`);
  }
}
