import { type AnswerState, answerStateSchema } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Get, Headers, HttpCode, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Authenticated, type Caller, RequireScopeOrPublishableKey } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { ANSWER_EVENTS, responseFrames } from './answer-frames.js';
import { AnswerResponder } from './answer-stream.js';
import { toPublicAnswer } from './public-answer.mapper.js';
import { type AnswerAddress, ResumableAnswers } from './resumable-answers.service.js';

/** A header, so that logs of addresses do not contain the token. */
const VISITOR_TOKEN = 'citewell-visitor-token';

/** Continues and stops answers. */
@Controller('agents/:id/answers')
export class ResumableAnswersController {
  constructor(
    @Inject(ResumableAnswers) private readonly answers: ResumableAnswers,
    @Inject(AnswerResponder) private readonly responder: AnswerResponder,
  ) {}

  @Operation('Come back to an answer', 'text/event-stream', {
    description:
      'Streams a `resumable` answer from its beginning, as the query does, until it ends. Also after its end.',
  })
  @Get(':messageId/stream')
  @RequireScopeOrPublishableKey('agents:query')
  stream(
    @Authenticated() caller: Caller,
    @Param() { id, messageId }: { id: string; messageId: string },
    @Headers(VISITOR_TOKEN) token: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.follow(caller.tenant, addressOf(caller, id, messageId, token), reply);
  }

  /** For visitors: browsers send no `Origin` with a GET to their own page, and publishable keys need one. */
  @Operation('Come back to an answer, as a visitor', 'text/event-stream', {
    description:
      'As the GET, for web pages with a publishable key. The header `Citewell-Visitor-Token` has the `visitorToken` of the conversation.',
  })
  @Post(':messageId/stream')
  @RequireScopeOrPublishableKey('agents:query')
  streamAsVisitor(
    @Authenticated() caller: Caller,
    @Param() { id, messageId }: { id: string; messageId: string },
    @Headers(VISITOR_TOKEN) token: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.follow(caller.tenant, addressOf(caller, id, messageId, token), reply);
  }

  @Operation('Stop an answer', answerStateSchema, {
    description:
      'Ends the call of the model of a `resumable` answer, within a second. What has been written stays, with its sources, and is the response of the stream. Stopping an answer that has ended changes nothing. With a publishable key, the header `Citewell-Visitor-Token` has the `visitorToken` of the conversation.',
  })
  @Post(':messageId/stop')
  @HttpCode(200)
  @RequireScopeOrPublishableKey('agents:query')
  stop(
    @Authenticated() caller: Caller,
    @Param() { id, messageId }: { id: string; messageId: string },
    @Headers(VISITOR_TOKEN) token: string | undefined,
  ): Promise<AnswerState> {
    return this.answers.stop(caller.tenant, addressOf(caller, id, messageId, token));
  }

  private async follow(tenant: TenantScope, address: AnswerAddress, reply: FastifyReply): Promise<void> {
    const { visitorToken } = address;
    const follow = await this.answers.find(tenant, address);
    await this.responder.follow(follow, reply, {
      ...ANSWER_EVENTS,
      response: (answer) =>
        responseFrames(visitorToken === null ? answer : toPublicAnswer(answer, visitorToken)),
    });
  }
}

/** Only the token proves who a visitor is. */
function addressOf(
  { publishable }: Caller,
  agentId: string,
  messageId: string,
  token: string | undefined,
): AnswerAddress {
  return { agentId, messageId, visitorToken: publishable ? (token ?? '') : null };
}
