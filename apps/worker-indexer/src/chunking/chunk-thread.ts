import { Worker } from 'node:worker_threads';
import { DocumentBuilder, type EncodedDocument, encodeDocument } from '@citewell/documents';
import { Slots } from '@citewell/ingestion';
import type { ChangedSentences, DocumentNames } from '@citewell/retrieval';
import { Injectable } from '@nestjs/common';
import type { ChunkReply, ChunkRequest, ChunkResponse, WeightedChunk } from './chunk-thread.protocol.js';

/** A document that is being chunked. */
export interface OpenDocument {
  /** Length of the text in UTF-16 code units. */
  readonly characters: number;
  /** Null: there is no former text. */
  readonly changed: ChangedSentences | null;
  /**
   * Chunks in the order of the text. The thread computes the next batch while the caller processes the last
   * one.
   */
  batches(): AsyncGenerator<readonly WeightedChunk[], void, void>;
  /** Frees the document in the thread. Must always be called, also after the last batch. */
  close(): void;
}

type Call =
  | {
      readonly document: number;
      readonly kind: 'open';
      readonly encoded: EncodedDocument;
      readonly names: DocumentNames;
      readonly former: Uint8Array | null;
    }
  | { readonly document: number; readonly kind: 'next' | 'close' };

interface Thread {
  readonly worker: Worker;
  /** Calls without a reply so far, by their number. */
  readonly calls: Map<number, PromiseWithResolvers<ChunkReply>>;
}

/**
 * The thread ends after this long without an open document, which frees the memory of the tokenizer's tables.
 */
const IDLE_MS = 10_000;
/** Documents that are sent to the thread at once: one is in progress, and the next is ready for it. */
const SENT_AT_ONCE = 2;

/**
 * Chunks documents and computes term weights in a worker thread. Counting tokens and stemming words are the
 * CPU-bound work of an indexer; in a process shared with the API they would delay requests. The first
 * document starts the thread, and the thread ends when it is idle.
 */
@Injectable()
export class ChunkThread {
  private readonly slots = new Slots(SENT_AT_ONCE);
  private thread: Thread | undefined;
  private lastCall = 0;
  private lastDocument = 0;
  private open = 0;
  private idle: NodeJS.Timeout | undefined;

  /**
   * Starts the thread if necessary and loads its tables, so that the first document does not wait for that.
   */
  warmUp(): void {
    if (this.thread !== undefined) return;
    const sample = new DocumentBuilder().block('paragraph', 'The first sentence is the slowest.').build();
    this.divide(encodeDocument(sample))
      .then(async (document) => {
        for await (const batch of document.batches()) void batch;
        document.close();
      })
      // The next document fails with the same error, where it is reported.
      .catch(() => undefined);
  }

  /**
   * Opens a document for chunking.
   *
   * @param names by which the document is found, too. Default: none
   * @param former the text that the document replaces, in UTF-16LE
   * @param holder such as an organization; the holders that wait take turns
   * @throws Error when text and outline do not match, or when the thread dies; the signal's reason
   */
  async divide(
    encoded: EncodedDocument,
    {
      names = { name: '' },
      former = null,
      holder = '',
      signal = new AbortController().signal,
    }: { names?: DocumentNames; former?: Uint8Array | null; holder?: string; signal?: AbortSignal } = {},
  ): Promise<OpenDocument> {
    clearTimeout(this.idle);
    this.open += 1;
    const document = ++this.lastDocument;
    let isOpen = true;
    let isInThread = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      // A thread that has ended has freed its documents.
      if (isInThread && this.thread !== undefined)
        this.post({ document, kind: 'close' }).catch(() => undefined);
      this.open -= 1;
      if (this.open === 0) this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    };
    try {
      const first = await this.slots.hold({ count: 1, holder }, signal, () =>
        this.post({ document, kind: 'open', encoded, names, former }),
      );
      isInThread = !first.isLast;
      const { characters, changed = null } = first;
      return { characters, changed, batches: () => this.batchesOf(document, first), close };
    } catch (error) {
      close();
      throw error;
    }
  }

  /** Ends the thread. Reading from open documents then fails. */
  async end(): Promise<void> {
    clearTimeout(this.idle);
    const { thread } = this;
    // A document that is opened meanwhile starts a new thread.
    this.thread = undefined;
    await thread?.worker.terminate();
  }

  private async *batchesOf(
    document: number,
    first: ChunkReply,
  ): AsyncGenerator<readonly WeightedChunk[], void, void> {
    for (let batch = first; batch.chunks.length > 0;) {
      const next = batch.isLast ? null : this.post({ document, kind: 'next' });
      // Awaited when the consumer asks for the next batch, which may never happen.
      next?.catch(() => undefined);
      yield batch.chunks;
      if (next === null) return;
      batch = await next;
    }
  }

  private post(call: Call): Promise<ChunkReply> {
    const { worker, calls } = (this.thread ??= this.start());
    const pending = Promise.withResolvers<ChunkReply>();
    const request: ChunkRequest = { ...call, call: ++this.lastCall };
    calls.set(request.call, pending);
    worker.ref();
    worker.postMessage(request);
    return pending.promise;
  }

  private start(): Thread {
    const worker = new Worker(new URL('./chunk.worker.js', import.meta.url), { name: 'chunking' });
    const thread: Thread = { worker, calls: new Map() };
    let cause: unknown;
    worker.on('message', (response: ChunkResponse) => {
      const pending = thread.calls.get(response.call);
      thread.calls.delete(response.call);
      if (thread.calls.size === 0) worker.unref();
      if (response.ok) pending?.resolve(response.reply);
      else pending?.reject(new Error(response.message));
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
