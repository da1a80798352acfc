import { datasourceErrorOf } from '@citewell/contracts/errors';
import { BELIEVED_AFTER_MS, type FrontierUrl } from '@citewell/database';
import type { Outcome } from './page-outcome.js';
import { isReopenedPage } from './pointing-page.js';
import { sha256 } from './sha256.js';
import type { PageVisit } from './site-visit.js';

/** What is said of one page, by itself or its server, however many others are told so too. */
const MEANT = new Set(['NOINDEX', 'ROBOTS', 'EXCLUDED', 'GONE']);

/** Longer texts are compared as they are. */
const MAX_NOTICE_CHARACTERS = 10_000;
const DATE_OR_TIME = /\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?/g;
/** With a digit in it, that by which a request can be looked up. */
const MAYBE_NUMBER = /\b[\da-f-]{8,}\b/gi;

/**
 * Whether a page that serves is left as it is, because another one was answered the same in this crawl: with a redirect
 * to the same place, the same text, or nothing. A server under maintenance, or one that wants a login, answers so to
 * everything. When all is known, it shows whether it was so many; what a page has been answered for long is believed.
 *
 * @param what tells answers apart that take the place of what a page says
 */
function heldBack(
  url: FrontierUrl,
  what: string,
  { run, serves, answers, leads }: PageVisit,
): Outcome | null {
  const { row } = url;
  if (!serves) return null;
  const answer = sha256(what);
  leads.answer = answer;
  if (row.believedIn === run.id) return null;
  // One that points elsewhere is what it was until that is known to be a page; then it is put back.
  const isUndecided = row.outcome === 'failed' || isReopenedPage(url, run);
  const wasHeldBack = isUndecided && row.answer === answer;
  if (wasHeldBack && Date.now() - Number(row.answeredSince) >= BELIEVED_AFTER_MS) return null;
  const first = answers.get(answer);
  if (first === undefined) answers.set(answer, row.url);
  if (!wasHeldBack && (first === undefined || first === row.url)) return null;
  // What it leads to is what it led to.
  leads.leadsOn = null;
  const error = datasourceErrorOf(
    'FETCH_FAILED',
    'Its server answers it as it does other pages of the site.',
  );
  return { kind: 'failed', error, isGone: false, isHeldBack: true };
}

/**
 * The same for other content. The bytes that serve are none, though this release may read them otherwise.
 *
 * @param text of a page, as it is kept; null for a file
 * @param bytes that it was read from
 */
export function contentHeldBack(
  url: FrontierUrl,
  text: Uint8Array | null,
  bytes: Uint8Array,
  visit: PageVisit,
): Outcome | null {
  if (!visit.serves) return null;
  const hash = sha256(bytes);
  if (hash === visit.servedHash) return null;
  return heldBack(url, text === null ? hash : toEverybody(text, url.row.url), visit);
}

/** What a text says to everybody: a notice, which is short, may name the moment, the request and its address. */
function toEverybody(text: Uint8Array, url: string): string {
  const said = Buffer.from(text).toString('utf16le');
  if (said.length > MAX_NOTICE_CHARACTERS) return said;
  const { pathname, search } = new URL(url);
  return [url, pathname + search, pathname]
    .flatMap((address) => [address, decoded(address)])
    .filter((address) => address.length > 1)
    .reduce((rest, address) => rest.replaceAll(address, ''), said)
    .replace(DATE_OR_TIME, '')
    .replace(MAYBE_NUMBER, (run) => (/\d/.test(run) ? '' : run));
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** The same for what would be left out. */
export function leftOutOrHeldBack(url: FrontierUrl, outcome: Outcome, visit: PageVisit): Outcome {
  if (outcome.kind !== 'left-out' || MEANT.has(outcome.reason)) return outcome;
  const { reason, target, away } = outcome;
  const place = target === undefined ? placeAway(away) : placeOf(target, url.row.url);
  return heldBack(url, `${reason} ${place}`, visit) ?? outcome;
}

/** A login is told where somebody came from, in whatever form; that makes no two places of it. */
function placeOf(target: string, from: string): string {
  const place = new URL(target);
  return place.pathname === new URL(from).pathname ? place.href : place.host + place.pathname;
}

/** What another host is told beside that nobody knows. */
function placeAway(target: string | undefined): string {
  if (target === undefined) return '';
  const { host, pathname } = new URL(target);
  return host + pathname;
}
