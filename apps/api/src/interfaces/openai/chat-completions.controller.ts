import { type ChatCompletionRequest, chatCompletionSchema } from '@citewell/contracts/schemas';
import { newId, type TenantScope } from '@citewell/database';
import { Controller, HttpCode, Inject, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AgentsService } from '../../answering/agents/agents.service.js';
import { AnswerPreparationService } from '../../answering/answers/answer-preparation.service.js';
import { AnswerResponder } from '../../answering/answers/answer-responder.service.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { LenientJsonBody } from '../../http/request-input.js';
import { toAgentQuery } from './chat-request.js';
import { chatFormat, type Completion, toChatCompletion } from './chat-response.js';
import { asModel, unixTime } from './model.mapper.js';

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
