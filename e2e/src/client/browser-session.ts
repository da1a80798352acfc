import { ApiClient } from './api-client.js';
import type { ApiResponse } from './api-response.js';

let addresses = 0;

/** A browser: it keeps the session cookie, and has an address of its own behind a trusted proxy. */
export class BrowserSession {
  private readonly api: ApiClient;
  readonly address = `198.18.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`;

  constructor(
    baseUrl: string,
    public cookie = '',
  ) {
    this.api = new ApiClient(baseUrl, null);
  }

  /** The same browser at another process of the service. */
  at(baseUrl: string): BrowserSession {
    return new BrowserSession(baseUrl, this.cookie);
  }

  async call(method: string, path: string, json?: unknown): Promise<ApiResponse> {
    const headers = { 'citewell-csrf': '1', 'x-forwarded-for': this.address, cookie: this.cookie };
    const response = await this.api.call(method, path, json === undefined ? { headers } : { headers, json });
    this.cookie = response.header('set-cookie')?.split(';')[0] ?? this.cookie;
    return response;
  }
}
