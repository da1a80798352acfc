/** Named points at which a test can end the process, to verify that acknowledged data survives a crash. */
export class FaultPoints {
  private readonly name: string | undefined;
  private readonly how: string | undefined;
  private readonly document: string | undefined;
  private remaining: number;

  /**
   * @param fault `name`, or `name:n` to kill the process when it reaches the point for the n-th time.
   * `name:n:throw` throws an error that nobody catches, and `name:n:block` blocks the event loop for ever.
   * `name@document` does so whenever the document of this name reaches the point. If undefined, {@link reach} does nothing.
   */
  constructor(fault: string | undefined) {
    const [point, document] = fault?.split('@') ?? [];
    const [name, count, how] = point?.split(':') ?? [];
    this.document = document;
    this.name = name;
    this.remaining = Number(count ?? 1);
    this.how = how;
  }

  /**
   * If the test chose this point: kills the process with SIGKILL, throws outside of every request and job, or never returns.
   */
  reach(name: FaultPoint, document?: string | null): void {
    if (name !== this.name || (this.document !== undefined && this.document !== document)) return;
    this.remaining -= 1;
    if (this.document === undefined && this.remaining !== 0) return;
    if (this.how === 'block') for (;;);
    if (this.how !== 'throw') process.kill(process.pid, 'SIGKILL');
    setImmediate(() => {
      throw new Error('The fault of a test.');
    });
  }
}

/** Fault points of the ingestion of every file. */
export const FAULT_POINTS = [
  'after-create',
  'after-fetch',
  'after-parse',
  'after-write',
  'after-count',
  'after-switch',
  'after-purge-points',
  'after-purge-blobs',
] as const;
/** Fault points of the crawl of a web site. */
export const CRAWL_FAULT_POINTS = ['after-seeds', 'after-record', 'before-finish'] as const;
/** Fault points of the unpacking of an archive. */
const ARCHIVE_FAULT_POINTS = ['after-unpack'] as const;
/** Fault points of the recognition of a scan. */
const RECOGNITION_FAULT_POINTS = ['after-page', 'after-description'] as const;
/** Where a sync of a source can be killed. */
export const SOURCE_FAULT_POINTS = [
  'after-source-page',
  'after-source-fetch',
  'before-source-finish',
] as const;
/** Fault points of an answer. */
const ANSWER_FAULT_POINTS = ['before-answer'] as const;
/** The name of a fault point. */
export type FaultPoint = (
  | typeof FAULT_POINTS
  | typeof CRAWL_FAULT_POINTS
  | typeof ARCHIVE_FAULT_POINTS
  | typeof RECOGNITION_FAULT_POINTS
  | typeof SOURCE_FAULT_POINTS
  | typeof ANSWER_FAULT_POINTS
)[number];
