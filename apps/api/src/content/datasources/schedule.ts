import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { invalid } from '../../http/api-error.js';

/** Syncs of the same minute are spread over this share of the interval to the next sync. */
const JITTER_SHARE = 0.05;
const MAX_JITTER_MS = 10 * 60_000;

/** A name such as `@daily`, or five fields. The library would also accept dates. */
const CRON_EXPRESSION = /^\s*(@\w+|\S+(\s+\S+){4})\s*$/;

/** The part of the configuration of a datasource that tells when it is synched. */
interface Schedule {
  /** A cron expression in UTC: five fields, or a name such as `@daily`. Anything but a string and the empty string mean "never". */
  readonly schedule?: unknown;
  /** Only `true` means that the schedule rests. */
  readonly paused?: unknown;
}

/**
 * The time of the first sync under a new schedule. Checks the schedule more strictly than {@link nextSyncAt}.
 *
 * @throws {@link ApiError} when the schedule is not a cron expression
 */
export function firstSyncAt(config: Schedule, seed: string): Date | null {
  const { schedule } = config;
  if (typeof schedule === 'string' && schedule !== '' && !CRON_EXPRESSION.test(schedule))
    throw invalidSchedule();
  return nextSyncAt(config, seed);
}

/**
 * The time of the next scheduled sync, with jitter.
 *
 * @param seed determines the jitter: the id of the datasource, so that its jitter is constant
 * @returns null without a schedule, while it rests, or when the expression matches no date
 * @throws {@link ApiError} when the schedule is not a cron expression
 */
export function nextSyncAt({ schedule, paused }: Schedule, seed: string, after = new Date()): Date | null {
  if (paused === true || typeof schedule !== 'string' || schedule === '') return null;
  const [next, following] = cronOf(schedule).nextRuns(2, after);
  if (!next) return null;
  const interval = following ? following.getTime() - next.getTime() : 0;
  const jitter = Math.min(interval * JITTER_SHARE, MAX_JITTER_MS) * fractionOf(seed);
  return new Date(next.getTime() + Math.floor(jitter));
}

function cronOf(schedule: string): Cron {
  try {
    return new Cron(schedule, { timezone: 'UTC', mode: '5-part' });
  } catch {
    throw invalidSchedule();
  }
}

function invalidSchedule(): Error {
  return invalid(
    'config.schedule',
    'must be a cron expression of five fields, such as 0 3 * * 1, or a name such as @daily',
  );
}

/** A number in [0, 1), uniformly distributed over seeds. */
function fractionOf(seed: string): number {
  return createHash('sha256').update(seed).digest().readUInt32BE(0) / 2 ** 32;
}
