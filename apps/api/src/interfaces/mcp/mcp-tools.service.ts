import { json } from 'node:stream/consumers';
import {
  agentQuerySchema,
  createDatasourceSchema,
  datasourceTextSchema,
  type DatastoreQueryItem,
  type Filters,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { escapeDelimiters, labelText } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AgentsService } from '../../answering/agents/agents.service.js';
import { AnswerPreparationService } from '../../answering/answers/answer-preparation.service.js';
import { AnswerResponder } from '../../answering/answers/answer-stream.js';
import { isHighSurrogate } from '../../answering/answers/answer-filters.js';
import { DatasourceContentService } from '../../content/datasources/datasource-content.service.js';
import { DatasourceCreationService } from '../../content/datasources/datasource-creation.service.js';
import { DatastoresService } from '../../content/datastores/datastores.service.js';

/** The same result for a model, which reads text, and for a program. */
export interface ToolOutput {
  text: string;
  data: Record<string, unknown>;
}

interface SearchInput {
  datastore: string;
  query: string;
  top_k: number;
  filters?: Filters | undefined;
}

const MAX_LISTED = 200;
/** In UTF-16 code units; about 5,000 tokens of English. */
const MAX_READ_LENGTH = 20_000;

/** What the tools do, by the services that the other interfaces use. */
@Injectable()
export class McpTools {
  constructor(
    @Inject(DatastoresService) private readonly datastores: DatastoresService,
    @Inject(AgentsService) private readonly agents: AgentsService,
    @Inject(AnswerPreparationService) private readonly preparation: AnswerPreparationService,
    @Inject(AnswerResponder) private readonly responder: AnswerResponder,
    @Inject(DatasourceContentService) private readonly content: DatasourceContentService,
    @Inject(DatasourceCreationService) private readonly creation: DatasourceCreationService,
  ) {}

  async listDatastores(tenant: TenantScope): Promise<ToolOutput> {
    const datastores = (await this.datastores.list(tenant, { limit: MAX_LISTED })).map(toListed);
    return { text: listText(datastores, 'datastores'), data: { datastores } };
  }

  async listAgents(tenant: TenantScope): Promise<ToolOutput> {
    const agents = (await this.agents.list(tenant, { limit: MAX_LISTED })).map(toListed);
    return { text: listText(agents, 'agents'), data: { agents } };
  }

  async search(tenant: TenantScope, { datastore, query, top_k, filters }: SearchInput): Promise<ToolOutput> {
    const { id } = await this.datastores.getByIdOrName(tenant, datastore);
    const items = await this.datastores.query(tenant, id, { query, topK: top_k, filters });
    const passages = items.map((item, index) => ({ number: index + 1, ...item }));
    const text = passages.map(passageText).join('\n\n');
    return { text: text === '' ? 'No passage fits the query.' : text, data: { passages } };
  }

  async ask(
    tenant: TenantScope,
    { agent, question, filters }: { agent: string; question: string; filters?: Filters | undefined },
    reply: FastifyReply,
  ): Promise<ToolOutput> {
    const { id } = await this.agents.getByIdOrName(tenant, agent);
    // The model that asks keeps the conversation.
    const own = { history: [], instructions: '' };
    const query = agentQuerySchema.parse({ query: question, filters });
    const prepared = await this.preparation.prepare(tenant, id, query, { own });
    const { answer, abstained, sources } = await this.responder.complete(prepared, reply);
    const cited = sources.flatMap((source, index): NumberedPassage[] =>
      source.cited ? [{ number: index + 1, ...source }] : [],
    );
    const list = cited.map((source) => `[${source.number}] ${placeText(source)}`).join('\n');
    return {
      text: list === '' ? answer : `${answer}\n\nSources:\n${list}`,
      data: { answer, abstained, sources: cited },
    };
  }

  async readSource(
    tenant: TenantScope,
    { datasource_id, start, end }: { datasource_id: string; start: number; end?: number | undefined },
  ): Promise<ToolOutput> {
    const limit = start + MAX_READ_LENGTH;
    const stream = await this.content.text(tenant, datasource_id, {
      start,
      end: Math.min(end ?? limit, limit),
    });
    const { text: read, length } = datasourceTextSchema.parse(await json(stream));
    const mayEndInPair = read.length > 1 && isHighSurrogate(read, read.length - 1);
    const text = mayEndInPair ? read.slice(0, -1) : read;
    const next = start + text.length;
    const next_start = text !== '' && next < length ? next : null;
    const note =
      next_start === null
        ? ''
        : `\n\n[The text goes on: read_source with start ${next_start}. It has ${length} characters.]`;
    return { text: text + note, data: { text, start, end: next, length, next_start } };
  }

  async addText(
    tenant: TenantScope,
    { datastore, name, text }: { datastore: string; name: string; text: string },
  ): Promise<ToolOutput> {
    const { id: datastoreId } = await this.datastores.getByIdOrName(tenant, datastore);
    const body = createDatasourceSchema.parse({ type: 'text', datastoreId, name, text });
    const { id, status } = await this.creation.create(tenant, body);
    return {
      text: `The text was added as the datasource ${id}. It can be found in a few seconds.`,
      data: { datasource_id: id, status },
    };
  }
}

interface Listed {
  id: string;
  name: string;
  description: string;
}

function toListed({ id, name, description }: Listed): Listed & Record<string, unknown> {
  return { id, name, description };
}

function listText(items: readonly Listed[], kind: string): string {
  if (items.length === 0) return `There are no ${kind}.`;
  const lines = items.map(({ id, name, description }) =>
    [id, labelText(name), labelText(description)].filter(Boolean).join('  '),
  );
  const rest = items.length === MAX_LISTED ? `\nThese are the ${MAX_LISTED} newest ${kind}.` : '';
  return lines.join('\n') + rest;
}

/** A passage with the number by which a text refers to it. */
type NumberedPassage = DatastoreQueryItem & { number: number };

/** A passage as text for a model: number, place and quote. The document cannot imitate another passage. */
export function passageText(passage: NumberedPassage): string {
  return `[${passage.number}] ${placeText(passage)}\n${escapeDelimiters(passage.text)}`;
}

/** Where a passage is, as one line, with what `read_source` needs. */
export function placeText({
  datasource_name,
  datasource_id,
  source,
  page_number,
  confidence,
  described,
  start,
  end,
}: DatastoreQueryItem): string {
  return [
    labelText(datasource_name),
    ...(source === datasource_name ? [] : [labelText(source)]),
    ...(page_number === undefined ? [] : [`page ${page_number}`]),
    ...(confidence === undefined ? [] : [`recognized by OCR, confidence ${confidence} %`]),
    ...(described ? ['a picture as a model describes it'] : []),
    `datasource_id ${datasource_id}`,
    `characters ${start} to ${end}`,
  ].join(', ');
}
