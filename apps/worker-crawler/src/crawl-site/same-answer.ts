import { datasourceErrorOf } from '@citewell/contracts/errors';
import { alikeReason, type FrontierUrl, isAlike } from '@citewell/database';
import type { Outcome } from './page-outcome.js';
import { sha256 } from './serving-page.js';
import type { PageVisit } from './site-visit.js';

/** What a page says of itself, or its server of it: that is meant for this page, however many others say so too. */
const MEANT = new Set(['NOINDEX', 'ROBOTS', 'EXCLUDED', 'GONE']);

/**
 * Whether a page that serves is left as it is, because another one was answered the same in this crawl: with a redirect
 * to the same place, the same text, or nothing. A server under maintenance, or one that wants a login, answers so to
 * everything. When all is known, it shows whether it was so many; what was noted of a page before is believed.
 *
 * @param answer what tells answers apart that take the place of what a page says
 */
export function heldBack(url: FrontierUrl, answer: string, visit: PageVisit): Outcome | null {
  if (!visit.serves || isAlike(url.row.reason)) return null;
  const reason = alikeReason(sha256(answer));
  if (!visit.answers.has(reason)) {
    visit.answers.add(reason);
    return null;
  }
  // What it leads to is what it led to.
  visit.leads.leadsOn = null;
  const error = datasourceErrorOf(
    'FETCH_FAILED',
    'Its server answers it as it does other pages of the site.',
  );
  return { kind: 'failed', error, isGone: false, reason };
}

/** The same for what would be left out. */
export function leftOutOrHeldBack(url: FrontierUrl, outcome: Outcome, visit: PageVisit): Outcome {
  if (outcome.kind !== 'left-out' || MEANT.has(outcome.reason)) return outcome;
  const { reason, target } = outcome;
  return heldBack(url, `${reason} ${target === undefined ? '' : placeOf(target)}`, visit) ?? outcome;
}

/** A login is told where somebody came from. */
function placeOf(target: string): string {
  const { origin, pathname } = new URL(target);
  return origin + pathname;
}
