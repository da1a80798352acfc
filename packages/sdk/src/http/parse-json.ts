import { CitewellError, type CitewellErrorContext } from '../citewell-error.js';

/**
 * Parses JSON of the server. `wire-types.spec.ts` checks that the wire types equal the schemas of the server, so the
 * value is not checked again.
 *
 * @throws {@link CitewellError} `INVALID_RESPONSE` with this message
 */
export function parseJson<Value>(text: string, message: string, context?: CitewellErrorContext): Value {
  try {
    return JSON.parse(text) as Value;
  } catch (cause) {
    throw new CitewellError('INVALID_RESPONSE', message, { ...context, cause });
  }
}
