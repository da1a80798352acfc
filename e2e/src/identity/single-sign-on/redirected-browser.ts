/** A browser without pages: it keeps cookies, and follows no redirect. */
export class RedirectedBrowser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly baseUrl: string) {}

  /** @returns the status and the address of the redirect */
  async open(url: string | URL): Promise<{ status: number; location: string; body: string }> {
    const response = await this.send(url, { redirect: 'manual' });
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      body: await response.text(),
    };
  }

  /** A request of a page of the service. */
  async call(method: string, path: string, json?: unknown): Promise<{ status: number; body: unknown }> {
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const headers = {
      'citewell-csrf': '1',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await this.send(`${this.baseUrl}${path}`, { method, headers, ...body });
    return { status: response.status, body: await response.json() };
  }

  private async send(
    url: string | URL,
    init: RequestInit & { headers?: Record<string, string> },
  ): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, ...init.headers };
    const response = await fetch(url, { ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
