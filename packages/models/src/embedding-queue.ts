import { setImmediate } from 'node:timers/promises';
import { type BatchLimits, planBatches } from './embedding-batches.js';
import { ModelError, ProviderFailure } from './model.error.js';

const INTERNAL_SERVER_ERROR = 500;

/** Texts in the first request. */
const FIRST_INPUTS = 16;
/** After a full request that took less time, the next ones have twice as many texts. */
const FAST_MS = 1_500;
/**
 * After a request that took more time, the next ones have half as many texts. Many servers answer one request at a time:
 * a question then waits for those with documents.
 */
const SLOW_MS = 5_000;
/** A text that every model embeds: it tells whether a refusal is about the texts of the request. */
const HARMLESS_TEXT = 'text';

export interface EmbeddingQueueOptions {
  /** Shared by the queues of a model. What the server refuses lowers them. */
  readonly limits: BatchLimits;
  /** Maximum number of concurrent requests. */
  readonly maxInFlight: number;
  readonly countTokens: (text: string) => number;
}

/** Is told which text a model refuses, and why. */
export type OnRefusedText = (index: number, error: ModelError) => void;

type EmbedRequest = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

/** One call of {@link EmbeddingQueue.embed}. */
interface Call extends PromiseWithResolvers<Float32Array[]> {
  readonly vectors: Float32Array[];
  readonly onRefusedText: OnRefusedText | undefined;
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
 *
 * A request that the server refuses is repeated in halves, down to one text, if the server embeds another text meanwhile.
 * Otherwise the model is at fault, and all calls of the request fail.
 */
export class EmbeddingQueue {
  private readonly waiting: WaitingText[] = [];
  private inFlight = 0;
  /** Maximum number of texts in the next request. */
  private inputs = FIRST_INPUTS;

  constructor(
    private readonly request: EmbedRequest,
    private readonly options: EmbeddingQueueOptions,
  ) {}

