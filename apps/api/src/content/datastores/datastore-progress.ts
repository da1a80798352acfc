import type { DatastoreProgress } from '@citewell/contracts/schemas';
import type { ProgressCounts } from '@citewell/database';

const SECONDS_PER_MINUTE = 60;

/** The progress of a datastore, and the remaining time at its speed of the last minutes. */
export function toProgress({ counts, recent, recentSeconds }: ProgressCounts): DatastoreProgress {
  const { unsynched = 0, running = 0, synched = 0, error = 0, usage_limit_reached = 0 } = counts;
  const left = unsynched + running;
  // The time since the first one is that of those after it.
  const perSecond = recent > 1 && recentSeconds > 0 ? (recent - 1) / recentSeconds : null;
  return {
    total: left + synched + error + usage_limit_reached,
    statuses: { unsynched, running, synched, error, usage_limit_reached },
    documentsPerMinute: perSecond === null ? null : Math.round(perSecond * SECONDS_PER_MINUTE * 10) / 10,
    etaSeconds: etaSeconds(left, perSecond),
  };
}

function etaSeconds(left: number, perSecond: number | null): number | null {
  if (left === 0) return 0;
  return perSecond === null ? null : Math.ceil(left / perSecond);
}
