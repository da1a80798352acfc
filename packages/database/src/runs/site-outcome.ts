import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { DatasourceError } from '@citewell/contracts/http';

/** How many pages of a site have which status. */
export interface SitePages {
  readonly synched: number;
  readonly failed: number;
  /** Failed pages that still answer with their last content. */
  readonly stale: number;
  /** Failed pages that exceeded the organization's storage limit. */
  readonly overLimit: number;
}

/** Status and error of a site whose pages have no unfinished runs. */
export type SiteOutcome =
  | { status: 'synched'; error: DatasourceError | null }
  | { status: 'error' | 'usage_limit_reached'; error: DatasourceError };

/**
 * The outcome of a site's run: `synched`, with the error `PARTIAL` when pages failed or the crawl has a
 * warning; `error` or `usage_limit_reached` when no page is `synched`, even if failed pages answer with their last
 * content.
 *
 * @param warning of the crawl, e.g. why it is not complete
 */
export function siteOutcome(
  { synched, failed, stale, overLimit }: SitePages,
  warning: string | null,
): SiteOutcome {
  if (synched === 0) {
    if (overLimit > 0) return { status: 'usage_limit_reached', error: datasourceErrorOf('USAGE_LIMIT') };
    if (failed > 0)
      return {
        status: 'error',
        error: datasourceErrorOf(
          'SITE_FAILED',
          `${failureOfAll(failed, stale)} See the errors of the pages.`,
        ),
      };
    return { status: 'error', error: datasourceErrorOf('SITE_EMPTY', warning ?? undefined) };
  }
  if (failed === 0 && warning === null) return { status: 'synched', error: null };
  const parts = [failed === 0 ? null : failureOfSome(synched, failed, stale), warning];
  return {
    status: 'synched',
    error: datasourceErrorOf('PARTIAL', parts.filter((part) => part !== null).join(' ')),
  };
}

function failureOfAll(failed: number, stale: number): string {
  if (stale === 0) return `None of its pages could be ingested (${failed}).`;
  return `None of its pages could be updated (${failed}); ${answeringPages(stale)} with their last content.`;
}

function failureOfSome(synched: number, failed: number, stale: number): string {
  const added = failed > stale ? [`${count(failed - stale, 'page')} could not be ingested`] : [];
  const updated = stale > 0 ? [`${count(stale, 'page')} could not be updated`] : [];
  return `${[...added, ...updated].join(', ')}; ${answeringPages(synched + stale)}.`;
}

function answeringPages(pages: number): string {
  return `${count(pages, 'page')} ${pages === 1 ? 'answers' : 'answer'}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
