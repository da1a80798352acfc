import type { FrontierUrl, RunEntity } from '@citewell/database';

/**
 * It points to another URL, but that one was no page when this one was last looked at. So this is a page, whatever that
 * one is; if that has become a page, the crawl shows it, and this one is put back when everything is known.
 */
export function staysForNow(url: FrontierUrl, run: RunEntity): boolean {
  return url.row.target !== null && !isReopenedPage(url, run);
}

/** The run has put it back since what it points to is a page by now. */
export function isReopenedPage({ row: { outcome, reopenedIn } }: FrontierUrl, run: RunEntity): boolean {
  return reopenedIn === run.id && outcome !== 'left-out';
}
