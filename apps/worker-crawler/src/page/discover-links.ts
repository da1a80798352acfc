import { MAX_URL_LENGTH } from '@citewell/contracts/schemas';
import type { FoundUrl, FrontierUrl } from '@citewell/database';
import {
  hasRepeatedSegments,
  normalizeUrl,
  readRobotsDirectives,
  type UrlScope,
  yieldBetween,
} from '@citewell/web';
import type { ReadPage } from '../page-reader/page-reader.protocol.js';

/** Whether the links of a URL are followed: a sitemap lists the whole site. */
export function isFollowed({ origin }: Pick<FrontierUrl, 'origin'>): boolean {
  return origin === 'seed' || origin === 'link';
}

/**
 * The links of a page that belong to the site, normalized, each once, one link deeper than the page.
 *
 * @param robotsTags of `X-Robots-Tag`; `nofollow` there or in the page means that its links are not followed
 * @param signal ends the work; its reason is thrown
 */
export async function discoverLinks(
  { url, depth }: Pick<FrontierUrl, 'url' | 'depth'>,
  { facts }: Pick<ReadPage, 'facts'>,
  robotsTags: readonly string[],
  { scope, userAgent }: { readonly scope: UrlScope; readonly userAgent: string },
  signal: AbortSignal,
): Promise<FoundUrl[]> {
  if (facts.robots.nofollow || isNofollow(robotsTags, userAgent)) return [];
  const urls = new Set<string>();
  for await (const link of yieldBetween(facts.links, signal)) {
    const target = link.nofollow ? null : normalizeUrl(link.url);
    if (target === null || target === url || target.length > MAX_URL_LENGTH) continue;
    if (scope.refusalOf(target, depth + 1) === null && !hasRepeatedSegments(target)) urls.add(target);
  }
  return [...urls].map((target) => ({ url: target, kind: 'page', origin: 'link', depth: depth + 1 }));
}

/** Whether headers ask not to follow the page's links. */
export function isNofollow(robotsTags: readonly string[], userAgent: string): boolean {
  return readRobotsDirectives(robotsTags, userAgent).nofollow;
}
