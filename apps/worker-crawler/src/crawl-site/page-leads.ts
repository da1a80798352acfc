import type { CrawlOrigin, FoundUrl, FrontierUrl } from '@citewell/database';
import type { PageFacts } from '@citewell/documents/web-page';
import { withBreaks } from '@citewell/web';
import type { LinkFilter } from './link-filter.js';
import type { PageVisit } from './site-visit.js';

/** What a page leads to, as far as it was read. */
export interface Leads {
  /** Of that, what the crawl has not found before, or not so near. */
  readonly found: FoundUrl[];
  /** Whether it leads to anything of the site; null when that is not known. */
  leadsOn: boolean | null;
  /** How near to the start it was when its links were followed, where the site ends somewhere; else null. */
  followedAt: number | null;
  /** Names what would take the place of what serves; null where that is nothing. */
  answer: string | null;
}

/** A sitemap is the whole list, and what is lost leads on when something leads to it again. Otherwise links lead on. */
export async function follow(
  url: FrontierUrl,
  { links, linksTruncated }: Pick<PageFacts, 'links' | 'linksTruncated'>,
  visit: PageVisit,
): Promise<void> {
  if (url.row.origin === 'lost') visit.leads.leadsOn = null;
  if (!isFollowed(url)) return;
  if (linksTruncated) visit.links.readInPart(url.row.url);
  const depth = depthOf(url, visit) + 1;
  for await (const link of withBreaks(links, visit.signal)) {
    if (link.nofollow) continue;
    for (const found of visit.links.newOf([link.url], depth))
      visit.leads.found.push({ url: found, kind: 'page', origin: 'link', depth });
    if (visit.links.leadOn([link.url], url.row.url)) visit.leads.leadsOn = true;
  }
}

/** Whether the links of a page are of interest. */
export function isFollowed({ row: { origin } }: FrontierUrl): boolean {
  return origin === 'seed' || origin === 'link';
}

/**
 * What a URL only points to counts as found where that URL was, unless it has been found already.
 *
 * @param isRead whether it says something itself: then it is the start that was read, and not what it points to
 */
export function pointTo(
  url: FrontierUrl,
  target: string,
  visit: PageVisit,
  { isRead }: { readonly isRead: boolean },
): void {
  const origin = isRead && url.row.origin === 'seed' ? 'link' : url.row.origin;
  const { links, leads } = visit;
  const depth = depthOf(url, visit);
  const lost = origin === 'lost' ? { lostSince: url.row.lostSince } : {};
  for (const found of takenFor(origin, target, depth, links))
    leads.found.push({ url: found, kind: 'page', origin, depth, ...lost });
  leads.leadsOn = true;
}

function takenFor(origin: CrawlOrigin, target: string, depth: number, links: LinkFilter): string[] {
  switch (origin) {
    case 'link':
      return links.newOf([target], depth);
    case 'sitemap':
    case 'lost':
      return links.newListed(target);
    case 'seed':
      return links.newStart(target);
  }
}

/** It may have been found nearer to the start since it was taken from the frontier; and may be, after this. */
function depthOf({ row: { url, depth } }: FrontierUrl, { site, links, leads }: PageVisit): number {
  const now = Math.min(depth, links.depthOf(url) ?? depth);
  if (site.scope.hasEdge) leads.followedAt = Math.max(leads.followedAt ?? 0, now);
  return now;
}

/** Whether what a URL leads to belongs to the site. What the start leads to leads on, whatever the patterns say of it. */
export function isOfSite(
  { row: { origin } }: FrontierUrl,
  target: string,
  { site: { scope } }: PageVisit,
): boolean {
  return origin === 'seed' ? scope.isHere(target) : scope.refusalOf(target) === null;
}
