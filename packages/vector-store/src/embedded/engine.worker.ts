import { parentPort, workerData } from 'node:worker_threads';
import { VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import { EmbeddedEngine } from './embedded-engine.js';
import type { EngineOptions, EngineRequest, EngineResponse } from './engine.protocol.js';
import { isTransientEngineError } from './engine-errors.js';
import { openStorage } from './storage.schema.js';
import { StepScheduler } from './step-scheduler.js';

// The thread is started by `EngineThread` alone, which passes exactly this.
const { directory, maxIndexBytes } = workerData as EngineOptions;
const scheduler = new StepScheduler();
let engine: EmbeddedEngine | undefined;

/** Opened by the first request, so that a failure is that request's answer and the next one tries again. */
function openEngine(): EmbeddedEngine {
  engine ??= new EmbeddedEngine(() => openStorage(directory), maxIndexBytes);
  return engine;
}

function run({ operation, argument }: EngineRequest): Promise<unknown> {
  const opened = openEngine();
  switch (operation) {
    case 'search':
      return scheduler.read(opened.search(argument));
    case 'count':
      return scheduler.read(() => opened.count(argument));
    case 'fetchVectors':
      return scheduler.read(() => opened.fetchVectors(argument));
    case 'scanRuns':
      return scheduler.read(() => opened.scanRuns(argument));
    case 'listSpaces':
      return scheduler.read(() => opened.listSpaces());
    case 'ping':
      return scheduler.read(() => opened.ping());
    case 'ensureSpace':
      return scheduler.write(() => opened.ensureSpace(argument));
    case 'dropSpace':
      return scheduler.write(opened.dropSpace(argument));
    case 'upsert':
      return scheduler.write(opened.upsert(argument));
    case 'deleteRun':
      return scheduler.write(opened.deleteRun(argument));
    case 'deleteDatasource':
      return scheduler.write(opened.deleteDatasource(argument));
    case 'deleteDatastore':
      return scheduler.write(opened.deleteDatastore(argument));
    case 'close':
      return scheduler.whenIdle().then(() => opened.close());
  }
}

async function answer(request: EngineRequest): Promise<EngineResponse> {
  const { id } = request;
  try {
    // The switch of `run` ties each operation to its answer's type; here they are one union.
    return { id, ok: true, answer: (await run(request)) as never };
  } catch (error) {
    const transient = error instanceof VectorStoreUnavailableError || isTransientEngineError(error);
    const message = error instanceof Error ? error.message : String(error);
    return {
      id,
      ok: false,
      transient,
      message,
      cause: error instanceof VectorStoreError ? undefined : error,
    };
  }
}

parentPort?.on('message', (request: EngineRequest) => {
  void answer(request).then((response) => {
    parentPort?.postMessage(response);
    if (request.operation === 'close' && response.ok) parentPort?.close();
  });
});
