import { request } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { ApiClient } from './api-client.js';

/** A streamed agent answer, as a client has read it. */
export interface StreamedAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The data of all `answer` events, joined. */
  answer: string;
  /** The data of all `endpoint_response` events, joined. */
  response: string;
  /**
   * Every terminating event: `[DONE]`, or data that begins with `[ERROR]`. A correct stream has exactly one.
   */
  ends: string[];
  /** SSE comments, such as pings. */
  comments: string[];
  /** The response body. */
  raw: string;
}

export type ReadStream = (
  api: ApiClient,
  agentId: string,
  body: object,
  signal?: AbortSignal,
) => Promise<StreamedAnswer>;

interface Message {
  event: string | undefined;
  data: string;
}

/** Reads the stream over `fetch` with `eventsource-parser`, which most TypeScript clients use. */
export const readWithParser: ReadStream = async (api, agentId, body, signal) => {
  const json = { ...body, streaming: true };
  const response = await api.open('POST', `/agents/${agentId}/query`, { json, ...(signal && { signal }) });
  const messages: Message[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => messages.push({ event, data }),
    onComment: (comment) => comments.push(comment),
  });
  let raw = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const text = decoder.decode(bytes, { stream: true });
    raw += text;
    parser.feed(text);
  }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...collect(messages),
    comments,
    raw,
  };
};

/**
 * Reads the stream with Node's standard library alone. Parsing follows the HTML Living Standard, section
 * 9.2.6.
 */
export const readWithNode: ReadStream = (api, agentId, body) =>
  new Promise((resolve, reject) => {
    const sent = request(`${api.baseUrl}/agents/${agentId}/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let raw = '';
      response.setEncoding('utf8').on('data', (piece: string) => (raw += piece));
      response.on('error', reject).on('end', () => {
        const { messages, comments } = parse(raw);
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, ...collect(messages), comments, raw });
      });
    });
    sent.end(JSON.stringify({ ...body, streaming: true }));
  });

function parse(raw: string): { messages: Message[]; comments: string[] } {
  const messages: Message[] = [];
  const comments: string[] = [];
  let event: string | undefined;
  let data: string[] = [];
  for (const line of raw.split(/\r\n|\n|\r/)) {
    if (line === '') {
      if (data.length > 0) messages.push({ event, data: data.join('\n') });
      event = undefined;
      data = [];
    } else if (line.startsWith(':')) {
      comments.push(line.slice(1).trimStart());
    } else {
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') event = value;
      if (field === 'data') data.push(value);
    }
  }
  return { messages, comments };
}

/**
 * Interprets the events as the API documentation prescribes: by event name, and the two ends by their data.
 */
function collect(messages: readonly Message[]): Pick<StreamedAnswer, 'answer' | 'response' | 'ends'> {
  const joined = { answer: '', response: '' };
  const ends: string[] = [];
  for (const { event, data } of messages) {
    if (data === '[DONE]' || data.startsWith('[ERROR]')) ends.push(data);
    else if (event === 'answer') joined.answer += data;
    else if (event === 'endpoint_response') joined.response += data;
  }
  return { ...joined, ends };
}
