/** An answer other than 200, with the sentence that the server would send. */
export class QdrantHttpError extends Error {
  override readonly name = 'QdrantHttpError';

  constructor(
    readonly status: 400 | 404 | 409 | 413,
    message: string,
  ) {
    super(message);
  }
}

/** What the request says is wrong, or is more than this server can do: it must never be ignored silently. */
export function wrongInput(message: string): QdrantHttpError {
  return new QdrantHttpError(400, `Wrong input: ${message}`);
}
