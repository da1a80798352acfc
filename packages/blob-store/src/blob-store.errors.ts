/** There is no blob under the key. */
export class BlobNotFoundError extends Error {
  override readonly name = 'BlobNotFoundError';

  constructor(
    readonly key: string,
    options?: ErrorOptions,
  ) {
    super(`no blob under ${key}`, options);
  }
}

/** The source gave more bytes than the write allowed. Nothing was stored. */
export class BlobTooLargeError extends Error {
  override readonly name = 'BlobTooLargeError';

  constructor(readonly maxBytes: number) {
    super(`the blob is larger than ${maxBytes} bytes`);
  }
}

/** The disk, or the bucket's quota, is used up. Reading still works. */
export class BlobStoreFullError extends Error {
  override readonly name = 'BlobStoreFullError';

  constructor(options?: ErrorOptions) {
    super('the blob store has no space left', options);
  }
}

/** The store cannot be reached, or refuses us: worth another try later. */
export class BlobStoreUnavailableError extends Error {
  override readonly name = 'BlobStoreUnavailableError';

  constructor(operation: string, options?: ErrorOptions) {
    super(`the blob store failed to ${operation}`, options);
  }
}

/** A key that is not `organization/datasource/run/kind`: a mistake of the caller, never of a user. */
export class InvalidBlobKeyError extends Error {
  override readonly name = 'InvalidBlobKeyError';

  constructor(key: string) {
    super(`not a blob key: ${JSON.stringify(key.slice(0, 200))}`);
  }
}
