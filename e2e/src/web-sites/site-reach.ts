import { type Answer, answerAt, AWAY, type RandomSite } from './random-site.js';

/** How a crawl comes to a path. What stands for another path leads there as it was come to itself. */
export interface Reached {
  /** Links between the start and this. */
  readonly depth: number;
  readonly origin: 'seed' | 'link' | 'sitemap' | 'lost';
}

export type Reach = ReadonlyMap<string, Reached>;

/** Where a path leads to that says nothing itself but that; a page that is not to be indexed names no other one. */
export function pointerOf(site: RandomSite, path: string): string | null {
  const answer = answerAt(site, path);
  const target = targetOf(answer);
  return target === undefined || target === path ? null : target;
}

function targetOf(answer: Answer): string | undefined {
  if ('redirect' in answer) return answer.redirect;
  if (!('content' in answer) || answer.content.kind !== 'page') return undefined;
  const { refresh, canonical, noindex } = answer.content;
  return refresh ?? (noindex ? undefined : canonical);
}

export function linksOf(site: RandomSite, path: string): readonly string[] {
  const answer = answerAt(site, path);
  return 'content' in answer && answer.content.kind === 'page' ? answer.content.links : [];
}

export function isExcluded({ include, exclude }: RandomSite, path: string): boolean {
  const fits = (beginning: string): boolean => path.startsWith(beginning);
  return exclude.some(fits) || (include.length > 0 && !include.some(fits));
}

/** Whether a page says something itself, also where it names another one. */
function isRead(site: RandomSite, path: string): boolean {
  const answer = answerAt(site, path);
  return 'content' in answer && answer.content.refresh === undefined;
}

/** Whether what a path points to is a matter of the site. What the start points to is, whatever the patterns say. */
export function belongs(site: RandomSite, target: string, { origin }: Pick<Reached, 'origin'>): boolean {
  return target !== AWAY && (origin === 'seed' || !isExcluded(site, target));
}

/** What a crawl begins with: what a sitemap lists; where that is nothing, the start. */
export function beginningOf(site: RandomSite): [string, Reached][] {
  const listed = site.sitemapStatus === 200 ? (site.sitemap ?? []) : [];
  const pages = listed.filter((path) => !isExcluded(site, path));
  if (pages.length === 0) return [[site.start, { depth: 0, origin: 'seed' }]];
  return pages.map((path) => [path, { depth: 0, origin: 'sitemap' }]);
}

/** Everything that these lead to, by the shortest way; a sitemap is the whole list, and no link is followed. */
export function reachFrom(site: RandomSite, beginning: Iterable<readonly [string, Reached]>): Reach {
  const { maxDepth = Infinity } = site;
  const reached = new Map<string, Reached>();
  const found = [...beginning];
  for (;;) {
    found.sort(([, a], [, b]) => a.depth - b.depth);
    const [next] = found.splice(0, 1);
    if (next === undefined) return reached;
    const [path, how] = next;
    if (reached.has(path) || how.depth > maxDepth) continue;
    reached.set(path, how);
    const target = pointerOf(site, path);
    const pointed = isRead(site, path) && how.origin === 'seed' ? { ...how, origin: 'link' as const } : how;
    if (target !== null && belongs(site, target, pointed)) found.unshift([target, pointed]);
    if (how.origin === 'sitemap' || how.origin === 'lost') continue;
    for (const link of linksOf(site, path))
      if (!isExcluded(site, link)) found.push([link, { depth: how.depth + 1, origin: 'link' }]);
  }
}

/** Whether paths point to each other, however many others are between them. */
export function hasRing(site: RandomSite): boolean {
  return [...site.answers.keys()].some((path) => {
    let next = pointerOf(site, path);
    for (let steps = 0; next !== null && next !== path && steps < site.answers.size; steps += 1)
      next = pointerOf(site, next);
    return next === path;
  });
}
