import type { ModelTest } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { type ChatModel, ModelError, sentenceForOperator } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ModelUsage, TokenMeter } from './model-usage.service.js';
import { readingModel } from './chosen-chat-models.js';
import { sampleOf } from './sample.js';

/** What a model returned in a test. */
type TestResult = Partial<Pick<ModelTest, 'sample' | 'dimensions' | 'scores'>>;

/** The result if there is nothing to call. */
export function untested(message: string): ModelTest {
  return { ok: false, durationMs: 0, message, sample: null };
}

const TIMEOUT_MS = 15_000;

/**
 * Sends one short request to a model, reports a failure of the model as a sentence, and counts the test as usage. Errors
 * that are not of the model are thrown. The caller checks who may test the model: those who may choose it.
 */
@Injectable()
export class ModelTests {
  /** For tests. */
  timeoutMs = TIMEOUT_MS;

  constructor(@Inject(ModelUsage) private readonly usage: Pick<ModelUsage, 'count'>) {}

  chat(tenant: TenantScope, model: ChatModel): Promise<ModelTest> {
    const meter = new TokenMeter();
    const metered = meter.wrap(model);
    const call = async (signal: AbortSignal) => ({ sample: await sampleOf(metered, signal) });
    return readingModel(model, () => this.run(tenant, model.name, call, meter));
  }

  /** @param name of the model at its provider */
  async run(
    tenant: TenantScope,
    name: string,
    call: (signal: AbortSignal) => Promise<TestResult>,
    meter = new TokenMeter(),
  ): Promise<ModelTest> {
    const { timeoutMs } = this;
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
    let isCharged = false;
    try {
      const returned = await call(controller.signal);
      isCharged = true;
      return result(true, 'The model answered.', returned);
    } catch (error) {
      if (error instanceof ModelError) return result(false, sentenceForOperator(error));
      throw error;
    } finally {
      clearTimeout(timer);
      await this.usage.count({ tenant, agentId: null, model: name, isCharged }, meter);
    }
  }
}
