import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource, DatastoreQueryItem, RunItem } from '@citewell/contracts/schemas';

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

  /** Empty if the body is no error of the API. */
  get code(): string {
    return /"error":"(\w+)"/.exec(this.body)?.[1] ?? '';
  }
}

/** A file to upload. */
export interface UploadedFile {
  readonly name: string;
  readonly content: Uint8Array;
  readonly mimeType?: string;
}

/** Client of the API for programs that measure or disturb the product. It never retries. The shapes of answers are not validated. */
export class ProductClient {
  private readonly agent: Agent;

  /** @param connections at a time. One connection hardly adds to what is measured */
  constructor(
    readonly origin: string,
    readonly key: string,
    connections = Infinity,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

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

  async isReady(): Promise<boolean> {
    return (await this.request('GET', '/health/ready')).status === 200;
  }

  async createOrganization(name: string): Promise<ProductClient> {
    const { key } = await this.json<{ key: string }>('POST', 'organizations', { name });
    return new ProductClient(this.origin, key, this.agent.maxSockets);
  }

  async createDatastore(name = 'Benchmark'): Promise<string> {
    return (await this.json<{ id: string }>('POST', 'datastores', { name })).id;
  }

  async removeDatastore(id: string): Promise<void> {
    await this.json('DELETE', `datastores/${id}`);
  }

  /** @returns ids in the order of the documents */
  async createTexts(
    datastoreId: string,
    documents: readonly { readonly name: string; readonly text: string }[],
  ): Promise<string[]> {
    return (await this.json<{ ids: string[] }>('POST', `datastores/upsert/${datastoreId}`, { documents }))
      .ids;
  }

  async replaceText(datastoreId: string, id: string, text: string): Promise<void> {
    await this.json('POST', `datastores/update/${datastoreId}`, { id, text });
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

  async createWebPage(datastoreId: string, url: string): Promise<Datasource> {
    return this.json('POST', 'datasources', { datastoreId, type: 'web_page', config: { source_url: url } });
  }

  async createWebSite(datastoreId: string, config: Record<string, unknown>): Promise<Datasource> {
    return this.json('POST', 'datasources', { datastoreId, type: 'web_site', config });
  }

  async remove(id: string): Promise<void> {
    await this.json('DELETE', `datasources/${id}`);
  }

  async datasource(id: string): Promise<Datasource> {
    return this.json('GET', `datasources/${id}`);
  }

  async runs(id: string): Promise<RunItem[]> {
    return this.json('GET', `datasources/${id}/runs`);
  }

  async text(id: string): Promise<{ revision: number; length: number; text: string }> {
    return this.json('GET', `datasources/${id}/text`);
  }

  async query(
    datastoreId: string,
    query: string,
    { topK = PAGE_SIZE, datasourceIds }: { topK?: number; datasourceIds?: readonly string[] } = {},
  ): Promise<DatastoreQueryItem[]> {
    const filters = datasourceIds === undefined ? {} : { filters: { datasource_ids: datasourceIds } };
    return this.json('POST', `datastores/${datastoreId}/query`, { query, topK, ...filters });
  }

  /** All top-level datasources of a datastore, or the pages of one of its web sites, newest first. */
  async datasources(datastoreId: string, siteId?: string): Promise<Datasource[]> {
    const found: Datasource[] = [];
    for await (const page of this.pages(datastoreId, siteId)) found.push(...page);
    return found;
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
