import {
  type Gap,
  gapSchema,
  type ListGaps,
  listGapsSchema,
  type UpdateGap,
  updateGapSchema,
} from '@citewell/contracts/schemas';
import { GapRepository, type GapRow, type TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Param, Patch, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { found } from '../../http/api-error.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';

/** What the documents do not answer, for owners. */
@Controller('gaps')
export class GapsController {
  constructor(@Inject(GapRepository) private readonly gaps: GapRepository) {}

  @Operation('List questions without an answer, by subject', listOf(gapSchema), {
    description:
      'Of all conversations, also those of people: the questions, and nothing else of the conversations. Most frequent subjects first. A new question appears after some seconds.',
  })
  @Get()
  @RequireScope('admin')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(listGapsSchema) { limit, cursor, ...filter }: ListGaps,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Gap[]> {
    const rows = await this.gaps.list(tenant, { limit, cursor }, filter);
    linkNextPage(request, reply, rows, limit);
    return rows.map(toGap);
  }

  @Operation('Mark a subject as answered, or open it again', gapSchema)
  @Patch(':id')
  @RequireScope('admin')
  async update(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @JsonBody(updateGapSchema) { answered }: UpdateGap,
  ): Promise<Gap> {
    return toGap(found(await this.gaps.mark(tenant, id, answered), 'gap'));
  }
}

function toGap({
  firstAskedAt,
  lastAskedAt,
  checkedAt,
  markedAt,
  markedBy,
  markedByName,
  answeredAt,
  document,
  ...gap
}: GapRow): Gap {
  return {
    ...gap,
    question: gap.wordings[0]?.question ?? '',
    firstAskedAt: firstAskedAt.toISOString(),
    lastAskedAt: lastAskedAt.toISOString(),
    mark: markedAt && { at: markedAt.toISOString(), personId: markedBy, name: markedByName },
    checkedAt: checkedAt?.toISOString() ?? null,
    answer: answeredAt && { at: answeredAt.toISOString(), document },
  };
}
