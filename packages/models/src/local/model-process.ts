import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ModelError } from '../model.error.js';

const CHILD = fileURLToPath(new URL('./model.child.js', import.meta.url));
const LOAD_TIMEOUT_MS = 120_000;

/** What the process of a local model does. Sent as its argument, in JSON. */
export interface ModelProcessOptions {
  /** Directory of `installRuntime`. */
  runtime: string;
  /** Directory of the model's files. */
  directory: string;
  /** The name in the configuration: a hub id or a directory. */
  name: string;
}

/** Sent to the process. */
export type ModelRequest =
  | { id: number; embed: readonly string[]; kind: 'document' | 'query' }
  | { id: number; score: readonly string[]; question: string }
  | { id: number; cancel: true };

/** Sent by the process: `ready` or `failed` once, then one result or error per request that is not cancelled. */
export type ModelReply =
  | { ready: { fingerprint: string; maxTokens: number } }
  | { failed: string }
  | { id: number; vectors: Float32Array[]; tokens: number }
  | { id: number; scores: number[]; tokens: number }
  | { id: number; error: string };

type Result = Extract<ModelReply, { tokens: number }>;
type Properties = Extract<ModelReply, { ready: unknown }>['ready'];
/** A request without its id. */
type Unnumbered = ModelRequest extends infer Request
  ? Request extends unknown
    ? Omit<Request, 'id'>
    : never
  : never;

interface Pending {
  resolve(result: Result): void;
  reject(error: Error): void;
}

interface Running {
  readonly child: ChildProcess;
  readonly properties: Properties;
  readonly pending: Map<number, Pending>;
}

/**
 * A process that runs a local model, with lower priority than this one. The process is started again by the next request
 * after it has ended, for example for lack of memory. The process ends with this one, and does not keep this one running.
 */
export class ModelProcess {
  #running: Promise<Running> | undefined;
  #lastId = 0;

  constructor(private readonly options: ModelProcessOptions) {}

  /**
   * Loads the model, unless it is loaded.
   *
   * @throws ModelError (`permanent`) if the model cannot be loaded
   */
  async load(): Promise<Properties> {
    return (await this.running()).properties;
  }

  /** @throws ModelError, or the reason of the signal */
  async request(request: Unnumbered, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    const { child, pending } = await this.running();
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const cancel = (): void => {
      pending.get(id)?.reject(signal.reason);
      if (child.connected) child.send({ id, cancel: true } satisfies ModelRequest);
    };
    // A pending request keeps this process running.
    child.channel?.ref();
    try {
      return await new Promise<Result>((resolve, reject) => {
        pending.set(id, { resolve, reject });
        signal.addEventListener('abort', cancel, { once: true });
        child.send({ ...request, id }, (error) => error && reject(ended()));
      });
    } finally {
      pending.delete(id);
      if (pending.size === 0) child.channel?.unref();
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Ends the process. Later requests start it again. */
  async close(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    running?.child.kill();
  }

  private running(): Promise<Running> {
    this.#running ??= this.start().catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  private async start(): Promise<Running> {
    const pending = new Map<number, Pending>();
    const child = fork(CHILD, [JSON.stringify(this.options)], {
      env: {},
      execArgv: ['--no-warnings'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const properties = await new Promise<Properties>((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new ModelError('transient', 'The local model was not loaded within 2 minutes.'));
      }, LOAD_TIMEOUT_MS);
      child.on('message', (reply: ModelReply) => {
        if ('ready' in reply) {
          clearTimeout(timer);
          resolve(reply.ready);
        } else if ('failed' in reply) {
          reject(new ModelError('permanent', `The local model could not be loaded: ${reply.failed}`));
          child.kill();
        } else if ('error' in reply) {
          pending
            .get(reply.id)
            ?.reject(new ModelError('permanent', `The local model failed: ${reply.error}`));
        } else pending.get(reply.id)?.resolve(reply);
      });
      child.once('error', () => reject(ended()));
      child.once('exit', () => {
        clearTimeout(timer);
        this.#running = undefined;
        reject(ended());
        for (const request of pending.values()) request.reject(ended());
      });
    });
    child.unref();
    child.channel?.unref();
    return { child, properties, pending };
  }
}

function ended(): ModelError {
  return new ModelError('transient', 'The process of the local model has ended.');
}
