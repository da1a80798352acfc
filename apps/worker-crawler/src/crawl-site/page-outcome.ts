import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { DatasourceError } from '@citewell/contracts/http';
import type { FrontierUrl, PageContent, RenewedBytes } from '@citewell/database';
import type { WebFetchError } from '@citewell/web';
import { codeOf, nextTryAt, retryAt } from './failure.js';

/** What became of one URL of a site. */
export type Outcome =
  | { kind: 'unchanged'; target?: string | null; contentHash?: string | null; renewed?: RenewedBytes }
  /** @param away where it leads that is not of the site */
  | { kind: 'left-out'; reason: string; target?: string; away?: string }
  | { kind: 'failed'; error: DatasourceError; isGone: boolean; isHeldBack?: true }
  | { kind: 'again'; of: 'page'; notBefore: Date }
  | { kind: 'page'; content: PageContent; target?: string | null };

/** It could not be fetched. A link that leads nowhere is the business of the page that it stands on; a URL that is listed should be there. */
export function failed(url: FrontierUrl, error: WebFetchError): Outcome {
  const notBefore = retryAt(error, url.row.attempts);
  if (notBefore !== null) return { kind: 'again', of: 'page', notBefore };
  const code = codeOf(error);
  if (code === 'PAGE_GONE') {
    if (url.row.origin === 'link' || url.row.origin === 'lost') return { kind: 'left-out', reason: 'GONE' };
    return { kind: 'failed', error: datasourceErrorOf(code, error.userMessage), isGone: true };
  }
  return { kind: 'failed', error: datasourceErrorOf(code, error.userMessage), isGone: false };
}

/** A defect of ours came up. Tried again a few times: it may have been the moment and not the page. */
export function brokenOff({ row: { attempts } }: FrontierUrl): Outcome {
  const notBefore = nextTryAt(attempts);
  if (notBefore !== null) return { kind: 'again', of: 'page', notBefore };
  return { kind: 'failed', error: datasourceErrorOf('INTERNAL'), isGone: false };
}

/** The robots.txt of its host forbids it. */
export function forbidden(url: FrontierUrl): Outcome {
  return url.row.origin === 'seed'
    ? { kind: 'failed', error: datasourceErrorOf('ROBOTS_DISALLOWED'), isGone: false }
    : { kind: 'left-out', reason: 'ROBOTS' };
}
