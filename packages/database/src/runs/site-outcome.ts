import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { DatasourceError, DatasourceStatus } from '@citewell/contracts/http';

/** What became of a site's pages. */
export interface SitePages {
  readonly synched: number;
  readonly failed: number;
  /** Of the failed ones, how many answer with what they said before. */
  readonly stale: number;
  /** Of the failed ones, how many stopped at the organization's limit. */
  readonly overLimit: number;
}

/**
 * What a site says of itself when all its pages are settled: `synched` when they are; with `PARTIAL` when some failed
 * or the crawl could not be finished; `error` when none answers.
 *
 * @param remark why the crawl did not get to everything, or what it leaves out
 */
export function siteOutcome(
  { synched, failed, stale, overLimit }: SitePages,
  remark: string | null,
): { status: DatasourceStatus; error: DatasourceError | null } {
  if (synched === 0) {
    if (overLimit > 0) return { status: 'usage_limit_reached', error: datasourceErrorOf('USAGE_LIMIT') };
    if (failed > 0)
      return {
        status: 'error',
        error: datasourceErrorOf('SITE_FAILED', `${noneOf(failed, stale)} Look at their errors.`),
      };
    return { status: 'error', error: datasourceErrorOf('SITE_EMPTY', remark ?? undefined) };
  }
  if (failed === 0 && remark === null) return { status: 'synched', error: null };
  const parts = [failed === 0 ? null : someOf(synched, failed, stale), remark];
  return {
    status: 'synched',
    error: datasourceErrorOf('PARTIAL', parts.filter((part) => part !== null).join(' ')),
  };
}

function noneOf(failed: number, stale: number): string {
  if (stale === 0) return `None of its pages could be brought in (${failed}).`;
  return `None of its pages could be brought up to date (${failed}); ${answering(stale)} with what was there before.`;
}

function someOf(synched: number, failed: number, stale: number): string {
  const missing = failed > stale ? [`${count(failed - stale, 'page')} could not be brought in`] : [];
  const old = stale > 0 ? [`${count(stale, 'page')} could not be brought up to date`] : [];
  return `${[...missing, ...old].join(', ')}; ${answering(synched + stale)}.`;
}

function answering(pages: number): string {
  return `${count(pages, 'page')} ${pages === 1 ? 'answers' : 'answer'}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
