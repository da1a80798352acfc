import { answerAt, type RandomSite } from './random-site.js';
import { beginningOf, isExcluded, pointerOf, type Reached, reachFrom } from './site-reach.js';
import type { PageStates } from './site-tenant.js';

/**
 * What is wrong with a site that may have fewer pages than it might. Which of them it has depends on the order in which
 * they are come to, and pages of before stay in several cases: so these are only bounds, see {@link SiteModel} for more.
 *
 * @param before paths that were pages after the sync before
 * @param said what the site says of itself
 */
export function wrongWithLimited(
  site: RandomSite,
  before: ReadonlySet<string>,
  states: PageStates,
  said: string,
): string[] {
  const { maxPages = Infinity } = site;
  const known = [...before].map((path): [string, Reached] => [path, { depth: 0, origin: 'link' }]);
  const reach = [...reachFrom(site, beginningOf(site)).keys()];
  const within = new Set([...reach, ...reachFrom(site, known).keys()]);
  const now = Object.keys(states);
  const wrong = now
    .filter(
      (path) => !within.has(path) || isExcluded(site, path) || (!before.has(path) && saysNothing(site, path)),
    )
    .map((path) => `${path} is no page`);
  // In the places of what fails, or is to be tried once more, others are kept; what has moved may be beside the limit.
  const spared = now.filter(
    (path) => states[path] !== 'synched' || isCopied(site, path) || site.shaky.has(path),
  ).length;
  const isListed = site.sitemap === null || site.sitemapStatus === 200 || before.size === 0;
  const isWhole = isListed && [...within].every((path) => !isFailing(site, path));
  if (isWhole && now.length > maxPages + spared)
    wrong.push(
      `${now.length} are more than ${maxPages} pages: ${JSON.stringify(states)}, ${said}; before: ${[...before].join()}`,
    );
  const sure = reach.filter((path) => isSurelyPage(site, path)).length;
  const isSaid = said.includes('(maxPages)');
  if (isWhole && sure > maxPages && !isSaid)
    wrong.push(`the site does not say that it has more than ${maxPages}`);
  if (within.size <= maxPages && isSaid) wrong.push(`the site says that it has more than ${maxPages}`);
  return wrong;
}

function isFailing(site: RandomSite, path: string): boolean {
  const answer = answerAt(site, path);
  return 'status' in answer && (answer.status === 403 || answer.status === 500);
}

function saysNothing(site: RandomSite, path: string): boolean {
  const answer = answerAt(site, path);
  if (!('content' in answer)) return false;
  const { kind, noindex } = answer.content;
  return kind === 'empty' || (kind === 'page' && noindex === true);
}

function isSurelyPage(site: RandomSite, path: string): boolean {
  if (isExcluded(site, path) || saysNothing(site, path) || pointerOf(site, path) !== null) return false;
  return 'content' in answerAt(site, path) && !isCopied(site, path);
}

function isCopied({ answers }: RandomSite, path: string): boolean {
  const answer = answers.get(path);
  const content = answer && 'content' in answer ? answer.content : null;
  return [...answers].some(
    ([other, said]) => other !== path && content !== null && 'content' in said && said.content === content,
  );
}
