import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../client/api-client.js';
import { readWithParser } from '../../client/stream-readers.js';
import { SeededRandom } from '../resilience/seeded-random.js';
import { answeredOrRefused, RequestLog } from './request-log.js';

/** What clients do. */
export type Kind = 'text' | 'file' | 'search' | 'answer' | 'delete' | 'read';

export interface LoadOptions {
  /** One for each API process. Each gets the whole load. */
  readonly apis: readonly ApiClient[];
  readonly datastoreId: string;
  /** Asked for answers. */
  readonly agentId?: string;
  /** Requests started per second and API, whether or not earlier ones are answered, up to {@link MOST_OPEN}. */
  readonly perSecond: Readonly<Partial<Record<Kind, number>>>;
}

/** A text or file that a client stores. */
export interface StoredDocument {
  /** In no other document. */
  readonly word: string;
  readonly number: number;
  readonly startedAt: number;
  /** Null until a request was answered. */
  id: string | null;
  synchedAt: number | null;
  /** Set before the first request to delete it. */
  isLeaving: boolean;
  deletedAt: number | null;
}

/** Requests of a kind that wait for their responses, per API. Then no others are started. */
const MOST_OPEN = 20;
const READ_PAUSE_MS = 500;
const RETRY_PAUSE_MS = 1_000;
/** Makes a file that is not small enough to be a row of the database. */
const FILE_SENTENCES = 400;

/** Stores, searches, asks and deletes at a constant rate. Every document has a word of its own. */
export class MixedLoad {
  readonly log = new RequestLog();
  readonly documents: StoredDocument[] = [];
  private readonly random = new SeededRandom(7);
  private readonly stopping = new AbortController();
  private readonly work: Promise<unknown>[];

  constructor(private readonly options: LoadOptions) {
    this.work = options.apis.flatMap((_api, api) => [
      this.repeat(options.perSecond.text, () => this.store('text', api)),
      this.repeat(options.perSecond.file, () => this.store('file', api)),
      this.repeat(options.perSecond.search, () => this.search(api)),
      this.repeat(options.perSecond.answer, () => this.ask(api)),
      this.repeat(options.perSecond.delete, () => this.remove(api)),
    ]);
    this.work.push(this.follow());
  }

  /** Stops starting requests, and waits until every document that was begun is stored, and every deletion done. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.work);
  }

  /** Documents that are to be found now. */
  get synched(): StoredDocument[] {
    return this.documents.filter(({ synchedAt, isLeaving }) => synchedAt !== null && !isLeaving);
  }

  /** @returns whether the best hit has the word of the document; null without an answer */
  async finds({ word }: StoredDocument, api = 0): Promise<boolean | null> {
    const hits = await this.query(api, word);
    return hits && (hits[0]?.text.includes(word) ?? false);
  }

  /** Reads which documents are synched. */
  async readStatuses(): Promise<void> {
    const waiting = this.documents.filter(
      ({ id, synchedAt, isLeaving }) => id && synchedAt === null && !isLeaving,
    );
    for (const document of waiting) {
      const api = this.random.between(0, this.options.apis.length - 1);
      const response = await this.log.request('read', api, (signal) =>
        this.apiOf(api).call('GET', `/datasources/${document.id}`, { signal }),
      );
      if (response === null) return;
      const { status } = response.json as { status: string };
      if (status === 'synched') document.synchedAt = performance.now();
    }
  }

