/** A response with an error status and the message that Qdrant would send. */
export class QdrantHttpError extends Error {
  override readonly name = 'QdrantHttpError';

  constructor(
    readonly status: 400 | 404 | 409 | 413,
    message: string,
  ) {
    super(message);
  }
}

/** An invalid request, or one that uses a feature that is not implemented here. */
export function wrongInput(message: string): QdrantHttpError {
  return new QdrantHttpError(400, `Wrong input: ${message}`);
}
