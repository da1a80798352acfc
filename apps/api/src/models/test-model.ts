import type { ModelTest } from '@citewell/contracts/schemas';
import { ModelError, sentenceForOperator } from '@citewell/models';

/** What a model returned in a test. */
export type TestResult = Partial<Pick<ModelTest, 'sample' | 'dimensions' | 'scores'>>;

/** The result if there is nothing to call. */
export function untested(message: string): ModelTest {
  return { ok: false, durationMs: 0, message, sample: null };
}

const TIMEOUT_MS = 15_000;

/**
 * Calls a model, and reports a failure of the model as a sentence.
 *
 * @param call returns what the model returned
 * @throws every other error
 */
export async function testModel(
  call: (signal: AbortSignal) => Promise<TestResult>,
  timeoutMs = TIMEOUT_MS,
): Promise<ModelTest> {
  const controller = new AbortController();
  const late = new ModelError('transient', `The model did not answer within ${timeoutMs / 1_000} s.`);
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  const started = performance.now();
  const result = (ok: boolean, message: string, { sample, ...figures }: TestResult = {}): ModelTest => ({
    ok,
    durationMs: Math.round(performance.now() - started),
    message,
    sample: sample || null,
    ...figures,
  });
  try {
    const returned = await call(controller.signal);
    return result(true, 'The model answered.', returned);
  } catch (error) {
    if (error instanceof ModelError) return result(false, sentenceForOperator(error));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
