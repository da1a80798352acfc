import { ApiError } from '../../http/api-error.js';

/** The abort reason when the client disconnects. */
export class ClientGoneError extends Error {
  constructor() {
    super('The client disconnected');
    this.name = 'ClientGoneError';
  }
}

/** The abort reason when the process stops before the answer is complete. */
export class ServerStoppingError extends ApiError {
  constructor() {
    super('UPSTREAM_UNAVAILABLE', 'The server is shutting down. Ask again in a moment.', {
      retryAfterSeconds: 5,
    });
    this.name = 'ServerStoppingError';
  }
}

/** The abort reason when somebody stops the answer. What has been written is the answer. */
export class AnswerStoppedError extends Error {
  constructor() {
    super('The answer was stopped');
    this.name = 'AnswerStoppedError';
  }
}

/** The abort reason when the stored answer is not this process's to write any more. */
export class AnswerEndedError extends ApiError {
  constructor() {
    super(
      'CONFLICT',
      'The answer was ended: its conversation was deleted, or it was not stored for too long.',
    );
    this.name = 'AnswerEndedError';
  }
}

/** Whether the answer was stopped. */
export function isStopped({ reason }: AbortSignal): boolean {
  return reason instanceof AnswerStoppedError;
}

/** Whether the client ended the answer. It has used the model, so the query is charged. */
export function isEndedByClient({ reason }: AbortSignal): boolean {
  return [ClientGoneError, AnswerStoppedError, AnswerEndedError].some((kind) => reason instanceof kind);
}
