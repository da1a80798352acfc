import {
  type CrawlDecision,
  type CrawlRepository,
  type FrontierUrl,
  MAX_DECISIONS,
  type RunEntity,
} from '@citewell/database';
import type { PageVisit } from './site-visit.js';

/**
 * Whether a page makes way for the one that it points to. It stays where that is none itself, nor stands for one; so does
 * one of those that point to each other. If it does not, that is noted in the visit.
 *
 * @param target normalised, of the site
 */
export async function makesWay(
  pointing: FrontierUrl,
  target: string,
  { run, links, pointers, serves }: PageVisit,
  frontier: Pick<CrawlRepository, 'decisionsOn'>,
): Promise<boolean> {
  if (staysForNow(pointing, run) || !links.has(target)) return false;
  const { url } = pointing.row;
  const decisions = await frontier.decisionsOn(run, target);
  // What serves does not go for what may be nothing: it is looked at again when that is known to be a page.
  if (serves && decisions.length === 0 && !isReopenedPage(pointing, run)) return false;
  if (!leadsToPage(url, decisions)) return false;
  const end = decisions.at(-1)?.target ?? target;
  // Where it leads may have been turned away.
  if (decisions.length > 0 && !links.has(end)) return false;
  // What is under way at the same time is not in the frontier yet.
  for (let next: string | undefined = end; next !== undefined; next = pointers.get(next))
    if (next === url) return false;
  pointers.set(url, end);
  return true;
}

/**
 * Whether what a page points to is a page, or stands for one, or may still become that.
 *
 * @param decisions on what the page points to, and on what that stands for
 */
function leadsToPage(url: string, decisions: readonly CrawlDecision[]): boolean {
  const last = decisions.at(-1);
  if (last === undefined || last.outcome === 'page') return true;
  if (last.target === null || decisions.length === MAX_DECISIONS) return false;
  return decisions.every(({ target }) => target !== url);
}

/**
 * It points to another URL, but that one was no page when this one was last looked at. So this is a page, whatever that
 * one is; if that has become a page, the crawl shows it, and this one is put back when everything is known.
 */
function staysForNow(url: FrontierUrl, run: RunEntity): boolean {
  return url.row.target !== null && !isReopenedPage(url, run);
}

/** The run has put it back since what it points to is a page by now. */
export function isReopenedPage({ row: { outcome, reopenedIn } }: FrontierUrl, run: RunEntity): boolean {
  return reopenedIn === run.id && outcome !== 'left-out';
}
