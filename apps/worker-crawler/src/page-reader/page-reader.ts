import { Worker } from 'node:worker_threads';
import { IngestionError, isIngestionErrorCode } from '@citewell/contracts/errors';
import { Slots } from '@citewell/ingestion';
import { Injectable } from '@nestjs/common';
import type { ReadPage, ReadRequest, ReadResponse } from './page-reader.protocol.js';

/** Reading a page takes milliseconds; what takes this long was made to. */
const TIMEOUT_MS = 20_000;
const MAX_HEAP_MEGABYTES = 512;
/** After this long without a page the thread ends. */
const IDLE_MS = 10_000;
/** Reading is over soon, one way or the other. */
const NEVER = new AbortController().signal;

/**
 * Reads pages, one after the other, in a thread of its own: it keeps a processor busy, and where the crawler shares its
 * process with the API, requests would wait for it. What a page does to its thread, out of memory or out of time, it
 * does to itself alone; and a host whose pages take long waits for those of others.
 */
@Injectable()
export class PageReader {
  private readonly turns = new Slots(1);
  private current: PromiseWithResolvers<ReadPage> | undefined;
  private thread: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @throws IngestionError `TOO_COMPLEX`, `PARSE_TIMEOUT`, `PARSE_MEMORY`, `PARSER_CRASHED` */
  async read(request: ReadRequest): Promise<ReadPage> {
    const holder = new URL(request.url).host;
    return this.turns.hold({ count: 1, holder }, NEVER, () => this.send(request));
  }

  /** Ends the thread; pages that are being read fail. */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    const { thread, current } = this;
    this.thread = undefined;
    this.current = undefined;
    current?.reject(new IngestionError('PARSER_CRASHED'));
    await thread?.terminate();
  }

  private send(request: ReadRequest): Promise<ReadPage> {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fail('PARSE_TIMEOUT'), TIMEOUT_MS);
    this.thread ??= this.start();
    this.thread.postMessage(request);
    this.current = Promise.withResolvers();
    return this.current.promise;
  }

  /** @returns the page that the thread was at */
  private rest(): PromiseWithResolvers<ReadPage> | undefined {
    const { current } = this;
    this.current = undefined;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.end(), IDLE_MS).unref();
    return current;
  }

  private start(): Worker {
    const thread = new Worker(new URL('./page.worker.js', import.meta.url), {
      name: 'pages',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES },
    });
    thread.on('message', (response: ReadResponse) => {
      if (this.thread === thread) this.answered(response);
    });
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
    const current = this.rest();
    if (response.ok) return current?.resolve(response.page);
    const code = isIngestionErrorCode(response.code) ? response.code : 'PARSER_CRASHED';
    current?.reject(new IngestionError(code, { message: response.message }));
  }

  /** The thread is of no use any more; the next page gets another one. */
  private fail(code: 'PARSE_TIMEOUT' | 'PARSE_MEMORY' | 'PARSER_CRASHED', cause?: unknown): void {
    const { thread } = this;
    this.thread = undefined;
    void thread?.terminate();
    this.rest()?.reject(new IngestionError(code, cause === undefined ? {} : { cause }));
  }
}
