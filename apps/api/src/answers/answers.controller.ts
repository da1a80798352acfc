import { type AgentAnswer, type AgentQuery, agentQuerySchema } from '@citewell/contracts/http';
import type { TenantScope } from '@citewell/database';
import { Controller, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RequireScope, Tenant } from '../http/caller.js';
import { LenientJsonBody } from '../http/request-input.js';
import { ANSWER_EVENTS } from './answer-frames.js';
import { AnswerPreparationService } from './answer-preparation.service.js';
import { AnswerResponder } from './answer-responder.service.js';

@Controller('agents')
export class AnswersController {
  constructor(
    @Inject(AnswerPreparationService) private readonly preparation: AnswerPreparationService,
    @Inject(AnswerResponder) private readonly responder: AnswerResponder,
  ) {}

  /** The answer as one JSON object or, with `streaming`, as server-sent events. */
  @Post(':id/query')
  @HttpCode(200)
  @RequireScope('agents:query')
  async query(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @LenientJsonBody(agentQuerySchema) query: AgentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AgentAnswer | undefined> {
    const prepared = await this.preparation.prepare(tenant, id, query);
    if (!query.streaming) return this.responder.complete(prepared, reply);
    await this.responder.stream(prepared, reply, ANSWER_EVENTS);
    return undefined;
  }
}
