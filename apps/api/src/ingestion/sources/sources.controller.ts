import {
  type CheckSource,
  checkSourceSchema,
  type SourceCheck,
  sourceCheckSchema,
  type SourceKindInfo,
  sourceKindInfoSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { SourceConnections } from '@citewell/infrastructure';
import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { SourceCheckService } from './source-check.service.js';
import { describeKinds } from './source-kinds.js';

@Controller('sources')
export class SourcesController {
  constructor(
    @Inject(SourceCheckService) private readonly checks: SourceCheckService,
    @Inject(SourceConnections) private readonly connections: SourceConnections,
  ) {}

  @Operation('List the kinds of sources', listOf(sourceKindInfoSchema), {
    description:
      'The kinds of sources with the JSON Schema of their `config`, the names of their secrets, and why a kind cannot be connected to this server.',
  })
  @Get('kinds')
  @RequireScope('write')
  kinds(): Promise<SourceKindInfo[]> {
    return describeKinds(this.connections.contextWith({}));
  }

  @Operation('Test a source', sourceCheckSchema, {
    description:
      'Opens the source with this configuration, and counts its documents for at most five seconds. Nothing is fetched or indexed.',
  })
  @Post('check')
  @HttpCode(200)
  @RequireScope('write')
  check(
    @Tenant() tenant: TenantScope,
    @JsonBody(checkSourceSchema) source: CheckSource,
  ): Promise<SourceCheck> {
    return this.checks.check(tenant, source);
  }
}
