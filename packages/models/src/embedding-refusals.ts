import { ModelError, ProviderFailure } from './model.error.js';

const INTERNAL_SERVER_ERROR = 500;

/** Whether other texts may succeed: the server has answered, or closed the connection. A rate limit holds for all texts. */
export function isAboutTexts(error: unknown): error is ModelError {
  if (!(error instanceof ModelError) || error.kind === 'rate-limited') return false;
  return isDefinite(error) || error.cause instanceof ProviderFailure;
}

/**
 * Whether the server refuses the texts of a request: with a status of 4xx, with a response that has not one usable vector for
 * each text, or with a status of 500, which Ollama sends for a vector that is not a number.
 */
export function isRefusal(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  return isDefinite(error) || statusOf(error) === INTERNAL_SERVER_ERROR;
}

/** Whether the same request fails again. Errors without a reason, such as vectors of another length, are about the model. */
export function isDefinite({ kind, reason }: ModelError): boolean {
  return (kind === 'permanent' && reason !== undefined) || reason === 'malformed';
}

function statusOf({ cause }: ModelError): number | undefined {
  return cause instanceof ProviderFailure ? cause.status : undefined;
}
