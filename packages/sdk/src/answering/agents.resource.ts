import type {
  Agent,
  AgentAnswer,
  AgentProfile,
  AnswerStart,
  AnswerState,
  CreateAgent,
  PublicAnswer,
  UpdateAgent,
} from '@citewell/contracts';
import type * as wire from '@citewell/contracts';
import { CitewellError, errorOf, statusOfCode } from '../citewell-error.js';
import type { ServerEvent } from '../http/event-reader.js';
import type { PageParameters, Pages } from '../http/pages.js';
import { parseJson } from '../http/parse-json.js';
import { segment } from '../http/request-path.js';
import type { CreateOptions, RequestOptions, ResourceRequest, Transport } from '../http/transport.js';

const INVALID_FIRST_EVENT = 'The first event of the answer is not valid JSON.';

/** Agents answer questions from their datastores. Every method throws `CitewellError`. */
export class Agents {
  constructor(private readonly transport: Transport) {}

  create(agent: CreateAgent, options?: CreateOptions): Promise<Agent> {
    return this.transport.json({ method: 'POST', path: '/agents', json: agent, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<Agent> {
    return this.transport.list({ path: '/agents', options }, page);
  }

  get(id: string, options?: RequestOptions): Promise<Agent> {
    return this.transport.json({ method: 'GET', path: pathOf(id), options });
  }

  update(id: string, changes: UpdateAgent, options?: RequestOptions): Promise<Agent> {
    return this.transport.json({ method: 'PATCH', path: pathOf(id), json: changes, options });
  }

  delete(id: string, options?: RequestOptions): Promise<Agent> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }

  /** Returns the complete answer. A slow model may need a longer `timeoutMs`; {@link stream} does not. */
  query(id: string, query: AgentQuery, options?: RequestOptions): Promise<AgentAnswer> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/query`, json: query, options });
  }

  /**
   * Streams the answer. The question is sent when the iteration starts. Ending the iteration, or aborting,
   * stops the model. The concatenated texts equal `response.answer`.
   *
   * @throws CitewellError before the first text as {@link query} does, later for an error event in the
   * stream, and `STREAM_INCOMPLETE` if the stream ends before the answer is complete
   */
  stream(
    id: string,
    query: AgentQuery,
    options?: RequestOptions,
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    return this.events<AgentAnswer>(queryRequest(id, query, options));
  }

  /**
   * As {@link stream}, but the question and the answer are stored while the answer is written, and ending the iteration does not
   * stop the model: {@link follow} continues the stream, and {@link stop} stops the model. The first event has the ids.
   */
  streamResumable(
    id: string,
    query: AgentQuery,
    options?: RequestOptions,
  ): AsyncGenerator<ResumableAnswerEvent, void, undefined> {
    return this.read<AgentAnswer>(queryRequest(id, { ...query, resumable: true }, options));
  }

  /**
   * Continues the stream of a resumable answer: all of its text so far, and then what follows. Also works after its end.
   *
   * @throws CitewellError as {@link stream} does
   */
  follow(
    id: string,
    messageId: string,
    options?: RequestOptions,
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    return this.events<AgentAnswer>({ method: 'GET', path: answerPath(id, messageId, 'stream'), options });
  }

  /** Stops a resumable answer. What has been written is its end, which its stream delivers within a second. */
  stop(id: string, messageId: string, options?: RequestOptions): Promise<AnswerState> {
    return this.transport.json({ method: 'POST', path: answerPath(id, messageId, 'stop'), options });
  }

  /** What anybody may know about the agent. Also works with a publishable key. */
  profile(id: string, options?: RequestOptions): Promise<AgentProfile> {
    return this.transport.json({ method: 'GET', path: `${pathOf(id)}/profile`, options });
  }

  /** As {@link query}, for a client with a publishable key. */
  queryAsVisitor(id: string, query: VisitorQuery, options?: RequestOptions): Promise<PublicAnswer> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/query`, json: query, options });
  }

  /** As {@link stream}, for a client with a publishable key. */
  streamAsVisitor(
    id: string,
    query: VisitorQuery,
    options?: RequestOptions,
  ): AsyncGenerator<AnswerEvent<PublicAnswer>, void, undefined> {
    return this.events<PublicAnswer>(queryRequest(id, query, options));
  }

  /** As {@link streamResumable}, for a client with a publishable key. */
  streamResumableAsVisitor(
    id: string,
    query: VisitorQuery,
    options?: RequestOptions,
  ): AsyncGenerator<ResumableAnswerEvent<PublicAnswer>, void, undefined> {
    return this.read<PublicAnswer>(queryRequest(id, { ...query, resumable: true }, options));
  }

  /** As {@link follow}, for a client with a publishable key. The token is that of the conversation. */
  followAsVisitor(
    id: string,
    messageId: string,
    visitorToken: string,
    options?: RequestOptions,
  ): AsyncGenerator<AnswerEvent<PublicAnswer>, void, undefined> {
    const path = answerPath(id, messageId, 'stream');
    return this.events<PublicAnswer>({ method: 'POST', path, headers: tokenHeader(visitorToken), options });
  }

  /** As {@link stop}, for a client with a publishable key. The token is that of the conversation. */
  stopAsVisitor(
    id: string,
    messageId: string,
    visitorToken: string,
    options?: RequestOptions,
  ): Promise<AnswerState> {
    const path = answerPath(id, messageId, 'stop');
    return this.transport.json({ method: 'POST', path, headers: tokenHeader(visitorToken), options });
  }

  private async *events<Answer>(
    request: ResourceRequest,
  ): AsyncGenerator<AnswerEvent<Answer>, void, undefined> {
    for await (const event of this.read<Answer>(request)) if (event.type !== 'started') yield event;
  }

  private async *read<Answer>(
    request: ResourceRequest,
  ): AsyncGenerator<ResumableAnswerEvent<Answer>, void, undefined> {
    const { headers, events } = await this.transport.events(request);
    yield* readAnswer<Answer>(events, headers.get('x-request-id'));
  }
}

function pathOf(id: string): string {
  return `/agents/${segment(id)}`;
}

function answerPath(id: string, messageId: string, action: 'stream' | 'stop'): string {
  return `${pathOf(id)}/answers/${segment(messageId)}/${action}`;
}

function queryRequest(
  id: string,
  query: AgentQuery & { resumable?: true },
  options: RequestOptions | undefined,
): ResourceRequest {
  return { method: 'POST', path: `${pathOf(id)}/query`, json: { ...query, streaming: true }, options };
}

/** A header, so that logs of addresses do not contain the token. */
function tokenHeader(visitorToken: string): Record<string, string> {
  return { 'citewell-visitor-token': visitorToken };
}

/**
 * A question, and settings that override the settings of the agent for this question. The method decides how the
 * answer is sent: `agents.query`, `agents.stream` or `agents.streamResumable`.
 */
export type AgentQuery = Omit<wire.AgentQuery, 'streaming' | 'resumable'>;

/** A question of a visitor of a web page. */
export type VisitorQuery = Pick<AgentQuery, 'query' | 'conversationId' | 'visitorId' | 'visitorToken'>;

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
      yield { type: 'started', start: parseJson<AnswerStart>(data, INVALID_FIRST_EVENT, { requestId }) };
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
