import {
  type CheckSource,
  checkSourceSchema,
  type SourceCheck,
  sourceCheckSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { SourceCheckService } from './source-check.service.js';

@Controller('sources')
export class SourcesController {
  constructor(@Inject(SourceCheckService) private readonly checks: SourceCheckService) {}

  @Operation('Test a source', sourceCheckSchema, {
    description:
      'Opens the source with this configuration, and counts its documents for at most five seconds. Nothing is fetched or indexed.',
  })
  @Post('check')
  @HttpCode(200)
  @RequireScope('write')
  check(
    @Tenant() tenant: TenantScope,
    @JsonBody(checkSourceSchema) { config }: CheckSource,
  ): Promise<SourceCheck> {
    return this.checks.check(tenant, config);
  }
}
