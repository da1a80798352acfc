import {
  type PreviewSite,
  previewSiteSchema,
  type SitePreview,
  sitePreviewSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { Operation } from '../../http/operation.js';
import { JsonBody } from '../../http/request-input.js';
import { SitePreviewsService } from './site-previews.service.js';

@Controller('sites')
export class SitePreviewsController {
  constructor(@Inject(SitePreviewsService) private readonly previews: SitePreviewsService) {}

  @Operation('Preview a web site', sitePreviewSchema, {
    description:
      'The first ten pages that a crawl with this configuration would fetch, and pages that it leaves out. Nothing is indexed. A crawler sends at most 15 requests, by the rules of robots.txt and the pace of the host, for at most 10 seconds.',
  })
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
