import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { CreateOptions, RequestOptions, Transport } from '../http/transport.js';
import type {
  Agent,
  AgentAnswer,
  AgentProfile,
  AgentQuery,
  CreateAgent,
  PublicAnswer,
  UpdateAgent,
  VisitorQuery,
} from './agents.types.js';
import { type AnswerEvent, readAnswer } from './answer-reader.js';

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
    return this.events<AgentAnswer>(id, query, options);
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
    return this.events<PublicAnswer>(id, query, options);
  }

  private async *events<Answer>(
    id: string,
    query: AgentQuery,
    options: RequestOptions | undefined,
  ): AsyncGenerator<AnswerEvent<Answer>, void, undefined> {
    const { headers, events } = await this.transport.events({
      method: 'POST',
      path: `${pathOf(id)}/query`,
      json: { ...query, streaming: true },
      options,
    });
    yield* readAnswer<Answer>(events, headers.get('x-request-id'));
  }
}

function pathOf(id: string): string {
  return `/agents/${segment(id)}`;
}
