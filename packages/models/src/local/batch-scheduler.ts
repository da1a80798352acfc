/** An input of the model: the ids of its tokens. */
export interface Encoded {
  readonly ids: readonly number[];
  /** 0 for the first text of a pair, 1 for the second. */
  readonly typeIds: readonly number[];
}

/** The inputs of one request. */
export interface Job {
  readonly id: number;
  /** A person waits for the result. */
  readonly isUrgent: boolean;
  readonly inputs: readonly Encoded[];
}

export interface ScheduledBatch<J extends Job> {
  readonly job: J;
  /** Indexes of inputs of the job. */
  readonly indexes: readonly number[];
  /** The last batch of the job. */
  readonly isLast: boolean;
}

/**
 * Divides jobs into batches, and decides which batch is next: urgent jobs first, then jobs in the order of their arrival.
 * Inputs of similar length share a batch, because each is padded to the longest one.
 */
export class BatchScheduler<J extends Job = Job> {
  #waiting: { job: J; batches: number[][] }[] = [];

  /** @param maxTokens per batch, including padding. A longer input has a batch of its own */
  constructor(private readonly maxTokens: number) {}

  add(job: J): void {
    const batches = divide(
      job.inputs.map(({ ids }) => ids.length),
      this.maxTokens,
    );
    this.#waiting.push({ job, batches });
  }

  cancel(id: number): void {
    this.#waiting = this.#waiting.filter(({ job }) => job.id !== id);
  }

  next(): ScheduledBatch<J> | undefined {
    const entry = this.#waiting.find(({ job }) => job.isUrgent) ?? this.#waiting[0];
    const indexes = entry?.batches.shift();
    if (!entry || !indexes) return undefined;
    const isLast = entry.batches.length === 0;
    if (isLast) this.cancel(entry.job.id);
    return { job: entry.job, indexes, isLast };
  }
}

/** @returns the indexes of each batch, shortest inputs first */
function divide(lengths: readonly number[], maxTokens: number): number[][] {
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const index of [...lengths.keys()].sort((a, b) => lengths[a]! - lengths[b]!)) {
    if (batch.length > 0 && (batch.length + 1) * lengths[index]! > maxTokens) {
      batches.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
