import { CitewellError } from '@citewell/sdk';
import type { MessageKey } from '../messages.js';

/** A longer wait is the limit of the day. */
const LONGEST_PAUSE_SECONDS = 3_600;

const SENTENCES: Readonly<Record<string, MessageKey>> = {
  NETWORK: 'errorNetwork',
  TIMEOUT: 'errorNetwork',
  STREAM_INCOMPLETE: 'errorNetwork',
  FORBIDDEN: 'errorNotAllowed',
  UNAUTHORIZED: 'errorUnavailable',
  NOT_FOUND: 'errorUnavailable',
  CONFLICT: 'errorUnavailable',
  USAGE_LIMIT: 'errorUnavailable',
};

/** The sentence for a failed question. */
export function failureMessage(error: unknown): MessageKey {
  if (!(error instanceof CitewellError)) return 'errorOther';
  const { code, retryAfterSeconds } = error;
  if (code === 'RATE_LIMIT')
    return (retryAfterSeconds ?? 0) > LONGEST_PAUSE_SECONDS ? 'errorToday' : 'errorBusy';
  return SENTENCES[code] ?? 'errorOther';
}
