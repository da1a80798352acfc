import {
  type AuditAction,
  contentTextSchema,
  filtersSchema,
  nameSchema,
  querySchema,
  type Scope,
  wholeNumberSchema,
} from '@citewell/contracts/schemas';
import type { Logger } from '@citewell/observability';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { assertScope, type Caller } from '../../http/caller.js';
import { parseStrictly } from '../../http/request-input.js';
import { toApiError } from '../../http/to-api-error.js';
import type { McpTools, ToolOutput } from './mcp-tools.service.js';

/** What a tool call needs besides its input. */
export interface ToolContext {
  tools: McpTools;
  caller: Caller;
  /** The response to the request; an answer is aborted when its client disconnects. */
  reply: FastifyReply;
  logger: Logger;
}

/** The result of a tool call, as the protocol has it. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  [field: string]: unknown;
}

interface Tool {
  title: string;
  /** For a model, which decides by it whether to call the tool. */
  description: string;
  scope: Scope;
  /** What the audit log calls a successful call. Null for tools that change nothing. */
  action: AuditAction | null;
  input: z.ZodType;
  run(context: ToolContext, input: unknown): Promise<ToolOutput>;
}

function tool<Shape extends z.ZodRawShape>(
  description: Omit<Tool, 'input' | 'run'> & {
    input: z.ZodObject<Shape>;
    run(context: ToolContext, input: z.output<z.ZodObject<Shape>>): Promise<ToolOutput>;
  },
): Tool {
  const { input, run } = description;
  return { ...description, run: (context, value) => run(context, parseStrictly(input, value)) };
}

const datastoreSchema = z
  .string()
  .min(1)
  .max(255)
  .describe('Id or name of a datastore, from list_datastores.');
const offsetSchema = wholeNumberSchema(0, Number.MAX_SAFE_INTEGER);

/** The tools by name. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  list_datastores: tool({
    title: 'List datastores',
    description:
      'Lists the datastores, which are the searchable collections of documents, with id, name and description.',
    scope: 'read',
    action: null,
    input: z.object({}),
    run: ({ tools, caller }) => tools.listDatastores(caller.tenant),
  }),
  list_agents: tool({
    title: 'List agents',
    description:
      'Lists the agents, which answer questions from their datastores, with id, name and description.',
    scope: 'read',
    action: null,
    input: z.object({}),
    run: ({ tools, caller }) => tools.listAgents(caller.tenant),
  }),
  search: tool({
    title: 'Search documents',
    description:
      'Returns the passages of a datastore that fit a query best, with their source, score and place in the document. Use it to find facts yourself; use ask for a written answer.',
    scope: 'datastores:query',
    action: null,
    input: z.object({
      datastore: datastoreSchema,
      query: querySchema.describe(
        'A question or search terms, in the language of the documents if you know it.',
      ),
      top_k: wholeNumberSchema(1, 50).default(5).describe('Maximum number of passages.'),
      filters: filtersSchema.optional(),
    }),
    run: ({ tools, caller }, input) => tools.search(caller.tenant, input),
  }),
  ask: tool({
    title: 'Ask an agent',
    description:
      'Answers a question from the documents of an agent. The answer cites its sources by number, such as [1]. The agent does not know earlier questions: ask a question that can be understood alone.',
    scope: 'agents:query',
    action: null,
    input: z.object({
      agent: z.string().min(1).max(255).describe('Id or name of an agent, from list_agents.'),
      question: querySchema.describe('A complete question.'),
      filters: filtersSchema.optional(),
    }),
    run: ({ tools, caller, reply }, input) => tools.ask(caller.tenant, input, reply),
  }),
  read_source: tool({
    title: 'Read a source',
    description:
      'Reads the text of a document, at most 20,000 characters at once. Give start and end of a passage, or numbers around them, to see its context; without them it begins at the beginning. next_start in the result is where to read on.',
    scope: 'read',
    action: null,
    input: z.object({
      datasource_id: z.string().min(1).max(255).describe('The datasource_id of a passage or source.'),
      start: offsetSchema.default(0).describe('The first character, from 0.'),
      end: offsetSchema.optional().describe('The character after the last one.'),
    }),
    run: ({ tools, caller }, input) => tools.readSource(caller.tenant, input),
  }),
  add_text: tool({
    title: 'Add a text',
    description: 'Adds a text as a new document to a datastore. It can be found a few seconds later.',
    scope: 'write',
    action: 'document.added',
    input: z.object({
      datastore: datastoreSchema,
      name: nameSchema.describe('A title for people.'),
      text: contentTextSchema.describe('The whole text, plain or Markdown.'),
    }),
    run: ({ tools, caller }, input) => tools.addText(caller.tenant, input),
  }),
};

/** Runs a tool. A failure is a result with the sentence of its error. @returns null if there is no such tool */
export async function callTool(
  name: string,
  input: unknown,
  context: ToolContext,
): Promise<ToolResult | null> {
  const called = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!called) return null;
  try {
    assertScope(context.caller, called.scope);
    const { text, data } = await called.run(context, input);
    const { request } = context.reply;
    if (called.action !== null) request.audited = { action: called.action, answer: data, isRefused: false };
    return { content: [{ type: 'text', text }], structuredContent: data };
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.code === 'FORBIDDEN')
      context.reply.request.audited = { action: `tool.${name}`, answer: null, isRefused: true };
    if (error.status >= 500 && !context.reply.raw.destroyed)
      context.logger.error({ err: error.cause ?? error, code: error.code, tool: name }, 'tool failed');
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}
