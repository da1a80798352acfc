import {
  type CreateEvaluation,
  createEvaluationSchema,
  type Evaluation,
  type EvaluationWithResult,
  type PageQuery,
  pageQuerySchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../http/caller.js';
import { linkNextPage } from '../http/page-link.js';
import { JsonBody, QueryString } from '../http/request-input.js';
import { EvaluationsService } from './evaluations.service.js';
import { evaluationReport } from './report/evaluation-report.js';

@Controller('evaluations')
export class EvaluationsController {
  constructor(@Inject(EvaluationsService) private readonly evaluations: EvaluationsService) {}

  @Post()
  @HttpCode(200)
  @RequireScope('write')
  create(
    @Tenant() tenant: TenantScope,
    @JsonBody(createEvaluationSchema) body: CreateEvaluation,
  ): Promise<Evaluation> {
    return this.evaluations.create(tenant, body);
  }

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

  @Get(':id')
  @RequireScope('read')
  get(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<EvaluationWithResult> {
    return this.evaluations.get(tenant, id);
  }

  /** Without scripts, and sandboxed: questions and passages are texts of others. */
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

  @Delete(':id')
  @RequireScope('write')
  remove(@Tenant() tenant: TenantScope, @Param('id') id: string): Promise<Evaluation> {
    return this.evaluations.remove(tenant, id);
  }
}
