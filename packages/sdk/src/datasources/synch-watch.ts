import { Deadline } from '../http/deadline.js';
import { pause } from '../http/pause.js';
import type { Datasource } from '../wire.types.js';
import { DatasourceFailedError } from './datasource-failed-error.js';

const DEFAULT_TIMEOUT_MS = 10 * 60_000;
const FIRST_INTERVAL_MS = 200;
/** At this pace some 20 datasources can be waited for at once within the default limit of requests a minute. */
const MAX_INTERVAL_MS = 2_000;
const INTERVAL_GROWTH = 1.4;

export interface WaitOptions {
  /** How long to wait in all, in milliseconds, default ten minutes. `Infinity` is no limit. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with every look that shows something new. What it throws ends the wait. */
  onProgress?: ((datasource: Datasource) => void) | undefined;
}

/**
 * Looks at a datasource, less and less often, until nothing is under way any more.
 *
 * @param look fetches it
 * @returns the datasource, `synched`; its `error` may still say `PARTIAL`
 * @throws {@link DatasourceFailedError} when it ended otherwise; `CitewellError` `TIMEOUT`, and what `look` throws
 */
export async function watchUntilSynched(
  look: (signal: AbortSignal) => Promise<Datasource>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, signal, onProgress }: WaitOptions = {},
): Promise<Datasource> {
  const deadline = new Deadline(
    timeoutMs,
    signal,
    `The datasource is not synched after ${timeoutMs / 1_000} s.`,
  );
  const within = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw deadline.explain(error);
    });
  let seen = '';
  let intervalMs = FIRST_INTERVAL_MS;
  try {
    for (;;) {
      const datasource = await within(look(deadline.signal));
      const state = JSON.stringify(datasource);
      if (state !== seen) onProgress?.(datasource);
      seen = state;
      if (hasEnded(datasource)) {
        if (datasource.status === 'synched') return datasource;
        throw new DatasourceFailedError(datasource);
      }
      await within(pause(intervalMs, deadline.signal));
      intervalMs = Math.min(MAX_INTERVAL_MS, intervalMs * INTERVAL_GROWTH);
    }
  } finally {
    deadline.release();
  }
}

/** `progress` is null when no run is under way; one that was never tried is still waiting, unless it was cancelled. */
function hasEnded({ status, progress, error }: Datasource): boolean {
  if (progress !== null || status === 'running') return false;
  return status !== 'unsynched' || error !== null;
}
