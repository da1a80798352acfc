import { type FeedbackItem, type ListFeedback, listFeedbackSchema } from '@citewell/contracts/schemas';
import { FeedbackRepository, type TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { linkNextPage } from '../../http/page-link.js';
import { QueryString } from '../../http/request-input.js';

/** Questions that were not answered, and ratings, of all conversations. */
@Controller('feedback')
export class FeedbackController {
  constructor(@Inject(FeedbackRepository) private readonly feedback: FeedbackRepository) {}

  @Get()
  @RequireScope('admin')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(listFeedbackSchema) { limit, cursor, ...filter }: ListFeedback,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FeedbackItem[]> {
    const rows = await this.feedback.list(tenant, { limit, cursor }, filter);
    linkNextPage(request, reply, rows, limit);
    return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
  }
}
