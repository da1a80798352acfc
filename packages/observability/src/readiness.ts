/** Asks one dependency whether it can be used now; throws when not. */
export type ReadinessCheck = () => Promise<void>;

export interface Readiness {
  ready: boolean;
  /** `ok`, or why not; no addresses and no secrets. */
  checks: Record<string, string>;
}

const CHECK_TIMEOUT_MS = 3_000;

/** Asks all dependencies at once; each has three seconds. */
export async function checkReadiness(checks: Readonly<Record<string, ReadinessCheck>>): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await outcome(check)] as const),
  );
  return {
    ready: results.every(([, result]) => result === 'ok'),
    checks: Object.fromEntries(results),
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
