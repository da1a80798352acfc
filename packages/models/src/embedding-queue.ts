import { setImmediate } from 'node:timers/promises';
import { type BatchLimits, planBatches } from './embedding-batches.js';
import { ModelError } from './model.error.js';

/** Texts in the first request. */
const FIRST_INPUTS = 16;
/** After a full request that took less time, the next ones have twice as many texts. */
const FAST_MS = 1_500;
/**
 * After a request that took more time, the next ones have half as many texts. Many servers answer one request at a time:
 * a question then waits for those with documents.
 */
const SLOW_MS = 5_000;

export interface EmbeddingQueueOptions extends BatchLimits {
  /** Maximum number of concurrent requests. */
  readonly maxInFlight: number;
  readonly countTokens: (text: string) => number;
}

type EmbedRequest = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

/** One call of {@link EmbeddingQueue.embed}. */
interface Call extends PromiseWithResolvers<Float32Array[]> {
  readonly vectors: Float32Array[];
  /** Texts without a vector. */
  missing: number;
  /** Aborted when the call has failed, or its own signal is aborted. */
  readonly ended: AbortController;
}

interface WaitingText {
  readonly call: Call;
  readonly index: number;
  readonly text: string;
  readonly tokens: number;
}

/**
 * Embeds the texts of concurrent calls in joint requests. Texts that arrive while `maxInFlight` requests are in flight
 * wait, and the next request takes as many as fit. So a single call does not wait, and many small calls fill batches.
 *
 * The number of texts in a request follows the speed of the model: a large model on a laptop embeds a few texts per
 * second, and would not answer full requests in time.
 */
export class EmbeddingQueue {
  private readonly waiting: WaitingText[] = [];
  private inFlight = 0;
  /** Maximum number of texts in the next request. */
  private inputs: number;

  constructor(
    private readonly request: EmbedRequest,
    private readonly options: EmbeddingQueueOptions,
  ) {
    this.inputs = Math.min(FIRST_INPUTS, options.maxInputs);
  }

  /**
   * Returns one vector per text, in order. A failed request is repeated for each of its calls alone, so that one text
   * that the model refuses fails only its call; not after a rate limit, and not if the model answers none of them.
   *
   * @throws the error of `request`, or the reason of the signal
   */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (texts.length === 0) return [];
    const call: Call = {
      ...Promise.withResolvers<Float32Array[]>(),
      vectors: [],
      missing: texts.length,
      ended: new AbortController(),
    };
    const onAbort = (): void => fail(call, signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.waiting.push(
      ...texts.map((text, index) => ({ call, index, text, tokens: this.options.countTokens(text) })),
    );
    // Calls of the same turn of the event loop share requests.
    void setImmediate().then(() => this.sendWaiting());
    return call.promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  private sendWaiting(): void {
    while (this.inFlight < this.options.maxInFlight) {
      const batch = this.nextBatch();
      if (batch.length === 0) return;
      this.inFlight += 1;
      void this.send(batch).then(() => {
        this.inFlight -= 1;
        this.sendWaiting();
      });
    }
  }

  private nextBatch(): WaitingText[] {
    const living = this.waiting.filter(({ call }) => !call.ended.signal.aborted);
    const { to } = planBatches(
      living.map(({ tokens }) => tokens),
      { maxInputs: this.inputs, maxTokens: this.options.maxTokens },
    )[0] ?? { to: 0 };
    this.waiting.splice(0, this.waiting.length, ...living.slice(to));
    return living.slice(0, to);
  }

  private async send(batch: readonly WaitingText[]): Promise<void> {
    const calls = new Set(batch.map(({ call }) => call));
    try {
      await this.embedBatch(batch, whenAllEnded(calls));
    } catch (error) {
      if (calls.size === 1 || isRateLimit(error)) for (const call of calls) fail(call, error);
      else await this.sendApart(batch, calls);
    }
  }

  /** Sends a request for each call, until one of them has been answered or two have failed. */
  private async sendApart(batch: readonly WaitingText[], calls: ReadonlySet<Call>): Promise<void> {
    let failures = 0;
    let isAnswered = false;
    let lastError: unknown;
    for (const call of calls) {
      if (call.ended.signal.aborted) continue;
      if (isRateLimit(lastError) || (failures > 1 && !isAnswered && isTransient(lastError))) {
        fail(call, lastError);
        continue;
      }
      try {
        await this.embedBatch(
          batch.filter((text) => text.call === call),
          call.ended.signal,
        );
        isAnswered = true;
      } catch (error) {
        failures += 1;
        lastError = error;
        fail(call, error);
      }
    }
  }

  private async embedBatch(batch: readonly WaitingText[], signal: AbortSignal): Promise<void> {
    const started = performance.now();
    const adapt = (isAnswered: boolean): void => {
      const request = { sent: batch.length, ms: performance.now() - started, isAnswered };
      this.inputs = nextInputs(this.inputs, this.options.maxInputs, request);
    };
    const texts = batch.map(({ text }) => text);
    const vectors = await this.request(texts, signal).catch((error: unknown) => {
      adapt(false);
      throw error;
    });
    adapt(true);
    for (const [at, { call, index }] of batch.entries()) {
      // `request` returns one vector for each text.
      call.vectors[index] = vectors[at] as Float32Array;
      call.missing -= 1;
      if (call.missing === 0) call.resolve(call.vectors);
    }
  }
}

/** The maximum number of texts in the next request, after one of `sent` texts was answered or has failed. */
export function nextInputs(
  inputs: number,
  most: number,
  { sent, ms, isAnswered }: { sent: number; ms: number; isAnswered: boolean },
): number {
  // Also after a timeout.
  if (ms > SLOW_MS) return Math.max(1, Math.min(inputs, Math.floor(sent / 2)));
  return isAnswered && ms < FAST_MS && sent >= inputs ? Math.min(most, inputs * 2) : inputs;
}

/** The texts of the call are not sent, and its requests are aborted unless other calls share them. */
function fail(call: Call, error: unknown): void {
  call.reject(error);
  call.ended.abort(error);
}

function whenAllEnded(calls: ReadonlySet<Call>): AbortSignal {
  const controller = new AbortController();
  const [only] = calls;
  if (calls.size === 1 && only !== undefined) return only.ended.signal;
  let left = calls.size;
  for (const { ended } of calls) {
    ended.signal.addEventListener('abort', () => {
      left -= 1;
      if (left === 0) controller.abort(ended.signal.reason);
    });
  }
  return controller.signal;
}

function isRateLimit(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'rate-limited';
}

function isTransient(error: unknown): boolean {
  return error instanceof ModelError && error.kind === 'transient';
}
