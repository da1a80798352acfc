import { type PreviewSite, previewSiteSchema, type SitePreview } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { JsonBody } from '../../http/request-input.js';
import { SitePreviewsService } from './site-previews.service.js';

@Controller('sites')
export class SitePreviewsController {
  constructor(@Inject(SitePreviewsService) private readonly previews: SitePreviewsService) {}

  @Post('preview')
  @HttpCode(200)
  @RequireScope('write')
  preview(
    @Tenant() tenant: TenantScope,
    @JsonBody(previewSiteSchema) { config }: PreviewSite,
  ): Promise<SitePreview> {
    return this.previews.preview(tenant, config);
  }
}
