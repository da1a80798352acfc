import type { ModelCall, OnModelCall } from './model-call.js';
import { ModelError } from './model.error.js';

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
