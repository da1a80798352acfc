import type { FrontierUrl } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { LargeBodies } from '../fetching/url-fetcher.js';
import { PageVisitor } from './page-visitor.js';
import type { SiteVisit, VisitedUrl } from './site-visit.js';
import { SitemapVisitor } from './sitemap-visitor.js';

/** Visits a URL of a site with the visitor of its kind. */
@Injectable()
export class SiteUrlVisitor {
  constructor(
    @Inject(PageVisitor) private readonly pages: PageVisitor,
    @Inject(SitemapVisitor) private readonly sitemaps: SitemapVisitor,
    @Inject(LargeBodies) private readonly bodies: LargeBodies,
  ) {}

  /** @param conclude a large body keeps its permit until this has resolved */
  async visit(
    url: FrontierUrl,
    visit: SiteVisit,
    conclude: (visited: VisitedUrl) => Promise<void>,
  ): Promise<void> {
    const visitor = url.kind === 'sitemap' ? this.sitemaps : this.pages;
    await this.bodies.during(visit.signal, async (reserve) =>
      conclude(await visitor.visit(url, visit, reserve)),
    );
  }
}
