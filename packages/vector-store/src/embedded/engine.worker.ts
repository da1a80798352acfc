import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { VectorStoreError } from '../vector-store.errors.js';
import { openStorage, STORAGE_FILE, storageIdentity } from './storage.schema.js';
import { EmbeddedEngine } from './embedded-engine.js';
import {
  engineFailureOf,
  type EngineOptions,
  type EngineRequest,
  type EngineResponse,
  ReplacedStorageError,
} from './engine.protocol.js';
import { StepScheduler } from './step-scheduler.js';

// Only `EngineThread` starts this thread, so the cast is safe.
const { directory, maxIndexBytes } = workerData as EngineOptions;
const scheduler = new StepScheduler();
let engine: EmbeddedEngine | undefined;
let opened: string | null = null;

/** Opens the engine with the first request, which reports a failure. The next request then tries again. */
function openEngine(): EmbeddedEngine {
  if (engine === undefined) {
    engine = new EmbeddedEngine(() => openStorage(directory), maxIndexBytes);
    opened = storageIdentity(directory);
  }
  return engine;
}

/** @throws ReplacedStorageError */
function assertSameFile(): void {
  if (storageIdentity(directory) !== opened)
    throw new ReplacedStorageError('the file was deleted or replaced');
  accessSync(join(directory, STORAGE_FILE), constants.W_OK);
}

function run({ operation, argument }: EngineRequest): Promise<unknown> {
  const running = openEngine();
  switch (operation) {
    case 'search':
      return scheduler.read(running.search(argument));
    case 'count':
      return scheduler.read(() => running.count(argument));
    case 'fetchVectors':
      return scheduler.read(() => running.fetchVectors(argument));
    case 'scanRuns':
      return scheduler.read(() => running.scanRuns(argument));
    case 'listSpaces':
      return scheduler.read(() => running.listSpaces());
    case 'ping':
      return scheduler.read(() => {
        assertSameFile();
        running.ping();
      });
    case 'check':
      return scheduler.read(() => running.check());
    case 'ensureSpace':
      return scheduler.write(() => running.ensureSpace(argument));
    case 'upsert':
      return scheduler.write(running.upsert(argument));
    case 'deleteRun':
      return scheduler.write(running.deleteRun(argument));
    case 'deleteDatasource':
      return scheduler.write(running.deleteDatasource(argument));
    case 'close':
      return scheduler.whenIdle().then(() => running.close());
  }
}

async function respond(request: EngineRequest): Promise<EngineResponse> {
  const { id } = request;
  try {
    // `run` returns the result type of each operation; here the types are one union.
    return { id, ok: true, result: (await run(request)) as never };
  } catch (error) {
    const failure = engineFailureOf(error);
    const message = error instanceof Error ? error.message : String(error);
    return {
      id,
      ok: false,
      failure,
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
