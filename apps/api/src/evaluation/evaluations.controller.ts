import {
  type CreateEvaluation,
  createEvaluationSchema,
  type Evaluation,
  evaluationSchema,
  type EvaluationWithResult,
  evaluationWithResultSchema,
  type PageQuery,
  pageQuerySchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../http/caller.js';
import { listOf, Operation } from '../http/operation.js';
import { linkNextPage } from '../http/page-link.js';
import { JsonBody, QueryString } from '../http/request-input.js';
import { EvaluationsService } from './evaluations.service.js';
import { evaluationReport } from './report/evaluation-report.js';

@Controller('evaluations')
export class EvaluationsController {
  constructor(@Inject(EvaluationsService) private readonly evaluations: EvaluationsService) {}

  @Operation('Start an evaluation', evaluationSchema, {
    description:
      'Asks questions of your own in the background, and measures how well they are answered. With `baseline`, two configurations are compared question by question. Each answer of an agent counts as an agent query. An organization has at most three unfinished evaluations; the newest 100 are kept.',
    errors: ['NOT_FOUND'],
  })
  @Post()
  @HttpCode(200)
  @RequireScope('write')
  create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createEvaluationSchema) body: CreateEvaluation,
  ): Promise<Evaluation> {
    return this.evaluations.create(tenant, body);
  }

  @Operation('List evaluations', listOf(evaluationSchema))
  @Get()
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(pageQuerySchema) page: PageQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Evaluation[]> {
    const evaluations = await this.evaluations.list(tenant, page);
    linkNextPage(request, reply, evaluations, page.limit);
    return evaluations;
  }

  @Operation('Read an evaluation', evaluationWithResultSchema, {
    description: 'Ask again until `state` is `done` or `failed`.',
  })
  @Get(':id')
  @RequireScope('read')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<EvaluationWithResult> {
    return this.evaluations.get(tenant, id);
  }

  /** Without scripts, and sandboxed: questions and passages are texts of others. */
  @Operation('Read the report of an evaluation', 'text/html', {
    description: 'One HTML file with plots, without scripts.',
    errors: ['CONFLICT'],
  })
  @Get(':id/report')
  @RequireScope('read')
  async report(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const report = evaluationReport(await this.evaluations.getFinished(tenant, id));
    await reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="evaluation.html"')
      .header('Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
      .header('X-Content-Type-Options', 'nosniff')
      .send(report);
  }

  @Operation('Delete an evaluation', evaluationSchema, { description: 'Also one that is in progress.' })
  @Delete(':id')
  @RequireScope('write')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Evaluation> {
    return this.evaluations.remove(tenant, id);
  }
}
