import {
  type AuditEvent,
  auditEventSchema,
  type AuditFilter,
  auditFilterSchema,
  type AuditRetention,
  auditRetentionSchema,
  type ListAuditEvents,
  listAuditEventsSchema,
} from '@citewell/contracts/schemas';
import { AuditRepository, type TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Put, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { found } from '../../http/api-error.js';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { AuditExportService, toAuditEvent } from './audit-export.service.js';

/** Reads the audit log. Nothing changes it. */
@Controller()
export class AuditController {
  constructor(
    @Inject(AuditRepository) private readonly events: AuditRepository,
    @Inject(AuditExportService) private readonly exporter: AuditExportService,
  ) {}

  @Operation('List audit events', listOf(auditEventSchema), {
    description: 'Who did what, newest first. Questions and searches are not events.',
  })
  @Get('audit-events')
  @RequireScope('admin')
  async list(
    @Tenant() tenant: TenantScope,
    @QueryString(listAuditEventsSchema) query: ListAuditEvents,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEvent[]> {
    const events = await this.events.list(tenant, query, query);
    linkNextPage(request, reply, events, query.limit);
    return events.map(toAuditEvent);
  }

  @Operation('Export audit events as JSON lines', 'application/x-ndjson', {
    description: 'One event per line, newest first, with the fields of `GET /audit-events`.',
  })
  @Get('exports/audit-events')
  @RequireScope('admin')
  async export(
    @Tenant() tenant: TenantScope,
    @QueryString(auditFilterSchema) filter: AuditFilter,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await reply
      .header('Content-Type', 'application/x-ndjson; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="audit-events.jsonl"')
      .header('X-Content-Type-Options', 'nosniff')
      .send(this.exporter.export(tenant, filter));
  }

  @Operation('Read how long audit events are kept', auditRetentionSchema)
  @Get('audit-events/retention')
  @RequireScope('admin')
  async retention(@Tenant() tenant: TenantScope): Promise<AuditRetention> {
    return { retentionDays: found(await this.events.retentionDays(tenant), 'organization') };
  }

  @Operation('Change how long audit events are kept', auditRetentionSchema, {
    description: 'Older events are removed within minutes.',
  })
  @Put('audit-events/retention')
  @RequireScope('admin')
  async setRetention(
    @Tenant() tenant: TenantScope,
    @JsonBody(auditRetentionSchema) { retentionDays }: AuditRetention,
  ): Promise<AuditRetention> {
    await this.events.setRetentionDays(tenant, retentionDays);
    return { retentionDays };
  }
}
