import type { FullStorage } from './full-storage.js';

/** Checks one dependency. Rejects if the dependency is not usable now. */
export type ReadinessCheck = () => Promise<void>;

export interface Readiness {
  ready: boolean;
  /** By dependency: `ok`, or the reason why it is not ready, without addresses and secrets. */
  checks: Record<string, string>;
}

const CHECK_TIMEOUT_MS = 3_000;

/**
 * Checks all dependencies concurrently, each with a timeout of three seconds.
 *
 * @param storage if given, it is reported as the check `storage`. A process with full storage is ready, because it
 * still answers questions.
 */
export async function checkReadiness(
  checks: Readonly<Record<string, ReadinessCheck>>,
  storage?: FullStorage,
): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await outcome(check)] as const),
  );
  return {
    ready: results.every(([, result]) => result === 'ok'),
    checks: {
      ...Object.fromEntries(results),
      ...(storage ? { storage: storage.remark } : {}),
    },
  };
}

async function outcome(check: ReadinessCheck): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('does not answer'), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([
      check().then(
        () => 'ok',
        () => 'cannot be reached',
      ),
      timeout,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
