/** What the caller typed cannot be carried out; the message is one sentence that says why. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
