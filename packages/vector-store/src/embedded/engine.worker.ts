import { parentPort, workerData } from 'node:worker_threads';
import { VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import { EmbeddedEngine } from './embedded-engine.js';
import type { EngineOptions, EngineRequest, EngineResponse } from './engine.protocol.js';
import { isTransientEngineError } from './engine-errors.js';
import { openStorage } from './storage.schema.js';
import { StepScheduler } from './step-scheduler.js';

// Only `EngineThread` starts this thread, so the cast is safe.
const { directory, maxIndexBytes } = workerData as EngineOptions;
const scheduler = new StepScheduler();
let engine: EmbeddedEngine | undefined;

/** Opens the engine with the first request, which reports a failure. The next request then tries again. */
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

async function respond(request: EngineRequest): Promise<EngineResponse> {
  const { id } = request;
  try {
    // `run` returns the result type of each operation; here the types are one union.
    return { id, ok: true, result: (await run(request)) as never };
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
  void respond(request).then((response) => {
    parentPort?.postMessage(response);
    if (request.operation === 'close' && response.ok) parentPort?.close();
  });
});
