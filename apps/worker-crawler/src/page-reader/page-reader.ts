import { Worker } from 'node:worker_threads';
import { IngestionError, isIngestionErrorCode } from '@citewell/contracts/errors';
import { Slots } from '@citewell/ingestion';
import { Injectable } from '@nestjs/common';
import type { ReadPage, ReadRequest, ReadResponse } from './page-reader.protocol.js';

/** Parsing usually takes milliseconds. */
const TIMEOUT_MS = 20_000;
const MAX_HEAP_MEGABYTES = 512;
/** Time without a page after which the thread ends. */
const IDLE_TIMEOUT_MS = 10_000;
/** The wait for a slot is short, because every page has a timeout. */
const NEVER = new AbortController().signal;

/**
 * Parses pages one at a time in a thread. The thread keeps the event loop free, which the crawler may share
 * with the API, and a page that runs out of memory or time ends only the thread. Hosts share the thread
 * fairly.
 */
@Injectable()
export class PageReader {
  private readonly slots = new Slots(1);
  private current: PromiseWithResolvers<ReadPage> | undefined;
  private thread: Worker | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** @throws IngestionError `TOO_COMPLEX`, `PARSE_TIMEOUT`, `PARSE_MEMORY`, `PARSER_CRASHED` */
  async read(request: ReadRequest): Promise<ReadPage> {
    const holder = new URL(request.url).host;
    return this.slots.hold({ count: 1, holder }, NEVER, () => this.send(request));
  }

  /** Ends the thread. A page that is being parsed fails with `PARSER_CRASHED`. */
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

  /** Ends the current page and starts the idle timer. @returns the promise of the page */
  private finish(): PromiseWithResolvers<ReadPage> | undefined {
    const { current } = this;
    this.current = undefined;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.end(), IDLE_TIMEOUT_MS).unref();
    return current;
  }

  private start(): Worker {
    const thread = new Worker(new URL('./page.worker.js', import.meta.url), {
      name: 'pages',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES },
    });
    thread.on('message', (response: ReadResponse) => {
      if (this.thread === thread) this.receive(response);
    });
    thread.once('error', (error) => {
      const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      if (this.thread === thread) this.fail(isOutOfMemory ? 'PARSE_MEMORY' : 'PARSER_CRASHED', error);
    });
    thread.once('exit', () => {
      if (this.thread === thread) this.fail('PARSER_CRASHED');
    });
    thread.unref();
    return thread;
  }

  private receive(response: ReadResponse): void {
    const current = this.finish();
    if (response.ok) return current?.resolve(response.page);
    const code = isIngestionErrorCode(response.code) ? response.code : 'PARSER_CRASHED';
    current?.reject(new IngestionError(code, { message: response.message }));
  }

  /** Fails the current page and ends the thread. The next page gets another one. */
  private fail(code: 'PARSE_TIMEOUT' | 'PARSE_MEMORY' | 'PARSER_CRASHED', cause?: unknown): void {
    const { thread } = this;
    this.thread = undefined;
    void thread?.terminate();
    this.finish()?.reject(new IngestionError(code, cause === undefined ? {} : { cause }));
  }
}
