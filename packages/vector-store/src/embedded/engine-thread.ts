import { Worker } from 'node:worker_threads';
import type { Transferable } from 'node:worker_threads';
import { SpaceNotFoundError, VectorStoreError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import type { Argument, EngineOperation, EngineOptions, EngineResponse, Result } from './engine.protocol.js';

interface PendingCall {
  resolve(result: Result<EngineOperation>): void;
  reject(error: Error): void;
}

/**
 * The worker thread of the engine, whose calls block. The first call starts it. If the thread exits, pending
 * calls are rejected as unavailable and the next call starts another thread. The thread keeps the process
 * alive only while a call is pending.
 *
 * When a call finds the file damaged, the thread is ended and `onDamage` is called, once for all calls that fail
 * by it. Until `onDamage` has returned, calls are rejected as unavailable.
 */
export class EngineThread {
  private worker: Worker | undefined;
  private readonly pending = new Map<number, PendingCall>();
  private lastId = 0;
  private closed = false;

  private repair: Promise<void> | undefined;

  constructor(
    private readonly options: EngineOptions,
    private readonly onDamage: ((message: string, isReplaced: boolean) => void) | null = null,
  ) {}

  /**
   * @param transfer buffers of the argument to transfer instead of copying
   * @throws VectorStoreUnavailableError, VectorStoreError
   */
  call<O extends EngineOperation>(
    operation: O,
    argument: Argument<O>,
    transfer: Transferable[] = [],
  ): Promise<Result<O>> {
    if (this.closed) return Promise.reject(new VectorStoreUnavailableError('the vector store is closed'));
    if (this.repair !== undefined) return Promise.reject(damaged('its file is being replaced', undefined));
    return this.post(operation, argument, transfer);
  }

  /** Completes pending calls, then ends the thread. Later calls are rejected. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.repair;
    const { worker } = this;
    if (worker === undefined) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // If the thread dies instead of closing, it has exited as well.
    await this.post('close', {}, []).catch(() => worker.terminate());
    // The response has unreferenced the thread; keep the process alive until the thread has exited.
    worker.ref();
    await exited;
  }

  /** Ends the thread immediately, like a crash. The next call starts another. */
  async terminate(): Promise<void> {
    await this.worker?.terminate();
  }

  private post<O extends EngineOperation>(
    operation: O,
    argument: Argument<O>,
    transfer: Transferable[],
  ): Promise<Result<O>> {
    const worker = (this.worker ??= this.start());
    const id = ++this.lastId;
    return new Promise<Result<O>>((resolve, reject) => {
      // The thread responds to an id with the result of its operation, so the cast is safe.
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
    worker.on('message', (response: EngineResponse) => this.onResponse(worker, response));
    let cause: unknown;
    worker.once('error', (error) => (cause = error));
    worker.once('exit', () => this.onExit(worker, cause));
    return worker;
  }

  private onResponse(worker: Worker, response: EngineResponse): void {
    const call = this.pending.get(response.id);
    this.pending.delete(response.id);
    if (this.pending.size === 0) worker.unref();
    if (response.ok) {
      call?.resolve(response.result);
      return;
    }
    call?.reject(toError(response));
    const { kind } = response.failure;
    if ((kind === 'damaged' || kind === 'replaced') && this.worker === worker)
      this.leaveFile(response.message, kind === 'replaced');
  }

  /** Ends the thread and has the damaged file replaced, unless that is in progress. */
  leaveFile(message: string, isReplaced: boolean): void {
    const { onDamage } = this;
    if (onDamage === null || this.repair !== undefined) return;
    this.repair = Promise.resolve(this.worker?.terminate())
      .then(() => onDamage(message, isReplaced))
      .finally(() => (this.repair = undefined))
      // The next call meets the damage again.
      .catch(() => undefined);
  }

  private onExit(worker: Worker, cause: unknown): void {
    if (this.worker === worker) this.worker = undefined;
    const calls = [...this.pending.values()];
    this.pending.clear();
    for (const call of calls) {
      call.reject(new VectorStoreUnavailableError('the thread of the vector store exited', { cause }));
    }
  }
}

function toError({ failure, message, cause }: EngineResponse & { ok: false }): Error {
  const options = cause === undefined ? {} : { cause };
  switch (failure.kind) {
    case 'damaged':
    case 'replaced':
      return damaged(message, cause);
    case 'transient':
      return new VectorStoreUnavailableError(message, { ...options, reason: failure.reason ?? undefined });
    case 'space':
      return new SpaceNotFoundError(message, options);
    case 'permanent':
      return new VectorStoreError(message, options);
  }
}

function damaged(message: string, cause: unknown): VectorStoreUnavailableError {
  return new VectorStoreUnavailableError(`the vector store is damaged: ${message}`, {
    ...(cause === undefined ? {} : { cause }),
    reason: 'is damaged',
  });
}
