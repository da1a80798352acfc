import type { Datasource } from '@citewell/contracts';
import { CitewellError } from '../citewell-error.js';
import { Deadline, pause } from '../http/deadline.js';

const DEFAULT_TIMEOUT_MS = 10 * 60_000;
const FIRST_INTERVAL_MS = 200;
/** With this interval, one key can watch about 20 datasources within the default rate limit. */
const MAX_INTERVAL_MS = 2_000;
const INTERVAL_GROWTH = 1.4;

export interface WaitOptions {
  /** Timeout of the whole wait in milliseconds, default ten minutes. `Infinity` means no limit. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called with every changed state of the datasource. An exception ends the wait. */
  onProgress?: ((datasource: Datasource) => void) | undefined;
}

/**
 * Polls a datasource, with a growing interval, until no run is in progress.
 *
 * @param fetchDatasource one poll
 * @returns the datasource with status `synched`. The code of its `error` may be `PARTIAL`.
 * @throws {@link DatasourceFailedError} if the run ends with another status; `CitewellError` `TIMEOUT`; every
 * error of `fetchDatasource`
 */
export async function watchUntilSynched(
  fetchDatasource: (signal: AbortSignal) => Promise<Datasource>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, signal, onProgress }: WaitOptions = {},
): Promise<Datasource> {
  const deadline = new Deadline(timeoutMs, signal, {
    timeout: `The datasource is not synched after ${timeoutMs / 1_000} s.`,
    network: 'The connection was interrupted.',
  });
  const withDeadline = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw deadline.toCallerError(error);
    });
  let lastState = '';
  let intervalMs = FIRST_INTERVAL_MS;
  try {
    for (;;) {
      const datasource = await withDeadline(fetchDatasource(deadline.signal));
      const state = JSON.stringify(datasource);
      if (state !== lastState) onProgress?.(datasource);
      lastState = state;
      if (hasEnded(datasource)) {
        if (datasource.status === 'synched') return datasource;
        throw new DatasourceFailedError(datasource);
      }
      await withDeadline(pause(intervalMs, deadline.signal));
      intervalMs = Math.min(MAX_INTERVAL_MS, intervalMs * INTERVAL_GROWTH);
    }
  } finally {
    deadline.release();
  }
}

/**
 * `progress` is null when no run is in progress. A datasource that is `unsynched` without an error waits for
 * its first run; with an error, its first run was cancelled.
 */
function hasEnded({ status, progress, error }: Datasource): boolean {
  if (progress !== null || status === 'running') return false;
  return status !== 'unsynched' || error !== null;
}

/**
 * The run of a datasource ended, and its status is not `synched`. `code` and `message` are from its `error`.
 */
export class DatasourceFailedError extends CitewellError {
  constructor(readonly datasource: Datasource) {
    super(
      datasource.error?.code ?? datasource.status.toUpperCase(),
      datasource.error?.message ?? `The datasource is not synched. Its status is ${datasource.status}.`,
    );
    this.name = 'DatasourceFailedError';
  }
}
