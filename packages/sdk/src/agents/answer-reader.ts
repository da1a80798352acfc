import { CitewellError, statusOfCode } from '../citewell-error.js';
import type { ServerEvent } from '../http/event-reader.js';
import type { AgentAnswer } from '../wire.types.js';

/** A piece of an answer's text as it is written, and at the end the whole answer with its sources. */
export type AnswerEvent = { type: 'text'; text: string } | { type: 'response'; response: AgentAnswer };

/**
 * Reads the events of an agent's answer (section 6 of the interface). Only data without an event name ends the
 * stream, so an answer may say `[DONE]` or `[ERROR]`. Events of other names are a newer server's and are skipped.
 *
 * @param requestId of the stream's response, for errors
 * @throws {@link CitewellError} with the server's code on `[ERROR] CODE: message`, `STREAM_INCOMPLETE` when the
 * stream ends on neither `[DONE]` nor that, `INVALID_RESPONSE` when the response in it cannot be read
 */
export async function* readAnswer(
  events: AsyncIterable<ServerEvent>,
  requestId: string | null = null,
): AsyncGenerator<AnswerEvent, void, undefined> {
  let response = '';
  for await (const { event, data } of events) {
    if (event === 'answer') yield { type: 'text', text: data };
    else if (event === 'endpoint_response') response += data;
    else if (event !== undefined) continue;
    else if (data === '[DONE]') {
      yield { type: 'response', response: parseResponse(response, requestId) };
      return;
    } else if (data.startsWith('[ERROR]')) throw toStreamError(data, requestId);
  }
  throw new CitewellError('STREAM_INCOMPLETE', 'The answer broke off before its end.', { requestId });
}

function toStreamError(data: string, requestId: string | null): CitewellError {
  const [, code = 'INTERNAL', message = ''] =
    /^\[ERROR\]\s*(?:([A-Z][A-Z0-9_]*):\s*)?(.*)$/s.exec(data) ?? [];
  return new CitewellError(code, message || 'The answer failed.', { status: statusOfCode(code), requestId });
}

function parseResponse(json: string, requestId: string | null): AgentAnswer {
  try {
    // The server made it of the type that `AgentAnswer` is held equal to.
    return JSON.parse(json) as AgentAnswer;
  } catch (error) {
    throw new CitewellError('INVALID_RESPONSE', 'The stream ended without a response that can be read.', {
      requestId,
      cause: error,
    });
  }
}
