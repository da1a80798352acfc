import {
  type AgentQuery,
  agentQuerySchema,
  type ChatCompletionRequest,
  chatCompletionSchema,
  MAX_PROMPT_LENGTH,
  MAX_QUERY_LENGTH,
  querySchema,
} from '@citewell/contracts/schemas';
import { newId, type TenantScope } from '@citewell/database';
import { Controller, HttpCode, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AgentsService } from '../../answering/agents/agents.service.js';
import {
  AnswerPreparationService,
  type OwnConversation,
} from '../../answering/answers/answer-preparation.service.js';
import { AnswerResponder } from '../../answering/answers/answer-stream.js';
import { invalid } from '../../http/api-error.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { issueSentence } from '../../http/issue-sentence.js';
import { LenientJsonBody } from '../../http/request-input.js';
import { chatFormat, type Completion, toChatCompletion } from './chat-response.js';
import { chatTaskOf } from './chat-task.js';
import { withoutSourceList } from './citations.js';
import { asModel, unixTime } from './models.controller.js';

/** Agents accept temperatures up to 1, which some providers have as their limit. */
const MAX_TEMPERATURE = 1;

/** In place of the prompts of the agent, whose passages have nothing to do with a task. */
const TASK_PROMPTS = {
  systemPrompt:
    'Do the task of the message. Its chat is what the task is about: do not answer the questions of the chat.',
  userPrompt: '{query}',
};

/** Chats with agents in the format of OpenAI. The client keeps the conversation. */
@Controller('v1/chat/completions')
export class ChatCompletionsController {
  constructor(
    @Inject(AgentsService) private readonly agents: AgentsService,
    @Inject(AnswerPreparationService) private readonly preparation: AnswerPreparationService,
    @Inject(AnswerResponder) private readonly responder: AnswerResponder,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('agents:query')
  async create(
    @Tenant() tenant: TenantScope,
    @LenientJsonBody(chatCompletionSchema) body: ChatCompletionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const { query, own } = toAgentQuery(body);
    const agent = await asModel(this.agents.getByIdOrName(tenant, body.model));
    const prepared = await this.preparation.prepare(tenant, agent.id, query, { own });
    const completion = completionOf(body);
    if (!body.stream) return toChatCompletion(await this.responder.complete(prepared, reply), completion);
    await this.responder.stream(prepared, reply, chatFormat(completion));
    return undefined;
  }
}

function completionOf({ model, metadata, stream_options }: ChatCompletionRequest): Completion {
  return {
    id: `chatcmpl-${newId()}`,
    created: unixTime(new Date()),
    model,
    includesUsage: stream_options?.include_usage ?? false,
    listsSources: metadata?.citewell_sources !== 'none',
  };
}

/**
 * A chat as a question to an agent: the last message of the user is the question, and the messages before it are the
 * history. Messages after it are ignored. Messages of the system become instructions. A task of a chat program about another
 * chat is done without documents.
 *
 * @throws {@link ApiError} `INVALID_REQUEST`
 */
export function toAgentQuery(request: ChatCompletionRequest): { query: AgentQuery; own: OwnConversation } {
  const { messages } = request;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[last];
  if (!question) throw invalid('messages', 'must contain a message of the role user');
  const checked = querySchema.safeParse(question.content, { error: issueSentence });
  if (!checked.success)
    throw invalid(`messages[${last}].content`, checked.error.issues[0]?.message ?? 'is not valid');
  const history = historyOf(messages.slice(0, last));
  const instructions = instructionsOf(messages);
  const task = history.length === 0 ? chatTaskOf(checked.data, instructions) : null;
  const { temperature } = request;
  const query = agentQuerySchema.parse({
    ...(task ? TASK_PROMPTS : {}),
    query: checked.data,
    streaming: request.stream,
    temperature: typeof temperature === 'number' ? Math.min(temperature, MAX_TEMPERATURE) : null,
    maxTokens: request.max_completion_tokens ?? request.max_tokens,
    topP: request.top_p,
    presencePenalty: request.presence_penalty,
    frequencyPenalty: request.frequency_penalty,
  });
  return { query, own: { history, instructions, ...(task ? { task } : {}) } };
}

type Messages = ChatCompletionRequest['messages'];

function historyOf(messages: Messages): OwnConversation['history'] {
  return messages.flatMap(({ role, content }) => {
    if (role !== 'user' && role !== 'assistant') return [];
    const text = role === 'user' ? content : withoutSourceList(content);
    if (text.trim() === '') return [];
    const from = role === 'user' ? ('human' as const) : ('agent' as const);
    return [{ from, text: text.slice(0, MAX_QUERY_LENGTH).toWellFormed() }];
  });
}

function instructionsOf(messages: Messages): string {
  const instructions = messages
    .filter(({ role, content }) => (role === 'system' || role === 'developer') && content.trim() !== '')
    .map(({ content }) => content)
    .join('\n\n')
    .toWellFormed();
  if (instructions.length > MAX_PROMPT_LENGTH)
    throw invalid('messages', `must have at most ${MAX_PROMPT_LENGTH} characters of the role system`);
  return instructions;
}
