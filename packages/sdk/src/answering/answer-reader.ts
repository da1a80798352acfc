import { CitewellError, errorOf, statusOfCode } from '../citewell-error.js';
import type { ServerEvent } from '../http/event-reader.js';
import { parseJson } from '../http/parse-json.js';
import type { AgentAnswer, AnswerStart } from '@citewell/contracts';

const NOT_A_START = 'The first event of the answer is not valid JSON.';

/** The next piece of the answer's text; at the end of the stream, the complete answer with its sources. */
export type AnswerEvent<Answer = AgentAnswer> =
  { type: 'text'; text: string } | { type: 'response'; response: Answer };

/** The stream of a resumable answer begins with its ids. */
export type ResumableAnswerEvent<Answer = AgentAnswer> =
  { type: 'started'; start: AnswerStart } | AnswerEvent<Answer>;

/**
 * Reads the events of an agent's answer (section 6 of the API specification). Only data without an event name
 * ends the stream, so the text of an answer may contain `[DONE]` or `[ERROR]`. Events with unknown names are
 * skipped, because a newer server may send them.
 *
 * @param requestId the request id of the response, for errors
 * @throws {@link CitewellError} with the code of the server for `[ERROR]
 * CODE: message`; `STREAM_INCOMPLETE` if the stream ends without `[DONE]`
 * or `[ERROR]`; `INVALID_RESPONSE` if the final response is not valid JSON
 */
export async function* readAnswer<Answer = AgentAnswer>(
  events: AsyncIterable<ServerEvent>,
  requestId: string | null = null,
): AsyncGenerator<ResumableAnswerEvent<Answer>, void, undefined> {
  let response = '';
  for await (const { event, data } of events) {
    if (event === 'answer') yield { type: 'text', text: data };
    else if (event === 'endpoint_response') response += data;
    else if (event === 'started')
      yield { type: 'started', start: parseJson<AnswerStart>(data, NOT_A_START, { requestId }) };
    else if (event !== undefined) continue;
    else if (data === '[DONE]') {
      const message = 'The final event of the answer is missing or not valid JSON.';
      yield { type: 'response', response: parseJson<Answer>(response, message, { requestId }) };
      return;
    } else if (data.startsWith('[ERROR]')) throw toStreamError(data, requestId);
  }
  throw new CitewellError(
    'STREAM_INCOMPLETE',
    'The connection ended before the answer was complete. Ask again.',
    { requestId },
  );
}

function toStreamError(data: string, requestId: string | null): CitewellError {
  const [, code = 'INTERNAL', message = ''] =
    /^\[ERROR\]\s*(?:([A-Z][A-Z0-9_]*):\s*)?(.*)$/s.exec(data) ?? [];
  return errorOf(code, message || 'The server could not complete the answer.', {
    status: statusOfCode(code),
    requestId,
  });
}
