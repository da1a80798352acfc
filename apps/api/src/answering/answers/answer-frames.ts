// A frame is one server-sent event.

import type { AgentAnswer, AnswerStart } from '@citewell/contracts/schemas';
import type { ApiError } from '../../http/api-error.js';
import { isHighSurrogate } from './answer-filters.js';

/**
 * Maximum text of an `endpoint_response` frame in UTF-16 code units. Some clients read lines into small
 * buffers.
 */
const RESPONSE_FRAME_LENGTH = 16_384;

/** The bracket of data that a client, after trimming it, would read as the end of the stream. */
const RESERVED = /^\s*\[(?=DONE\]\s*$|ERROR\])/;

export const PING_FRAME = ': ping\n\n';
export const DONE_FRAME = 'data: [DONE]\n\n';

/** How an answer becomes a stream of frames. After the response comes {@link DONE_FRAME}. */
export interface AnswerFormat {
  /** Sent before the answer begins; may be empty. */
  readonly opening: string;
  /** @param piece not empty */
  text(piece: string): string;
  response(answer: AgentAnswer): string;
  /** The last frame when the answer fails. */
  error(error: ApiError): string;
}

/** The events of an agent query with `streaming`, as the API specification describes them. */
export const ANSWER_EVENTS: AnswerFormat = {
  opening: '',
  text: (piece) => eventFrames('answer', piece),
  response: responseFrames,
  error: ({ code, message }) => errorFrame(code, message),
};

/** The first frame of a resumable answer: with its ids, a client can come back to it. */
export function startFrame(start: AnswerStart): string {
  return eventFrame('started', JSON.stringify(start));
}

/** The frame of an error after the stream has opened. The message is reduced to one line. */
export function errorFrame(code: string, message: string): string {
  return `data: [ERROR] ${code}: ${message.replace(/\s+/g, ' ')}\n\n`;
}

/** The whole response as frames. Joining their data gives its JSON. */
export function responseFrames(response: unknown): string {
  const json = JSON.stringify(response);
  let frames = '';
  for (let start = 0; start < json.length;) {
    let end = Math.min(start + RESPONSE_FRAME_LENGTH, json.length);
    if (isHighSurrogate(json, end - 1)) end -= 1;
    frames += eventFrames('endpoint_response', json.slice(start, end));
    start = end;
  }
  return frames;
}

/** One frame, or two when the data would be read as the end of the stream. */
function eventFrames(event: string, data: string): string {
  const reserved = RESERVED.exec(data);
  if (!reserved) return eventFrame(event, data);
  const [bracket] = reserved;
  return eventFrame(event, bracket) + eventFrame(event, data.slice(bracket.length));
}

/** Server-sent events, HTML Living Standard section 9.2: one `data` line per line of the data. */
function eventFrame(event: string, data: string): string {
  return `event: ${event}\n${data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}
