import { Worker } from 'node:worker_threads';
import { IngestionError, isIngestionErrorCode } from '@citewell/contracts/errors';
import { Injectable } from '@nestjs/common';
import type { ReadPage, ReadRequest, ReadResponse } from './page-reader.protocol.js';

interface Call {
  readonly request: ReadRequest;
  readonly settled: PromiseWithResolvers<ReadPage>;
}

/** Reading a page takes milliseconds; what takes this long was made to. */
const TIMEOUT_MS = 20_000;
const MAX_HEAP_MEGABYTES = 512;
/** After this long without a page the thread ends. */
const IDLE_MS = 10_000;

/**
 * Reads pages, one after the other, in a thread of its own: it keeps a processor busy, and where the crawler shares its
 * process with the API, requests would wait for it. What a page does to its thread, out of memory or out of time, it
 * does to itself alone.
 */
@Injectable()
export class PageReader {
  private readonly waiting: Call[] = [];
  private current: Call | undefined;
  private thread: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @throws IngestionError `TOO_COMPLEX`, `PARSE_TIMEOUT`, `PARSE_MEMORY`, `PARSER_CRASHED` */
  read(request: ReadRequest): Promise<ReadPage> {
    const settled = Promise.withResolvers<ReadPage>();
    this.waiting.push({ request, settled });
    this.next();
    return settled.promise;
  }

  /** Ends the thread; pages that are being read fail. */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    const { thread } = this;
    this.thread = undefined;
    await thread?.terminate();
  }

  private next(): void {
    if (this.current !== undefined) return;
    clearTimeout(this.timer);
    this.current = this.waiting.shift();
    if (this.current === undefined) {
      this.timer = setTimeout(() => void this.end(), IDLE_MS).unref();
      return;
    }
    this.thread ??= this.start();
    this.thread.postMessage(this.current.request);
    this.timer = setTimeout(() => this.fail('PARSE_TIMEOUT'), TIMEOUT_MS);
  }

  private start(): Worker {
    const thread = new Worker(new URL('./page.worker.js', import.meta.url), {
      name: 'pages',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES },
    });
    thread.on('message', (response: ReadResponse) => this.answered(response));
    thread.once('error', (error) => {
      const isFull = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (this.thread === thread) this.fail(isFull ? 'PARSE_MEMORY' : 'PARSER_CRASHED', error);
    });
    thread.once('exit', () => {
      if (this.thread === thread) this.fail('PARSER_CRASHED');
    });
    thread.unref();
    return thread;
  }

  private answered(response: ReadResponse): void {
    const { current } = this;
    this.current = undefined;
    if (response.ok) current?.settled.resolve(response.page);
    else {
      const code = isIngestionErrorCode(response.code) ? response.code : 'PARSER_CRASHED';
      current?.settled.reject(new IngestionError(code, { message: response.message }));
    }
    this.next();
  }

  /** The thread is of no use any more; the next page gets another one. */
  private fail(code: 'PARSE_TIMEOUT' | 'PARSE_MEMORY' | 'PARSER_CRASHED', cause?: unknown): void {
    const { current, thread } = this;
    this.current = undefined;
    this.thread = undefined;
    void thread?.terminate();
    current?.settled.reject(new IngestionError(code, cause === undefined ? {} : { cause }));
    this.next();
  }
}
