import { ApiResponse } from './api-response.js';

export interface RequestOptions {
  json?: unknown;
  /** Sent unchanged. Set `content-type` in `headers`. */
  body?: string | FormData | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** HTTP client of the API with one key. It returns error responses instead of throwing, and never retries. */
export class ApiClient {
  /**
   * @param key null sends no `Authorization` header
   * @param headers of every request
   */
  constructor(
    readonly baseUrl: string,
    readonly key: string | null,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** A client of the same API with another key. */
  with(key: string | null): ApiClient {
    return new ApiClient(this.baseUrl, key);
  }

  async call(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    return ApiResponse.read(`${method} ${path}`, await this.open(method, path, options));
  }

  /** Resolves when the headers have arrived. The caller reads the body. */
  async open(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { json, body, headers, signal } = options;
    const sent = json === undefined ? body : JSON.stringify(json);
    return fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(this.key === null ? {} : { authorization: `Bearer ${this.key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.headers,
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal ? { signal } : {}),
    });
  }

  get(path: string): Promise<ApiResponse> {
    return this.call('GET', path);
  }

  post(path: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiResponse> {
    return this.call('POST', path, {
      ...(json === undefined ? {} : { json }),
      ...(headers ? { headers } : {}),
    });
  }

  put(path: string, json: unknown): Promise<ApiResponse> {
    return this.call('PUT', path, { json });
  }

  patch(path: string, json: unknown): Promise<ApiResponse> {
    return this.call('PATCH', path, { json });
  }

  delete(path: string): Promise<ApiResponse> {
    return this.call('DELETE', path);
  }

  /** A multipart upload. The parts are sent in the given order. */
  upload(
    parts: readonly FormPart[],
    path = '/datasources',
    headers?: Readonly<Record<string, string>>,
    method = 'POST',
  ): Promise<ApiResponse> {
    const body = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, value, fileName ?? 'file');
    }
    return this.call(method, path, { body, ...(headers ? { headers } : {}) });
  }
}

/** A form field or a file of a multipart request. `fileName` applies to files only. */
export type FormPart = readonly [name: string, value: string | Blob, fileName?: string];
