import {
  type AgentAnswer,
  agentAnswerSchema,
  type AgentQuery,
  agentQuerySchema,
  type PublicAnswer,
  publicAnswerSchema,
} from '@citewell/contracts/schemas';
import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalid } from '../../http/api-error.js';
import { Authenticated, type Caller, RequireScopeOrPublishableKey } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { LenientJsonBody } from '../../http/request-input.js';
import { ANSWER_EVENTS, responseFrames, startFrame } from './answer-frames.js';
import { AnswerPreparationService, type PreparedAnswer } from './answer-preparation.service.js';
import { AnswerResponder } from './answer-stream.js';
import { toPublicAnswer } from './public-answer.mapper.js';
import { ResumableAnswers } from './resumable-answers.service.js';
import { Visits } from './visits.service.js';

@Controller('agents')
export class AnswersController {
  constructor(
    @Inject(AnswerPreparationService) private readonly preparation: AnswerPreparationService,
    @Inject(AnswerResponder) private readonly responder: AnswerResponder,
    @Inject(ResumableAnswers) private readonly resumable: ResumableAnswers,
    @Inject(Visits) private readonly visits: Visits,
  ) {}

  @Operation(
    'Ask an agent',
    { 'application/json': z.union([agentAnswerSchema, publicAnswerSchema]), 'text/event-stream': null },
    {
      description:
        'With `streaming`, the response is a stream of server-sent events: `answer` events with pieces of the text, `endpoint_response` events with pieces of the response as JSON, and finally `data: [DONE]`. An error after the start ends the stream with `data: [ERROR] CODE: message`. With a publishable key, the response is a PublicAnswer, and only `query`, `conversationId`, `visitorId`, `visitorToken`, `streaming` and `resumable` may be set. When the client disconnects, the answer ends and is not stored, unless it is `resumable`.',
      errors: ['USAGE_LIMIT', 'CONFLICT', 'EMPTY_ANSWER', 'OWN_MODEL_FAILED'],
    },
  )
  @Post(':id/query')
  @HttpCode(200)
  @RequireScopeOrPublishableKey('agents:query')
  async query(
    @Authenticated() caller: Caller,
    @Param('id') id: string,
    @LenientJsonBody(agentQuerySchema) query: AgentQuery,
    @Req() { ip }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AgentAnswer | PublicAnswer | undefined> {
    if (query.resumable && !query.streaming) throw invalid('resumable', 'requires streaming');
    const visit = caller.publishable ? await this.visits.admit(caller, id, query, ip) : null;
    const prepared = await this.preparation.prepare(caller.tenant, id, visit?.query ?? query, { visit });
    const toResponse = (answer: AgentAnswer): AgentAnswer | PublicAnswer =>
      visit ? toPublicAnswer(answer, visit.token) : answer;
    if (!query.streaming) return toResponse(await this.responder.complete(prepared, reply));
    const format = {
      ...ANSWER_EVENTS,
      response: (answer: AgentAnswer) => responseFrames(toResponse(answer)),
    };
    const follow = query.resumable ? await this.resumable.begin(prepared) : null;
    if (follow) await this.responder.follow(follow, reply, { ...format, opening: openingOf(prepared) });
    else await this.responder.stream(prepared, reply, format);
    return undefined;
  }
}

function openingOf({ conversationId, visitorId, messageId, visitorToken }: PreparedAnswer): string {
  return startFrame({
    conversationId,
    visitorId,
    messageId,
    ...(visitorToken === null ? {} : { visitorToken }),
  });
}
