import type { FrontierUrl } from '@citewell/database';

/**
 * It points to another URL, but that one was no page when this one was last looked at. So this is a page, whatever that
 * one is; if that has become a page, the crawl shows it, and this one is put back when everything is known.
 */
export function staysForNow({ row: { settledIn, outcome, target } }: FrontierUrl): boolean {
  return target !== null && (settledIn !== null || outcome === 'left-out');
}

/**
 * It was put back since what it points to is a page by now. Where it stays a page nevertheless, that is the end of it:
 * otherwise it could be put back again and again, and no crawl would end.
 */
export function isReopenedPage({ row: { settledIn, outcome, target } }: FrontierUrl): boolean {
  return target !== null && settledIn === null && outcome !== 'left-out';
}
