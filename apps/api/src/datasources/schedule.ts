import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { invalid } from '../http/api-error.js';

/** Syncs that are due at the same minute are spread over so much of the time to the next one, … */
const JITTER_SHARE = 0.05;
/** … and over no more than this. */
const LONGEST_JITTER_MS = 10 * 60_000;

/** A name such as `@daily`, or five fields: the library takes dates, too. */
const EXPRESSION = /^\s*(@\w+|\S+(\s+\S+){4})\s*$/;

/**
 * When a datasource that has been given a schedule is to be brought up to date first.
 *
 * @throws as {@link nextSyncAt}
 */
export function firstSyncAt(schedule: unknown, seed: string): Date | null {
  if (typeof schedule === 'string' && schedule !== '' && !EXPRESSION.test(schedule)) throw noExpression();
  return nextSyncAt(schedule, seed);
}

/**
 * When a datasource is to be brought up to date next.
 *
 * @param schedule a cron expression of five fields, in UTC; empty or null is never
 * @param seed spreads datasources of one schedule; always the same for one of them
 * @returns null without a schedule, or when it never comes
 * @throws {@link ApiError} when it is no such expression
 */
export function nextSyncAt(schedule: unknown, seed: string, after = new Date()): Date | null {
  if (typeof schedule !== 'string' || schedule === '') return null;
  const [next, following] = cronOf(schedule).nextRuns(2, after);
  if (!next) return null;
  const interval = following ? following.getTime() - next.getTime() : 0;
  const jitter = Math.min(interval * JITTER_SHARE, LONGEST_JITTER_MS) * fractionOf(seed);
  return new Date(next.getTime() + Math.floor(jitter));
}

function cronOf(schedule: string): Cron {
  try {
    return new Cron(schedule, { timezone: 'UTC', mode: '5-part' });
  } catch {
    throw noExpression();
  }
}

function noExpression(): Error {
  return invalid('config.schedule', 'must be a cron expression of five fields, such as 0 3 * * 1');
}

/** In [0, 1), evenly. */
function fractionOf(seed: string): number {
  return createHash('sha256').update(seed).digest().readUInt32BE(0) / 2 ** 32;
}
