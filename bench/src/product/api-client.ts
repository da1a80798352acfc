import { Agent, request, type RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource, DatastoreQueryItem } from '@citewell/contracts/http';
import { API_KEY } from './standalone-process.js';

const PAGE = 100;
const POLL_MS = 50;

/** One request after the other over one connection that stays open, with as little of its own as can be. */
export class ApiClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly base: URL;

  constructor(
    url: string,
    private readonly key = API_KEY,
  ) {
    this.base = new URL(url);
  }

  /**
   * The answer's body as text.
   * @throws Error for a status other than 200
   */
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
            if (incoming.statusCode === 200) resolve(text);
            else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${text}`));
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** What the answer holds is the caller's claim: benchmarks ask endpoints whose shapes they know. */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const text = await (body === undefined
      ? this.send(method, `/api/${path}`)
      : this.send(method, `/api/${path}`, JSON.stringify(body), { 'content-type': 'application/json' }));
    return JSON.parse(text) as T;
  }

  async createDatastore(): Promise<string> {
    return (await this.json<{ id: string }>('POST', 'datastores', { name: 'Benchmark' })).id;
  }

  /** Ids in the order of the texts. */
  async upsert(datastoreId: string, documents: readonly { text: string; name: string }[]): Promise<string[]> {
    const { ids } = await this.json<{ ids: string[] }>('POST', `datastores/upsert/${datastoreId}`, {
      documents,
    });
    return ids;
  }

  async query(datastoreId: string, query: string, topK: number): Promise<DatastoreQueryItem[]> {
    return this.json('POST', `datastores/${datastoreId}/query`, { query, topK });
  }

  /** Uploads a file as a browser's form does. */
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
    // The shape is that of the contracts; a benchmark trusts it.
    return JSON.parse(text) as Datasource;
  }

  async datasource(id: string): Promise<Datasource> {
    return this.json('GET', `datasources/${id}`);
  }

  /**
   * Waits until nothing of a datastore is under way.
   * @throws Error when a datasource failed
   */
  async settle(datastoreId: string): Promise<void> {
    const of = (status: string): Promise<Datasource[]> =>
      this.json('GET', `datasources?datastoreId=${datastoreId}&status=${status}&limit=1`);
    for (;;) {
      const [waiting, running] = [await of('unsynched'), await of('running')];
      if (waiting.length + running.length === 0) break;
      await sleep(POLL_MS);
    }
    const [failed] = await of('error');
    if (failed !== undefined) throw new Error(`${failed.name} failed: ${failed.error?.message}`);
  }

  /** Chunks of all datasources of a datastore. */
  async countChunks(datastoreId: string): Promise<number> {
    let chunks = 0;
    for (let cursor = ''; ;) {
      const page = await this.json<Datasource[]>(
        'GET',
        `datasources?datastoreId=${datastoreId}&limit=${PAGE}${cursor}`,
      );
      for (const { stats } of page) chunks += stats.chunks;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return chunks;
      cursor = `&cursor=${last.id}`;
    }
  }

  close(): void {
    this.agent.destroy();
  }
}
