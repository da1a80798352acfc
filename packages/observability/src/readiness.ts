import type { FullStorage } from './full-storage.js';

/**
 * Checks one dependency. Rejects if the dependency is not usable now, with an error whose `reason` may be shown. May
 * resolve to a warning about a usable dependency.
 */
export type ReadinessCheck = () => Promise<string | void>;

export interface Readiness {
  ready: boolean;
  /** By dependency: `ok`, a warning, or the reason why it is not ready, without addresses and secrets. */
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
    ready: results.every(([, { isReady }]) => isReady),
    checks: {
      ...Object.fromEntries(results.map(([name, { text }]) => [name, text])),
      ...(storage ? { storage: storage.status } : {}),
    },
  };
}

interface Outcome {
  isReady: boolean;
  text: string;
}

async function outcome(check: ReadinessCheck): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ isReady: false, text: 'does not answer' }), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([
      check().then(
        (warning) => ({ isReady: true, text: warning ?? 'ok' }),
        (error: unknown) => ({ isReady: false, text: reasonOf(error) }),
      ),
      timeout,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const reason: unknown = error instanceof Error && 'reason' in error ? error.reason : undefined;
  return typeof reason === 'string' ? reason : 'cannot be reached';
}
