import { Answer } from './answer.js';

export interface RequestOptions {
  json?: unknown;
  /** Sent as it is; say what it is in the headers. */
  body?: string | FormData | Uint8Array<ArrayBuffer>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** Calls the API with one key, and hands out what came back whatever it is. */
export class ApiClient {
  /** @param key null sends no `Authorization` at all */
  constructor(
    readonly baseUrl: string,
    readonly key: string | null,
  ) {}

  /** The same API with another key. */
  with(key: string | null): ApiClient {
    return new ApiClient(this.baseUrl, key);
  }

  async call(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const response = await this.open(method, path, options);
    const bytes = Buffer.from(await response.arrayBuffer());
    return new Answer(`${method} ${path}`, response.status, response.headers, bytes);
  }

  /** The response before its body is read. */
  async open(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { json, body, headers, signal } = options;
    const sent = json === undefined ? body : JSON.stringify(json);
    return fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(this.key === null ? {} : { authorization: `Bearer ${this.key}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal ? { signal } : {}),
    });
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.call('POST', path, {
      ...(json === undefined ? {} : { json }),
      ...(headers ? { headers } : {}),
    });
  }

  patch(path: string, json: unknown): Promise<Answer> {
    return this.call('PATCH', path, { json });
  }

  delete(path: string): Promise<Answer> {
    return this.call('DELETE', path);
  }

  /** A multipart upload, its parts in the order given. */
  upload(
    parts: readonly FormPart[],
    path = '/datasources',
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const body = new FormData();
    for (const [name, value, fileName] of parts) {
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, value, fileName ?? 'file');
    }
    return this.call('POST', path, { body, ...(headers ? { headers } : {}) });
  }
}

/** A part of a form: its name, its text or its file, and the file's own name. */
export type FormPart = readonly [name: string, value: string | Blob, fileName?: string];
