/** Why a start is doubted that was read: it led to others of the site the last time, and leads to none now. */
export const LED_NOWHERE = 'LED_NOWHERE';
/** So many pages that were not found are not taken to be gone because of one that may be there for a day. */
export const MANY_PAGES = 10;

/** SQL for the reason of a page `c` of `crawl_urls`. @param leadsOn expression for whether it leads to others now */
export function doubtSql(leadsOn: string): string {
  return `CASE WHEN c.origin = 'seed' AND c.leads_on AND NOT ${leadsOn} THEN '${LED_NOWHERE}' END`;
}
