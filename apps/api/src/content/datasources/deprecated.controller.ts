import {
  type Datasource,
  datasourceSchema,
  type UpdateText,
  updateTextSchema,
  type UpsertTexts,
  upsertTextsSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Header, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RequireScope, Tenant } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { LenientJsonBody } from '../../http/request-input.js';
import { DatasourceCreationService } from './datasource-creation.service.js';
import { uploadSchema } from './upload.js';

const TEXT_ID = '0199c7a2-8c6f-7e35-a074-6d1b9f3e5a24';

/** Deprecated endpoints for texts and file uploads. They remain supported. */
@Controller()
export class DeprecatedController {
  constructor(@Inject(DatasourceCreationService) private readonly creation: DatasourceCreationService) {}

  @Operation(
    'Replace the text of a datasource',
    z.object({ id: z.string() }).meta({ examples: [{ id: TEXT_ID }] }),
    { errors: ['CONFLICT', 'STORAGE_FULL'] },
  )
  @Post('datastores/update/:datastoreId')
  @HttpCode(200)
  @Header('Deprecation', 'true')
  @RequireScope('write')
  update(
    @Tenant() tenant: TenantScope,
    @Param('datastoreId') datastoreId: string,
    @LenientJsonBody(updateTextSchema) body: UpdateText,
  ): Promise<{ id: string }> {
    return this.creation.updateText(tenant, datastoreId, body);
  }

  @Operation(
    'Create a text datasource for each document',
    z.object({ ids: z.array(z.string()) }).meta({ examples: [{ ids: [TEXT_ID] }] }),
    { errors: ['STORAGE_FULL'] },
  )
  @Post('datastores/upsert/:datastoreId')
  @HttpCode(200)
  @Header('Deprecation', 'true')
  @RequireScope('write')
  upsert(
    @Tenant() tenant: TenantScope,
    @Param('datastoreId') datastoreId: string,
    @LenientJsonBody(upsertTextsSchema) body: UpsertTexts,
  ): Promise<{ ids: string[] }> {
    return this.creation.upsertTexts(tenant, datastoreId, body);
  }

  @Operation('Upload a file', datasourceSchema, {
    body: {
      'multipart/form-data': uploadSchema
        .omit({ type: true, datastoreId: true })
        .meta({ examples: [{ fileName: 'p200.pdf', custom_id: 'manuals/p200.pdf' }] }),
    },
    errors: ['STORAGE_FULL'],
  })
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
