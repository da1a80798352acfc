import { ModelError, type ModelErrorKind } from './model.error.js';

/** A request to a provider that has ended. */
export interface ModelCall {
  readonly kind: 'chat' | 'embedding' | 'rerank';
  /** `aborted` is the caller's decision: by its signal, or because it stopped reading. */
  readonly outcome: 'done' | 'aborted' | ModelErrorKind;
  /** For a chat model, includes the time that the caller needs to consume the answer. */
  readonly seconds: number;
  /** Tokens that the provider has reported; 0 if it reports none. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly failure?: ModelError | undefined;
}

/** Is called once for each request to a provider, when the request has ended. */
export type OnModelCall = (call: ModelCall) => void;

/**
 * Runs a request to a model, and reports its outcome, duration and input tokens.
 *
 * @param signal of the caller: a request that fails after its abort was aborted
 * @param request rejects with a ModelError, or with the reason of the signal
 */
export async function countCall<Result>(
  kind: ModelCall['kind'],
  { onCall, signal }: { onCall: OnModelCall | undefined; signal: AbortSignal },
  request: () => Promise<Result>,
  tokensOf: (result: Result) => number,
): Promise<Result> {
  const started = performance.now();
  const report = (
    outcome: ModelCall['outcome'],
    { inputTokens = 0, failure }: Partial<Pick<ModelCall, 'inputTokens' | 'failure'>>,
  ): void => {
    const seconds = (performance.now() - started) / 1_000;
    onCall?.({ kind, outcome, seconds, inputTokens, outputTokens: 0, failure });
  };
  try {
    const result = await request();
    report('done', { inputTokens: tokensOf(result) });
    return result;
  } catch (error) {
    const failure = error instanceof ModelError && !signal.aborted ? error : undefined;
    report(failure?.kind ?? 'aborted', { failure });
    throw error;
  }
}