  private apiOf(index: number): ApiClient {
    const api = this.options.apis[index % this.options.apis.length];
    if (api === undefined) throw new RangeError('no API');
    return api;
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Starts an action again and again, in regular intervals. */
  private async repeat(perSecond: number | undefined, action: () => Promise<unknown>): Promise<void> {
    if (perSecond === undefined) return;
    const open = new Set<Promise<unknown>>();
    while (!this.isStopping) {
      if (open.size < MOST_OPEN) {
        const running = action();
        open.add(running);
        void running.finally(() => open.delete(running));
      }
      await sleep(1_000 / perSecond);
    }
    await Promise.all(open);
  }

  /** Stores a document. A failed request is sent again with the same key, to each API in turn, as a balancer would. */
  private async store(kind: 'text' | 'file', first: number): Promise<void> {
    const number = this.documents.length;
    const word = `boat${number}x${(number * 7_919) % 100_003}`;
    const startedAt = performance.now();
    const document = {
      word,
      number,
      startedAt,
      id: null,
      synchedAt: null,
      isLeaving: false,
      deletedAt: null,
    };
    this.documents.push(document);
    const sentence = `The ${word} lies in the harbour number ${number}.`;
    const { datastoreId } = this.options;
    const headers = { 'idempotency-key': word };
    for (let api = first; ; api += 1) {
      const response = await this.log.request(kind, api % this.options.apis.length, (signal) => {
        if (kind === 'text') {
          const json = { type: 'text', datastoreId, name: word, text: sentence };
          return this.apiOf(api).call('POST', '/datasources', { json, headers, signal });
        }
        const body = new FormData();
        body.append('datastoreId', datastoreId);
        body.append('name', word);
        body.append('file', new Blob([fileOf(sentence)]), `${word}.md`);
        return this.apiOf(api).call('POST', '/datasources', { body, headers, signal });
      });
      if (response !== null) {
        Object.assign(document, { id: (response.json as { id: string }).id });
        return;
      }
      await sleep(RETRY_PAUSE_MS);
    }
  }

  /** Every fourth question is for a deleted document. */
  private async search(api: number): Promise<void> {
    const deleted = this.documents.filter(({ deletedAt }) => deletedAt !== null);
    if (deleted.length > 0 && this.random.between(0, 3) === 0) {
      const { word } = this.random.pick(deleted);
      const hits = await this.query(api, word);
      if (hits?.some(({ text }) => text.includes(word)) === true)
        this.log.wrong(`${word} is deleted, and found`);
      return;
    }
    const document = this.pickSynched();
    if (document === null) return;
    if ((await this.finds(document, api)) === false && !document.isLeaving)
      this.log.wrong(`${document.word} is synched, and not found`);
  }

  private async query(api: number, word: string): Promise<{ text: string }[] | null> {
    const response = await this.log.request('search', api, (signal) =>
      this.apiOf(api).call('POST', `/datastores/${this.options.datastoreId}/query`, {
        json: { query: `Where is ${word}?`, topK: 3 },
        signal,
      }),
    );
    return response && (response.json as { text: string }[]);
  }

  /** Every second answer is streamed. */
  private async ask(api: number): Promise<void> {
    const { agentId } = this.options;
    const document = this.pickSynched();
    if (agentId === undefined || document === null) return;
    const query = `Where is ${document.word}?`;
    const isStreamed = this.random.between(0, 1) === 1;
    const answer = await this.log.run('answer', api, async (signal) => {
      if (!isStreamed) {
        const json = { query };
        const response = await this.apiOf(api).call('POST', `/agents/${agentId}/query`, { json, signal });
        const { value, code } = answeredOrRefused(response);
        return { value: value && (value.json as { answer: string }).answer, code };
      }
      const {
        status,
        raw,
        ends,
        answer: text,
      } = await readWithParser(this.apiOf(api), agentId, { query }, signal);
      const code = /^(?:\[ERROR\] |\{"error":")(\w+)/.exec(ends[0] ?? raw)?.[1] ?? null;
      if (code === null && ends[0] !== '[DONE]')
        return { value: null, code: `stream without an end (${status})` };
      return { value: code === null ? text : null, code };
    });
    if (answer !== null && !answer.includes(`number ${document.number}`) && !document.isLeaving)
      this.log.wrong(`${document.word}: ${answer}`);
  }

  /** Deletes a document. A failed request is sent again. */
  private async remove(first: number): Promise<void> {
    const document = this.pickSynched();
    if (document === null) return;
    document.isLeaving = true;
    for (let api = first; ; api += 1) {
      const isDone = await this.log.run('delete', api % this.options.apis.length, async (signal) => {
        const response = await this.apiOf(api).call('DELETE', `/datasources/${document.id}`, { signal });
        // An earlier request was carried out, and its answer lost.
        if (response.status === 404) return { value: true, code: null };
        const { code } = answeredOrRefused(response);
        return { value: code === null ? true : null, code };
      });
      if (isDone) break;
      await sleep(RETRY_PAUSE_MS);
    }
    document.deletedAt = performance.now();
  }

  private async follow(): Promise<void> {
    while (!this.isStopping) {
      await this.readStatuses();
      await sleep(READ_PAUSE_MS);
    }
  }

  private pickSynched(): StoredDocument | null {
    const { synched } = this;
    return synched.length === 0 ? null : this.random.pick(synched);
  }
}

/** A file that is stored in the bucket. */
function fileOf(sentence: string): string {
  const lines = Array.from(
    { length: FILE_SENTENCES },
    (_, line) => `Rope ${line} is coiled on deck ${line % 7}.`,
  );
  return ['# A harbour', ...lines.with(100, sentence)].join('\n\n');
}
