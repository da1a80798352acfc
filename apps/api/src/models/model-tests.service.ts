import type { ModelTest } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import {
  type ChatModel,
  describePicture,
  type EmbeddingModel,
  ModelError,
  type ModelPicture,
  type RerankModel,
  sentenceForOperator,
} from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ModelUsage, TokenMeter } from './model-usage.service.js';
import { readingModel } from './chosen-chat-models.js';

/** What a model returned in a test. */
type TestResult = Partial<Pick<ModelTest, 'sample' | 'dimensions' | 'scores'>>;

/** How a test has ended. */
export interface TestOutcome {
  readonly shown: ModelTest;
  /** Null if the model answered, or if there was nothing to call. */
  readonly failure: ModelError | null;
}

/** The outcome if there is nothing to call. */
export function untested(message: string): TestOutcome {
  return { shown: { ok: false, durationMs: 0, message, sample: null }, failure: null };
}

/** The field of a choice that most likely is wrong if its model fails. */
export function wrongField({ reason }: ModelError): 'apiKey' | 'model' | 'baseUrl' {
  if (reason === 'key' || reason === 'quota') return 'apiKey';
  return reason === 'not-found' || reason === 'refused' || reason === 'too-long' ? 'model' : 'baseUrl';
}

const TIMEOUT_MS = 15_000;
const CHAT_REQUEST = {
  messages: [{ role: 'user' as const, content: 'Say in one short sentence that you are ready.' }],
};
const MAX_SAMPLE_CHARACTERS = 200;
/** A red square of 64 × 64 pixels. */
const RED_PICTURE: ModelPicture = {
  mimeType: 'image/png',
  file: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsEty/aMYywi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLKp0DxvxLbjwAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/**
 * Sends one short request to a model, reports a failure of the model as a sentence, and counts the test as usage. Errors
 * that are not of the model are thrown. The caller checks who may test the model: those who may choose it.
 */
@Injectable()
export class ModelTests {
  /** For tests. */
  timeoutMs = TIMEOUT_MS;

  constructor(@Inject(ModelUsage) private readonly usage: Pick<ModelUsage, 'count'>) {}

  chat(tenant: TenantScope, model: ChatModel): Promise<TestOutcome> {
    const meter = new TokenMeter();
    const metered = meter.wrap(model);
    const call = (signal: AbortSignal) => sampleOf(metered, signal);
    return readingModel(model, () => this.run(tenant, model.name, call, meter));
  }

  picture(tenant: TenantScope, model: ChatModel): Promise<TestOutcome> {
    const meter = new TokenMeter();
    const metered = meter.wrap(model);
    const call = async (signal: AbortSignal): Promise<TestResult> => {
      const { text } = await describePicture(metered, RED_PICTURE, signal);
      return { sample: shortened(text) };
    };
    return this.run(tenant, model.name, call, meter);
  }

  /** @param name of the model at its provider */
  async run(
    tenant: TenantScope,
    name: string,
    call: (signal: AbortSignal) => Promise<TestResult>,
    meter = new TokenMeter(),
  ): Promise<TestOutcome> {
    const { timeoutMs } = this;
    const controller = new AbortController();
    const late = new ModelError('transient', `The model did not answer within ${timeoutMs / 1_000} s.`);
    const timer = setTimeout(() => controller.abort(late), timeoutMs);
    const started = performance.now();
    const shown = (ok: boolean, message: string, { sample, ...figures }: TestResult = {}): ModelTest => ({
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
      return { shown: shown(true, 'The model answered.', returned), failure: null };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      return { shown: shown(false, sentenceForOperator(error)), failure: error };
    } finally {
      clearTimeout(timer);
      await this.usage.count({ tenant, agentId: null, model: name, isCharged }, meter);
    }
  }
}

/** Embeds a short text. @throws ModelError */
export async function dimensionsOf(model: EmbeddingModel, signal: AbortSignal): Promise<TestResult> {
  const [vector] = await model.embed(['test'], { kind: 'query', signal });
  return { dimensions: vector?.length ?? 0 };
}

/** Scores a passage that answers a question, and one that does not. @throws ModelError */
export async function scoresOf(model: RerankModel, signal: AbortSignal): Promise<TestResult> {
  const passages = ['The library opens at nine in the morning.', 'Bananas are yellow.'];
  return { scores: await model.rerank('When does the library open?', passages, { signal }) };
}

/** What a model answers to a short request, at most 200 characters. @throws ModelError */
async function sampleOf(model: ChatModel, signal: AbortSignal): Promise<TestResult> {
  let sample = '';
  for await (const event of model.stream(CHAT_REQUEST, { signal })) {
    if ('text' in event) sample += event.text;
    if (sample.length >= MAX_SAMPLE_CHARACTERS) break;
  }
  return { sample: shortened(sample) };
}

function shortened(text: string): string {
  return text.slice(0, MAX_SAMPLE_CHARACTERS).toWellFormed().trim();
}