  /**
   * Returns one vector per text, in order. With `onRefusedText`, the vector of a text that the model refuses is empty.
   * Without it, such a text fails its call.
   *
   * @throws the error of `request`, or the reason of the signal
   */
  async embed(
    texts: readonly string[],
    signal: AbortSignal,
    onRefusedText?: OnRefusedText,
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (texts.length === 0) return [];
    const call: Call = {
      ...Promise.withResolvers<Float32Array[]>(),
      vectors: [],
      onRefusedText,
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
    const living = this.waiting.filter(isWanted);
    const { maxInputs, maxTokens } = this.options.limits;
    const { to } = planBatches(
      living.map(({ tokens }) => tokens),
      { maxInputs: Math.min(this.inputs, maxInputs), maxTokens },
    )[0] ?? { to: 0 };
    this.waiting.splice(0, this.waiting.length, ...living.slice(to));
    return living.slice(0, to);
  }

  /** Never rejects: a failure is that of the calls. */
  private async send(batch: readonly WaitingText[]): Promise<void> {
    try {
      await this.embedBatch(batch);
    } catch (error) {
      const failure = isAboutTexts(error) ? await this.whyNotSplit(batch, error) : error;
      if (failure === null) await this.split(batch, error as ModelError);
      else failAll(batch, failure);
    }
  }

  /** @returns null if the server embeds another text, and so refuses those of the batch */
  private async whyNotSplit(batch: readonly WaitingText[], error: ModelError): Promise<unknown> {
    if (batch.length === 1 && !isRefusal(error)) return error;
    try {
      await this.request([HARMLESS_TEXT], whenAllEnded(batch));
      return null;
    } catch (other) {
      return isAboutTexts(other) ? error : other;
    }
  }

  /**
   * Sends a refused batch in halves. The model is known to work.
   *
   * @returns whether all texts of the batch have vectors
   */
  private async split(batch: readonly WaitingText[], error: ModelError): Promise<boolean> {
    const [only] = batch;
    if (only !== undefined && batch.length === 1) return this.sendAlone(only, error);
    const middle = Math.ceil(batch.length / 2);
    const halves = [batch.slice(0, middle), batch.slice(middle)];
    let areComplete = true;
    for (const half of halves) areComplete = (await this.sendHalf(half)) && areComplete;
    // No text was refused, so there were too many of them.
    const { limits } = this.options;
    if (areComplete && isDefinite(error)) limits.maxInputs = Math.min(limits.maxInputs, middle);
    return areComplete;
  }

  private async sendHalf(half: readonly WaitingText[]): Promise<boolean> {
    const wanted = half.filter(isWanted);
    if (wanted.length === 0) return false;
    try {
      await this.embedBatch(wanted);
      return true;
    } catch (error) {
      if (isAboutTexts(error) && (wanted.length > 1 || isRefusal(error))) return this.split(wanted, error);
      failAll(wanted, error);
      return false;
    }
  }

  /** The text is refused. A failure that may have another reason has to occur twice. */
  private async sendAlone(one: WaitingText, first: ModelError): Promise<boolean> {
    let error = first;
    if (!isDefinite(first)) {
      try {
        await this.embedBatch([one]);
        return true;
      } catch (second) {
        if (!isRefusal(second)) {
          failAll([one], second);
          return false;
        }
        error = second;
      }
    }
    const { call, index } = one;
    if (call.onRefusedText === undefined) fail(call, error);
    else {
      call.onRefusedText(index, error);
      take(one, new Float32Array());
    }
    return false;
  }

  private async embedBatch(batch: readonly WaitingText[]): Promise<void> {
    const started = performance.now();
    const adapt = (isAnswered: boolean): void => {
      const request = { sent: batch.length, ms: performance.now() - started, isAnswered };
      this.inputs = nextInputs(this.inputs, this.options.limits.maxInputs, request);
    };
    const texts = batch.map(({ text }) => text);
    const vectors = await this.request(texts, whenAllEnded(batch)).catch((error: unknown) => {
      adapt(false);
      throw error;
    });
    adapt(true);
    // `request` returns one vector for each text.
    for (const [at, one] of batch.entries()) take(one, vectors[at] as Float32Array);
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

function isWanted({ call }: WaitingText): boolean {
  return !call.ended.signal.aborted;
}

function take({ call, index }: WaitingText, vector: Float32Array): void {
  call.vectors[index] = vector;
  call.missing -= 1;
  if (call.missing === 0) call.resolve(call.vectors);
}

function failAll(batch: readonly WaitingText[], error: unknown): void {
  for (const call of new Set(batch.map((one) => one.call))) fail(call, error);
}

/** The texts of the call are not sent, and its requests are aborted unless other calls share them. */
function fail(call: Call, error: unknown): void {
  call.reject(error);
  call.ended.abort(error);
}

function whenAllEnded(batch: readonly WaitingText[]): AbortSignal {
  const calls = new Set(batch.map(({ call }) => call));
  const controller = new AbortController();
  const [only] = calls;
  if (calls.size === 1 && only !== undefined) return only.ended.signal;
  let left = calls.size;
  for (const { ended } of calls) {
    const onEnd = (): void => {
      left -= 1;
      if (left === 0) controller.abort(ended.signal.reason);
    };
    if (ended.signal.aborted) onEnd();
    else ended.signal.addEventListener('abort', onEnd);
  }
  return controller.signal;
}

/** Whether other texts may succeed: the server has answered, or closed the connection. A rate limit holds for all texts. */
function isAboutTexts(error: unknown): error is ModelError {
  if (!(error instanceof ModelError) || error.kind === 'rate-limited') return false;
  return isDefinite(error) || error.cause instanceof ProviderFailure;
}

/**
 * Whether the server refuses the texts of a request: with a status of 4xx, with a response that has not one usable vector for
 * each text, or with a status of 500, which Ollama sends for a vector that is not a number.
 */
function isRefusal(error: unknown): error is ModelError {
  if (!(error instanceof ModelError)) return false;
  return isDefinite(error) || statusOf(error) === INTERNAL_SERVER_ERROR;
}

/** Whether the same request fails again. Errors without a reason, such as vectors of another length, are about the model. */
function isDefinite({ kind, reason }: ModelError): boolean {
  return (kind === 'permanent' && reason !== undefined) || reason === 'malformed';
}

function statusOf({ cause }: ModelError): number | undefined {
  return cause instanceof ProviderFailure ? cause.status : undefined;
}
