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

/** How long a refused write counts. Space that was freed is noticed after this time at the latest. */
const REMEMBERED_MS = 60_000;

/** Remembers that a store refused a write because it is full, so that the readiness of the process can tell. */
export class FullStorage {
  private refusedAt = -Infinity;
  private low: string | null = null;
  private release: (() => void) | null = null;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Call it when a store has refused a write because it is full. */
  report(): void {
    this.refusedAt = this.now();
    for (const listener of this.listeners) listener();
  }

  /** Calls the listener at each {@link report}. */
  onReport(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Set by the watcher of a disk. While the disk is low, new content is refused and waiting runs are not started, so that
   * the rest of the space is left to deletions.
   *
   * @param warning how much space is missing; null if there is enough
   */
  setLow(warning: string | null): void {
    // Only when the disk has space again: a quota or another store can be full while this disk has space.
    if (warning === null && this.low !== null) this.refusedAt = -Infinity;
    this.low = warning;
  }

  /** @param makeRoom frees some of the reserved space if the disk has none */
  setReserve(makeRoom: () => void): void {
    this.release = makeRoom;
  }

  /** Call it before a deletion, which writes before it frees space. */
  makeRoom(): void {
    this.release?.();
  }

  get isLow(): boolean {
    return this.low !== null;
  }

  /** Whether the disk is low, or a write was refused in the last minute. */
  get isFull(): boolean {
    return this.isLow || this.now() - this.refusedAt < REMEMBERED_MS;
  }

  /** For readiness: `ok`, or that writes are refused. */
  get status(): string {
    if (!this.isFull) return 'ok';
    return this.low === null ? 'is full, writes are refused' : `is full, writes are refused: ${this.low}`;
  }
}
