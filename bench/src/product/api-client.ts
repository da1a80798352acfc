import { Agent, request, type RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource, DatastoreQueryItem } from '@citewell/contracts/schemas';
import { API_KEY } from './standalone-process.js';

const PAGE_SIZE = 100;
const POLL_MS = 50;

/** The API answered with a status other than 200. */
export class ApiResponseError extends Error {
  constructor(
    request: string,
    readonly status: number,
    readonly body: string,
  ) {
    super(`${request}: ${status} ${body}`);
    this.name = 'ApiResponseError';
  }
}

/**
 * Minimal API client with one keep-alive connection, so that its own overhead hardly affects measurements.
 */
export class ApiClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly base: URL;

  constructor(
    url: string,
    private readonly key = API_KEY,
  ) {
    this.base = new URL(url);
  }

  /** @returns the response body as text. @throws ApiResponseError for a status other than 200 */
  send(
    method: string,
    path: string,
    body?: string | Buffer,
    headers: RequestOptions['headers'] = {},
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.agent,
          host: this.base.hostname,
          port: this.base.port,
          method,
          path,
          headers: {
            authorization: `Bearer ${this.key}`,
            ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on('data', (part: Buffer) => parts.push(part));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(parts).toString();
            const { statusCode = 0 } = incoming;
            if (statusCode === 200) resolve(text);
            else reject(new ApiResponseError(`${method} ${path}`, statusCode, text));
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Parses the response as JSON. The shape `T` is not validated. */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = await (body === undefined
      ? this.send(method, `/api/${path}`)
      : this.send(method, `/api/${path}`, JSON.stringify(body), { 'content-type': 'application/json' }));
    return JSON.parse(text) as T;
  }

  async createDatastore(): Promise<string> {
    return (await this.json<{ id: string }>('POST', 'datastores', { name: 'Benchmark' })).id;
  }

  /** @returns ids in the order of the documents */
  async upsert(datastoreId: string, documents: readonly { text: string; name: string }[]): Promise<string[]> {
    const { ids } = await this.json<{ ids: string[] }>('POST', `datastores/upsert/${datastoreId}`, {
      documents,
    });
    return ids;
  }

  async query(datastoreId: string, query: string, topK: number): Promise<DatastoreQueryItem[]> {
    return this.json('POST', `datastores/${datastoreId}/query`, { query, topK });
  }

  /** Uploads a file as a browser form does. */
  async upload(datastoreId: string, fileName: string, bytes: Buffer): Promise<Datasource> {
    const boundary = '----citewell-benchmark';
    const head = [
      `--${boundary}\r\nContent-Disposition: form-data; name="datastoreId"\r\n\r\n${datastoreId}\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n`,
      `Content-Type: application/octet-stream\r\n\r\n`,
    ].join('');
    const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const text = await this.send('POST', '/api/datasources', body, {
      'content-type': `multipart/form-data; boundary=${boundary}`,
    });
    return JSON.parse(text) as Datasource;
  }

  async datasource(id: string): Promise<Datasource> {
    return this.json('GET', `datasources/${id}`);
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
    let page: Datasource[];
    for (let last: Datasource | undefined; ; last = page.at(-1)) {
      page = await this.page(datastoreId, last);
      while (page.some(({ semantic }) => semantic !== null)) {
        await sleep(pollMs);
        page = await this.page(datastoreId, last);
      }
      if (page.length < PAGE_SIZE) return;
    }
  }

  /** Number of chunks in a datastore. */
  async countChunks(datastoreId: string): Promise<number> {
    let chunks = 0;
    let page: Datasource[];
    for (let last: Datasource | undefined; ; last = page.at(-1)) {
      page = await this.page(datastoreId, last);
      chunks += page.reduce((sum, { stats }) => sum + stats.chunks, 0);
      if (page.length < PAGE_SIZE) return chunks;
    }
  }

  /** Datasources of a datastore that follow another one, newest first. */
  private async page(datastoreId: string, last?: Datasource): Promise<Datasource[]> {
    const cursor = last === undefined ? '' : `&cursor=${last.id}`;
    return this.json('GET', `datasources?datastoreId=${datastoreId}&limit=${PAGE_SIZE}${cursor}`);
  }

  close(): void {
    this.agent.destroy();
  }
}
