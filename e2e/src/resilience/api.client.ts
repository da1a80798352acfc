import type { Datasource, DatastoreQueryItem, RunItem } from '@citewell/contracts/schemas';
import type { SourceFile } from './corpus.js';

/** The API answered with an error status. */
export class ApiResponseError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    request: string,
  ) {
    super(`${request}: ${status} ${code}`);
    this.name = 'ApiResponseError';
  }
}

const PAGE_SIZE = 100;
const TIMEOUT_MS = 60_000;

/**
 * Client of the endpoints that the resilience tests use. It never retries, so that tests see every failure.
 */
export class ApiClient {
  constructor(
    readonly origin: string,
    readonly key: string,
  ) {}

  async createOrganization(name: string): Promise<ApiClient> {
    const { key } = await this.post<{ key: string }>('organizations', { name });
    return new ApiClient(this.origin, key);
  }

  async createDatastore(name: string): Promise<string> {
    return (await this.post<{ id: string }>('datastores', { name })).id;
  }

  async removeDatastore(id: string): Promise<void> {
    await this.call('DELETE', `datastores/${id}`);
  }

  async upload(datastoreId: string, file: SourceFile): Promise<Datasource> {
    const form = new FormData();
    form.set('datastoreId', datastoreId);
    form.set('file', new File([file.content], file.name, { type: file.mimeType }));
    return this.call('POST', 'datasources', form);
  }

  async createWebPage(datastoreId: string, url: string): Promise<Datasource> {
    return this.post('datasources', { datastoreId, type: 'web_page', config: { source_url: url } });
  }

  async createWebSite(datastoreId: string, config: Record<string, unknown>): Promise<Datasource> {
    return this.post('datasources', { datastoreId, type: 'web_site', config });
  }

  async createTexts(
    datastoreId: string,
    documents: readonly { name: string; text: string }[],
  ): Promise<string[]> {
    return (await this.post<{ ids: string[] }>(`datastores/upsert/${datastoreId}`, { documents })).ids;
  }

  async replaceText(datastoreId: string, id: string, text: string): Promise<void> {
    await this.post(`datastores/update/${datastoreId}`, { id, text });
  }

  async remove(id: string): Promise<void> {
    await this.call('DELETE', `datasources/${id}`);
  }

  async datasource(id: string): Promise<Datasource> {
    return this.call('GET', `datasources/${id}`);
  }

  async runs(id: string): Promise<RunItem[]> {
    return this.call('GET', `datasources/${id}/runs`);
  }

  async text(id: string): Promise<{ revision: number; length: number; text: string }> {
    return this.call('GET', `datasources/${id}/text`);
  }

  /** All top-level datasources of a datastore, or the pages of one of its web sites. */
  async datasources(datastoreId: string, siteId?: string): Promise<Datasource[]> {
    const group = siteId === undefined ? '' : `&groupId=${siteId}`;
    const found: Datasource[] = [];
    for (;;) {
      const cursor = found.at(-1)?.id;
      const page: Datasource[] = await this.call(
        'GET',
        `datasources?datastoreId=${datastoreId}${group}&limit=${PAGE_SIZE}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page);
      if (page.length < PAGE_SIZE) return found;
    }
  }

  async query(
    datastoreId: string,
    query: string,
    options: { topK?: number; datasourceIds?: readonly string[] } = {},
  ): Promise<DatastoreQueryItem[]> {
    return this.post(`datastores/${datastoreId}/query`, {
      query,
      topK: options.topK ?? 100,
      ...(options.datasourceIds ? { filters: { datasource_ids: options.datasourceIds } } : {}),
    });
  }

  async isReady(): Promise<boolean> {
    const response = await fetch(`${this.origin}/health/ready`, { signal: AbortSignal.timeout(5_000) });
    await response.text();
    return response.status === 200;
  }

  private async post<Result>(path: string, body: unknown): Promise<Result> {
    return this.call('POST', path, JSON.stringify(body));
  }

  private async call<Result>(method: string, path: string, body?: string | FormData): Promise<Result> {
    const response = await fetch(`${this.origin}/api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    const result: unknown = await response.json();
    if (!response.ok) {
      const code = typeof result === 'object' && result !== null && 'error' in result ? result.error : '';
      throw new ApiResponseError(response.status, String(code), `${method} ${path}`);
    }
    // The specification tests validate response bodies against the contracts.
    return result as Result;
  }
}
