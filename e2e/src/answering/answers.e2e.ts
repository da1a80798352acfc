import { describe } from '@jest/globals';
import { modelOutput } from './answers/model-output.suite.js';
import { prompting } from './answers/prompting.suite.js';
import { streaming } from './answers/streaming.suite.js';
import { supportedAnswers } from './answers/supported-answers.suite.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { modelFixture } from '../deployments/model.deployment.js';

/** Suites that share a deployment. */
const SUITES = {
  streaming,
  'the request to the model': prompting,
  'the output of a model': modelOutput,
  'sentences of an answer': supportedAnswers,
};

describeDeployment('answers of a model', (start) => {
  const fixture = modelFixture(start, {
    CHAT_MODEL: 'model-default',
    MODEL_GPT_3_5_TURBO_16K: 'anthropic:test-chat',
    MODEL_GPT_4: 'mistralai:model-four',
    MODEL_GPT_4_32K: 'ollama:model-large:7b',
    MAX_CONCURRENT_ANSWERS: '2',
    RATE_LIMIT_PER_MINUTE: '0',
  });
  for (const [name, declare] of Object.entries(SUITES)) describe(name, () => declare(fixture));
});
