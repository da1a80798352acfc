import { Worker } from 'node:worker_threads';
import type { Transferable } from 'node:worker_threads';
import { VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import type { Answer, Argument, EngineOperation, EngineOptions, EngineResponse } from './engine.protocol.js';

interface PendingCall {
  resolve(answer: Answer<EngineOperation>): void;
  reject(error: Error): void;
}

/**
 * The thread that the engine lives in, since its calls block. It is started by the first call; when it dies, what was
 * pending is rejected as unavailable and the next call starts another. It keeps the process alive only while a call is
 * pending.
 */
export class EngineThread {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, PendingCall>();
  private lastId = 0;
  private closed = false;

  constructor(private readonly options: EngineOptions) {}

  /**
   * @param transfer buffers of the argument that are handed over
   * @throws VectorStoreUnavailableError, VectorStoreError as the operation does
   */
  call<O extends EngineOperation>(
    operation: O,
    argument: Argument<O>,
    transfer: Transferable[] = [],
  ): Promise<Answer<O>> {
    if (this.closed) return Promise.reject(new VectorStoreUnavailableError('the vector store is closed'));
    return this.post(operation, argument, transfer);
  }

  /** Finishes what is under way, then ends the thread. Calls that come later are refused. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const { worker } = this;
    if (worker === undefined) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // A thread that dies instead of closing has exited too.
    await this.post('close', {}, []).catch(() => worker.terminate());
    // The answer let go of the thread; its end is still to be waited for.
    worker.ref();
    await exited;
  }

  /** Ends the thread at once, as a crash would. The next call starts another. */
  async terminate(): Promise<void> {
    await this.worker?.terminate();
  }

  private post<O extends EngineOperation>(
    operation: O,
    argument: Argument<O>,
    transfer: Transferable[],
  ): Promise<Answer<O>> {
    const worker = (this.worker ??= this.start());
    const id = ++this.lastId;
    return new Promise<Answer<O>>((resolve, reject) => {
      // The thread answers an id with the answer of its operation.
      this.pending.set(id, { resolve: resolve as PendingCall['resolve'], reject });
      worker.ref();
      worker.postMessage({ id, operation, argument }, transfer);
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL('./engine.worker.js', import.meta.url), {
      workerData: this.options,
      name: 'vector-engine',
    });
    worker.on('message', (response: EngineResponse) => this.settle(worker, response));
    let cause: unknown;
    worker.once('error', (error) => (cause = error));
    worker.once('exit', () => this.onExit(worker, cause));
    return worker;
  }

  private settle(worker: Worker, response: EngineResponse): void {
    const call = this.pending.get(response.id);
    this.pending.delete(response.id);
    if (this.pending.size === 0) worker.unref();
    if (response.ok) call?.resolve(response.answer);
    else call?.reject(toError(response));
  }

  private onExit(worker: Worker, cause: unknown): void {
    if (this.worker === worker) this.worker = undefined;
    const calls = [...this.pending.values()];
    this.pending.clear();
    for (const call of calls) {
      call.reject(new VectorStoreUnavailableError('the engine of the vector store died', { cause }));
    }
  }
}

function toError({ transient, message, cause }: EngineResponse & { ok: false }): Error {
  const options = cause === undefined ? {} : { cause };
  return transient
    ? new VectorStoreUnavailableError(message, options)
    : new VectorStoreError(message, options);
}
