import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource, DatastoreQueryItem } from '@citewell/contracts/schemas';
import { API_KEY } from './standalone-process.js';

const PAGE_SIZE = 100;
const POLL_MS = 50;
const IDLE_TIMEOUT_MS = 120_000;

/** The API answered with a status other than 200. */
export class ApiResponseError extends Error {
  override readonly name = 'ApiResponseError';

  constructor(
    called: string,
    readonly status: number,
    readonly body: string,
  ) {
    super(`${called}: ${status} ${body}`);
  }
}

/** A file to upload. */
export interface UploadedFile {
  readonly name: string;
  readonly content: Uint8Array;
  readonly mimeType?: string;
}

/**
 * Client of the API for benchmarks. It has one connection, and validates no responses, so that it hardly adds to what is
 * measured. It never retries.
 */
export class BenchClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly origin: string,
    readonly key = API_KEY,
  ) {}

  /** @returns the response body as text. @throws ApiResponseError for a status other than 200 */
  async send(
    method: string,
    path: string,
    body?: string | Buffer,
    contentType = 'application/json',
  ): Promise<string> {
    const { status, text } = await this.request(method, path, body, contentType);
    if (status !== 200) throw new ApiResponseError(`${method} ${path}`, status, text);
    return text;
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    return JSON.parse(await this.send(method, `/api/${path}`, sent)) as T;
  }

  async createOrganization(name: string): Promise<BenchClient> {
    const { key } = await this.json<{ key: string }>('POST', 'organizations', { name });
    return new BenchClient(this.origin, key);
  }

  async createDatastore(name = 'Benchmark'): Promise<string> {
    return (await this.json<{ id: string }>('POST', 'datastores', { name })).id;
  }

  /** @returns ids in the order of the documents */
  async createTexts(
    datastoreId: string,
    documents: readonly { readonly name: string; readonly text: string }[],
  ): Promise<string[]> {
    return (await this.json<{ ids: string[] }>('POST', `datastores/upsert/${datastoreId}`, { documents }))
      .ids;
  }

  /** Uploads a file as a browser form does. */
  async upload(datastoreId: string, { name, content, mimeType }: UploadedFile): Promise<Datasource> {
    const boundary = '----citewell-client';
    const fileName = name.replaceAll('"', '%22');
    const head = [
      `--${boundary}\r\nContent-Disposition: form-data; name="datastoreId"\r\n\r\n${datastoreId}\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n`,
      `Content-Type: ${mimeType ?? 'application/octet-stream'}\r\n\r\n`,
    ].join('');
    const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const type = `multipart/form-data; boundary=${boundary}`;
    return JSON.parse(await this.send('POST', '/api/datasources', body, type)) as Datasource;
  }

  async datasource(id: string): Promise<Datasource> {
    return this.json('GET', `datasources/${id}`);
  }

  async text(id: string): Promise<{ revision: number; length: number; text: string }> {
    return this.json('GET', `datasources/${id}/text`);
  }

  async query(
    datastoreId: string,
    query: string,
    { topK = PAGE_SIZE }: { topK?: number } = {},
  ): Promise<DatastoreQueryItem[]> {
    return this.json('POST', `datastores/${datastoreId}/query`, { query, topK });
  }

  /**
   * Waits until no datasource of a datastore is waiting or running.
   *
   * @param pollMs polling costs CPU time of the product
   * @throws Error if a datasource has failed
   */
  async waitUntilFinished(datastoreId: string, pollMs = POLL_MS): Promise<void> {
    const withStatus = (status: string): Promise<Datasource[]> =>
      this.json('GET', `datasources?datastoreId=${datastoreId}&status=${status}&limit=1`);
    for (;;) {
      const [waiting, running] = [await withStatus('unsynched'), await withStatus('running')];
      if (waiting.length + running.length === 0) break;
      await sleep(pollMs);
    }
    const [failed] = await withStatus('error');
    if (failed !== undefined) throw new Error(`${failed.name} failed: ${failed.error?.message}`);
  }

  /** Waits until the documents of a datastore are embedded by the configured model, after `waitUntilFinished`. */
  async waitUntilEmbedded(datastoreId: string, pollMs = POLL_MS): Promise<void> {
    let last: Datasource | undefined;
    for (;;) {
      const page = await this.page(datastoreId, undefined, last);
      if (page.some(({ semantic }) => semantic !== null)) await sleep(pollMs);
      else if (page.length < PAGE_SIZE) return;
      else last = page.at(-1);
    }
  }

  /** Number of chunks in a datastore. */
  async countChunks(datastoreId: string): Promise<number> {
    let chunks = 0;
    for await (const page of this.pages(datastoreId))
      chunks += page.reduce((sum, { stats }) => sum + stats.chunks, 0);
    return chunks;
  }

  close(): void {
    this.agent.destroy();
  }

  private async *pages(datastoreId: string, siteId?: string): AsyncGenerator<Datasource[]> {
    let last: Datasource | undefined;
    do {
      const page = await this.page(datastoreId, siteId, last);
      yield page;
      last = page.length < PAGE_SIZE ? undefined : page.at(-1);
    } while (last !== undefined);
  }

  private async page(
    datastoreId: string,
    siteId: string | undefined,
    last: Datasource | undefined,
  ): Promise<Datasource[]> {
    const group = siteId === undefined ? '' : `&groupId=${siteId}`;
    const cursor = last === undefined ? '' : `&cursor=${last.id}`;
    return this.json('GET', `datasources?datastoreId=${datastoreId}${group}&limit=${PAGE_SIZE}${cursor}`);
  }

  private request(
    method: string,
    path: string,
    body?: string | Buffer,
    contentType?: string,
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined
          ? {}
          : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
      };
      const { agent } = this;
      const outgoing = request(`${this.origin}${path}`, { agent, method, headers, timeout: IDLE_TIMEOUT_MS });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path}: no answer`)));
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
        );
      });
      outgoing.end(body);
    });
  }
}
