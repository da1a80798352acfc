// The process of a local model: runs the requests of its parent one batch at a time, and ends with its parent.
import { constants, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { BatchScheduler, type Encoded, type Job } from './batch-scheduler.js';
import { type Prompts, readModelFiles } from './model-files.js';
import type { ModelProcessOptions, ModelReply, ModelRequest } from './model-process.js';
import { OnnxModel } from './onnx-model.js';
import { loadRuntime } from './runtime-packages.js';

/** A question waits for one batch at most. Batches of 1,024 tokens embed 15 % more texts per second on two cores. */
const MAX_BATCH_TOKENS = 128;

type Result = Float32Array | number;
/** A request and the results that it has so far. */
interface RunningJob extends Job {
  readonly isScoring: boolean;
  readonly results: Result[];
}

const scheduler = new BatchScheduler<RunningJob>(MAX_BATCH_TOKENS);
let isRunning = false;

process.on('disconnect', () => process.exit());
// API requests are served first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  const { runtime, directory, name } = JSON.parse(process.argv[2] ?? '') as ModelProcessOptions;
  const files = await readModelFiles(directory, name);
  const { fingerprint, maxTokens, prompts } = files;
  const model = await OnnxModel.load(files, loadRuntime(runtime));
  process.on('message', (request: ModelRequest) => {
    if ('cancel' in request) return scheduler.cancel(request.id);
    try {
      scheduler.add(toJob(request, model, prompts));
    } catch (error) {
      return reply({ id: request.id, error: messageOf(error) });
    }
    void runBatches(model);
  });
  reply({ ready: { fingerprint, maxTokens } });
} catch (error) {
  reply({ failed: messageOf(error) });
}

function toJob(
  request: Exclude<ModelRequest, { cancel: true }>,
  model: OnnxModel,
  prompts: Prompts,
): RunningJob {
  const { id } = request;
  if ('score' in request) {
    const inputs = request.score.map((text) => model.encode(request.question, text));
    return { id, isUrgent: true, isScoring: true, inputs, results: [] };
  }
  const prompt = prompts[request.kind];
  const inputs = request.embed.map((text) => model.encode(prompt + text));
  return { id, isUrgent: request.kind === 'query', isScoring: false, inputs, results: [] };
}

async function runBatches(model: OnnxModel): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  for (let batch = scheduler.next(); batch; batch = scheduler.next()) {
    const { job, indexes, isLast } = batch;
    const inputs = indexes.map((index) => job.inputs[index]!);
    try {
      const results = job.isScoring ? await model.score(inputs) : await model.embed(inputs);
      for (const [at, index] of indexes.entries()) job.results[index] = results[at]!;
      if (isLast) reply(toReply(job));
    } catch (error) {
      scheduler.cancel(job.id);
      reply({ id: job.id, error: messageOf(error) });
    }
    // Messages that arrived during the batch.
    await setImmediate();
  }
  isRunning = false;
}

function toReply({ id, isScoring, results, inputs }: RunningJob): ModelReply {
  const tokens = inputs.reduce((sum, { ids }: Encoded) => sum + ids.length, 0);
  return isScoring
    ? { id, scores: results as number[], tokens }
    : { id, vectors: results as Float32Array[], tokens };
}

function reply(message: ModelReply): void {
  // Fails if the parent has ended.
  process.send?.(message, undefined, undefined, () => undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
