/**
 * Named steps at which a test can have the process killed, to see that what was acknowledged survives. A fault
 * is `name` or `name:n`, which kills at the n-th time the step is reached. Without one every call is a no-op.
 */
export class FaultPoints {
  private readonly name: string | undefined;
  private remaining: number;

  constructor(fault: string | undefined) {
    const [name, count] = fault?.split(':') ?? [];
    this.name = name;
    this.remaining = Number(count ?? 1);
  }

  /** Ends the process with SIGKILL if this is the step that a test chose. */
  reach(name: FaultPoint): void {
    if (name !== this.name) return;
    this.remaining -= 1;
    if (this.remaining === 0) process.kill(process.pid, 'SIGKILL');
  }
}

/** Steps of every file's way. */
export const FAULT_POINTS = [
  'after-upload',
  'after-fetch',
  'after-parse',
  'after-write',
  'after-count',
  'after-switch',
  'after-purge-points',
  'after-purge-blobs',
] as const;
/** Steps of a web site's crawl. */
export const CRAWL_FAULT_POINTS = ['after-seeds', 'after-settle', 'before-discovered'] as const;
/** A step that can be chosen. */
export type FaultPoint = (typeof FAULT_POINTS | typeof CRAWL_FAULT_POINTS)[number];
