import { urlReasonSentence } from '@citewell/contracts/errors';
import {
  type ListSiteUrls,
  listSiteUrlsSchema,
  type SiteUrl,
  siteUrlSchema,
} from '@citewell/contracts/schemas';
import { type CrawledUrl, CrawlUrlRepository, type TenantScope } from '@citewell/database';
import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { linkNextPage } from '../../http/page-link.js';
import { QueryString } from '../../http/request-input.js';
import { DatasourcesService } from './datasources.service.js';

@Controller('datasources')
export class SiteUrlsController {
  constructor(
    @Inject(DatasourcesService) private readonly datasources: DatasourcesService,
    @Inject(CrawlUrlRepository) private readonly urls: CrawlUrlRepository,
  ) {}

  /** What the latest crawl of a web site has found; empty for other datasources. */
  @Operation('List the URLs of a web site', listOf(siteUrlSchema), {
    description:
      'What the latest crawl has found, in the order of discovery: pages, and URLs that were skipped or failed, with the reason.',
  })
  @Get(':id/urls')
  @RequireScope('read')
  async list(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @QueryString(listSiteUrlsSchema) { outcome, limit, cursor }: ListSiteUrls,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SiteUrl[]> {
    await this.datasources.get(tenant, id);
    const urls = await this.urls.list(tenant, id, { outcome }, { limit, cursor });
    linkNextPage(
      request,
      reply,
      urls.map(({ position }) => ({ id: String(position) })),
      limit,
    );
    return urls.map(toSiteUrl);
  }
}

function toSiteUrl({ url, kind, outcome, reason, target, pageId }: CrawledUrl): SiteUrl {
  const message = reason === null ? null : urlReasonSentence(reason);
  return { url, kind, outcome: outcome ?? 'waiting', reason, message, target, datasourceId: pageId };
}
