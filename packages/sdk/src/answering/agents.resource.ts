import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { CreateOptions, RequestOptions, ResourceRequest, Transport } from '../http/transport.js';
import type {
  Agent,
  AgentAnswer,
  AgentProfile,
  AnswerState,
  CreateAgent,
  PublicAnswer,
  UpdateAgent,
} from '@citewell/contracts';
import type { AgentQuery, VisitorQuery } from './agent-query.js';
import { type AnswerEvent, readAnswer, type ResumableAnswerEvent } from './answer-reader.js';

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
