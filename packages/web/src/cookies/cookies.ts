import { CookieJar } from 'tough-cookie';

/** Hosts whose cookies are kept. The cookies of the oldest one are dropped. */
const MAX_HOSTS = 20;
/** Cookies of one host, as RFC 6265, 6.1 asks of a browser. */
const MAX_COOKIES = 50;
/** Of a `Set-Cookie` header. Longer ones are ignored, as browsers do. */
const MAX_COOKIE_CHARACTERS = 4_096;
/** Of a `Cookie` header. Servers refuse longer headers. */
const MAX_HEADER_CHARACTERS = 8_192;

/**
 * The cookies of one visit (RFC 6265), in memory. A cookie is sent to the host and port that set it and to no other one,
 * whatever its `Domain` says.
 */
export class Cookies {
  private readonly jars = new Map<string, CookieJar>();
  private changes = 0;

  /** Grows whenever a cookie is set to another value. */
  get version(): number {
    return this.changes;
  }

  /** The value of the `Cookie` header of a request; undefined without cookies. */
  headerFor(url: URL): string | undefined {
    let header = '';
    for (const cookie of this.jars.get(url.host)?.getCookiesSync(url.href) ?? []) {
      const longer = header + (header && '; ') + cookie.cookieString();
      if (longer.length <= MAX_HEADER_CHARACTERS) header = longer;
    }
    return header || undefined;
  }

  /** `Set-Cookie` headers that give a browser the cookies of a URL's host. */
  setCookiesFor(url: URL): string[] {
    return this.all(url).map((cookie) => cookie.toString());
  }

  /** @param setCookies the `Set-Cookie` headers of a response. Those that its host may not set are ignored */
  store(url: URL, setCookies: readonly string[]): void {
    const accepted = setCookies.slice(0, MAX_COOKIES).filter(({ length }) => length <= MAX_COOKIE_CHARACTERS);
    if (accepted.length === 0) return;
    const jar = this.jarOf(url.host);
    const before = this.values(url);
    for (const line of accepted) {
      const name = line.split('=', 1)[0]?.trim();
      const known = this.all(url);
      if (known.length < MAX_COOKIES || known.some(({ key }) => key === name))
        jar.setCookieSync(line, url.href, { ignoreError: true });
    }
    if (this.values(url) !== before) this.changes += 1;
  }

  private jarOf(host: string): CookieJar {
    // The host itself is checked here, so the list of public suffixes is not needed.
    const jar = this.jars.get(host) ?? new CookieJar(undefined, { rejectPublicSuffixes: false });
    this.jars.set(host, jar);
    const [oldest] = this.jars.keys();
    if (this.jars.size > MAX_HOSTS && oldest !== undefined) this.jars.delete(oldest);
    return jar;
  }

  private all(url: URL) {
    return this.jars.get(url.host)?.getCookiesSync(url.href, { allPaths: true }) ?? [];
  }

  private values(url: URL): string {
    return this.all(url)
      .map((cookie) => `${cookie.path ?? ''} ${cookie.cookieString()}`)
      .join('\n');
  }
}
