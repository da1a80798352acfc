import type { BatchPayload } from '@citewell/contracts/jobs';
import { newId } from '../../connection/new-id.js';

/** Most runs of a batch while another organization waits for the same stage. */
export const SHORT_BATCH_RUNS = 8;
/** Size of the runs of a batch together: bytes of their content, or characters of their texts. */
export const MAX_BATCH_SIZE = 128_000;

/** A pending run, and what decides with which others it is delivered. */
export interface PendingRun {
  readonly organizationId: string;
  /** Batches of the organization and stage that are in flight. */
  readonly batchesInFlight: number;
  readonly datasourceId: string;
  readonly runId: string;
  /** Of its last delivery. */
  readonly delivery: number;
  /** Null unless the run is small; see {@link MAX_BATCH_SIZE}. */
  readonly size: number | null;
  readonly failures: number;
  readonly crashes: number;
}

/** Runs that one job delivers to a worker. A batch takes one slot of the worker. */
export interface Batch extends BatchPayload {
  readonly id: string;
  /** The queue's: 1 for the first batch that its organization has in flight, 2 for the second, and so on. */
  readonly priority: number;
}

/** A batch that is not claimed yet. */
export type PlannedBatch = Pick<Batch, 'id' | 'organizationId' | 'priority'> & {
  readonly runs: readonly Pick<PendingRun, 'runId' | 'delivery'>[];
};

/**
 * Divides pending runs into batches, and chooses those that are delivered next: organizations take turns by batches. A
 * batch never has two runs of one datasource. Runs that are not small, or that have failed or crashed, are alone in theirs.
 *
 * A small run that has crashed is a suspect: it crashed its worker, or was beside the run that did. At most one suspect is
 * returned, so that the one that crashes its worker again does so without the others.
 *
 * @param pending runs of an organization in the order in which they are delivered
 * @param limits.batches that are returned
 * @param limits.runs of a batch
 * @param limits.perOrganization batches in flight, with those that are returned
 * @param limits.suspects 0 while one of the stage is in flight
 */
export function formBatches(
  pending: readonly PendingRun[],
  limits: {
    readonly batches: number;
    readonly runs: number;
    readonly perOrganization: number;
    readonly suspects: 0 | 1;
  },
): PlannedBatch[] {
  const suspects = pending.filter(({ size, crashes }) => size !== null && crashes > 0);
  const postponed = new Set(suspects.slice(limits.suspects));
  const claimable = pending.filter((run) => !postponed.has(run));
  const organizations = [...Map.groupBy(claimable, ({ organizationId }) => organizationId).entries()];
  const batches = organizations.flatMap(([organizationId, runs]) => {
    const inFlight = runs[0]?.batchesInFlight ?? 0;
    return divide(runs, limits.runs).map((batch, index) => ({
      id: newId(),
      organizationId,
      priority: inFlight + index + 1,
      runs: batch,
    }));
  });
  return batches
    .filter(({ priority }) => priority <= limits.perOrganization)
    .toSorted((a, b) => a.priority - b.priority)
    .slice(0, limits.batches);
}

function divide(runs: readonly PendingRun[], maxRuns: number): PendingRun[][] {
  const batches: PendingRun[][] = [];
  let open: { runs: PendingRun[]; size: number } | null = null;
  for (const run of runs) {
    if (run.size === null || run.failures + run.crashes > 0) {
      batches.push([run]);
    } else if (
      open !== null &&
      open.runs.length < maxRuns &&
      open.size + run.size <= MAX_BATCH_SIZE &&
      !open.runs.some(({ datasourceId }) => datasourceId === run.datasourceId)
    ) {
      open.runs.push(run);
      open.size += run.size;
    } else {
      open = { runs: [run], size: run.size };
      batches.push(open.runs);
    }
  }
  return batches;
}
