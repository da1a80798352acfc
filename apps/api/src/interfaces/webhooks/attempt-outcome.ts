import type { WebhookDeliveryError } from '@citewell/contracts/schemas';
import type { AttemptOutcome } from '@citewell/database';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds between attempts: nine attempts in 41 h 36 min. docs/webhooks.md has this table. */
export const RETRY_DELAYS_SECONDS = [
  5,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  24 * HOUR,
] as const;
/** Part of a delay that is added at random, so that messages which failed together are not sent together again. */
const JITTER = 0.1;
const GONE = 410;

/** What an attempt has shown: a response, or why there is none. */
export type Attempt =
  { readonly responseStatus: number } | { readonly error: Exclude<WebhookDeliveryError, 'HTTP_STATUS'> };

/**
 * Decides what follows an attempt. Every 2xx is a success, 410 disables the endpoint, and everything else is tried again:
 * redirects and 4xx, too, because endpoints are often deployed wrongly for a while.
 *
 * @param attempts those that were made, with this one
 * @param random from 0 to 1
 */
export function attemptOutcome(attempt: Attempt, attempts: number, random: number): AttemptOutcome {
  const responseStatus = 'responseStatus' in attempt ? attempt.responseStatus : null;
  if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300)
    return { responseStatus, error: null, retryAfterSeconds: null, isGone: false };
  const error = 'error' in attempt ? attempt.error : 'HTTP_STATUS';
  const isGone = responseStatus === GONE;
  const delay = isGone ? undefined : RETRY_DELAYS_SECONDS[attempts - 1];
  const retryAfterSeconds = delay === undefined ? null : delay * (1 + JITTER * random);
  return { responseStatus, error, retryAfterSeconds, isGone };
}
