import {
  type Datasource,
  type UpdateText,
  updateTextSchema,
  type UpsertTexts,
  upsertTextsSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Header, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { LenientJsonBody } from '../../http/request-input.js';
import { DatasourceCreationService } from './datasource-creation.service.js';
import { TextsService } from './texts.service.js';

/** Deprecated endpoints for texts and file uploads. They remain supported. */
@Controller()
export class DeprecatedController {
  constructor(
    @Inject(DatasourceCreationService) private readonly creation: DatasourceCreationService,
    @Inject(TextsService) private readonly texts: TextsService,
  ) {}

  @Post('datastores/update/:datastoreId')
  @HttpCode(200)
  @Header('Deprecation', 'true')
  @RequireScope('write')
  update(
    @Tenant() tenant: TenantScope,
    @Param('datastoreId') datastoreId: string,
    @LenientJsonBody(updateTextSchema) body: UpdateText,
  ): Promise<{ id: string }> {
    return this.texts.update(tenant, datastoreId, body);
  }

  @Post('datastores/upsert/:datastoreId')
  @HttpCode(200)
  @Header('Deprecation', 'true')
  @RequireScope('write')
  upsert(
    @Tenant() tenant: TenantScope,
    @Param('datastoreId') datastoreId: string,
    @LenientJsonBody(upsertTextsSchema) body: UpsertTexts,
  ): Promise<{ ids: string[] }> {
    return this.texts.upsert(tenant, datastoreId, body);
  }

  @Post('external/datastores/file-upload/:datastoreId')
  @HttpCode(200)
  @Header('Deprecation', 'true')
  @RequireScope('write')
  upload(
    @Tenant() tenant: TenantScope,
    @Param('datastoreId') datastoreId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Datasource> {
    return this.creation.upload(tenant, { request, reply }, { datastoreId });
  }
}
