import { Worker } from 'node:worker_threads';
import { DocumentBuilder, type EncodedDocument, encodeDocument } from '@citewell/documents';
import { Injectable } from '@nestjs/common';
import type { ChunkReply, ChunkRequest, ChunkResponse, WeightedChunk } from './chunk-thread.protocol.js';

/** A document under division. */
export interface OpenDocument {
  /** Length of the text, in UTF-16 units. */
  readonly characters: number;
  /** In the order of the text. The next batch is made while the last one is worked on. */
  batches(): AsyncGenerator<readonly WeightedChunk[], void, void>;
  /** Lets go of it; harmless when all batches have been taken. */
  close(): void;
}

type Call =
  | { readonly document: number; readonly kind: 'open'; readonly encoded: EncodedDocument }
  | { readonly document: number; readonly kind: 'next' | 'close' };

interface Thread {
  readonly worker: Worker;
  /** Calls that it has not answered yet. */
  readonly calls: Map<number, PromiseWithResolvers<ChunkReply>>;
}

/** After this long without a document the thread ends, and with it goes the memory of the tokenizer's tables. */
const IDLE_MS = 10_000;

/**
 * Divides documents into chunks and weighs their terms, in a thread of its own: counting tokens and stemming words
 * are the two things in an indexer that keep a processor busy, and where the indexer shares its process with the
 * API, requests would wait for them. The thread is started by the first document and ends when there is nothing
 * to do.
 */
@Injectable()
export class ChunkThread {
  private thread: Thread | undefined;
  private lastCall = 0;
  private lastDocument = 0;
  private open = 0;
  private idle: NodeJS.Timeout | undefined;

  /** Starts the thread, if it is not there, and has it load its tables: the first document does not wait for that. */
  warmUp(): void {
    if (this.thread !== undefined) return;
    const sample = new DocumentBuilder().block('paragraph', 'The first sentence is the slowest.').build();
    this.divide(encodeDocument(sample))
      .then(async (document) => {
        for await (const batch of document.batches()) void batch;
        document.close();
      })
      // A document that comes will meet the same error, and there it counts.
      .catch(() => undefined);
  }

  /** @throws Error when the parts do not belong together, or the thread dies */
  async divide(encoded: EncodedDocument): Promise<OpenDocument> {
    clearTimeout(this.idle);
    this.open += 1;
    const document = ++this.lastDocument;
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      // A thread that is gone has nothing to let go of.
      if (this.thread !== undefined) this.post({ document, kind: 'close' }).catch(() => undefined);
      this.open -= 1;
      if (this.open === 0) this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    };
    try {
      const { characters } = await this.post({ document, kind: 'open', encoded });
      return { characters, batches: () => this.batchesOf(document), close };
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Ends the thread; documents under division fail. */
  async end(): Promise<void> {
    clearTimeout(this.idle);
    const { thread } = this;
    // A document that comes while it ends gets another one.
    this.thread = undefined;
    await thread?.worker.terminate();
  }

  private async *batchesOf(document: number): AsyncGenerator<readonly WeightedChunk[], void, void> {
    for (let next = this.post({ document, kind: 'next' }); ;) {
      const { chunks } = await next;
      if (chunks.length === 0) return;
      next = this.post({ document, kind: 'next' });
      // It is looked at when the consumer comes back, which it may not.
      next.catch(() => undefined);
      yield chunks;
    }
  }

  private post(call: Call): Promise<ChunkReply> {
    const { worker, calls } = (this.thread ??= this.start());
    const settled = Promise.withResolvers<ChunkReply>();
    const request: ChunkRequest = { ...call, call: ++this.lastCall };
    calls.set(request.call, settled);
    worker.ref();
    worker.postMessage(request);
    return settled.promise;
  }

  private start(): Thread {
    const worker = new Worker(new URL('./chunk.worker.js', import.meta.url), { name: 'chunking' });
    const thread: Thread = { worker, calls: new Map() };
    let cause: unknown;
    worker.on('message', (response: ChunkResponse) => {
      const settled = thread.calls.get(response.call);
      thread.calls.delete(response.call);
      if (thread.calls.size === 0) worker.unref();
      if (response.ok) settled?.resolve(response.reply);
      else settled?.reject(new Error(response.message));
    });
    worker.once('error', (error) => (cause = error));
    worker.once('exit', () => {
      if (this.thread === thread) this.thread = undefined;
      for (const { reject } of thread.calls.values())
        reject(new Error('the chunking thread ended', { cause }));
    });
    return thread;
  }
}
