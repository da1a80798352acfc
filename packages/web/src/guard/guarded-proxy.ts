import { isIP } from 'node:net';
import { type Dispatcher, ProxyAgent } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import { addressBlocked, permittedAddresses, type Resolver } from './guarded-connector.js';
import { WebFetchError } from './web-fetch.error.js';

export interface ProxyOptions {
  /** `http://` or `https://`, with user name and password if the proxy wants them. */
  url: string;
  /** Hosts that are reached directly, as in `NO_PROXY`: `example.org` and `.example.org` mean the host and all below
   * it, `*` all. Default: none. */
  bypass?: readonly string[];
}

/**
 * Requests through the proxy of a deployment. http goes to it as it is, https through a tunnel (CONNECT).
 *
 * With a proxy nobody here sees the address that is connected to: the proxy looks names up by itself, perhaps in a DNS
 * that we do not have. So the guard does what it can beforehand. Address literals are judged as ever. Names are looked
 * up here too, and one that leads to a private network, which is how a split DNS answers for internal hosts, is
 * refused; one that cannot be looked up here goes to the proxy. Against a name that answers us and the proxy
 * differently only the proxy's own rules help: it must not let this service into networks that are closed to it.
 *
 * The proxy's own address is not judged: whoever configures the deployment has named it.
 */
export class GuardedProxy {
  private readonly agent: ProxyAgent;
  private readonly bypass: readonly string[];

  /** @throws TypeError for a `url` that is none of http or https */
  constructor(
    { url, bypass = [] }: ProxyOptions,
    private readonly policy: AddressPolicy,
    private readonly resolve: Resolver,
    timeouts: { headersTimeout: number; bodyTimeout: number; connectTimeout: number },
  ) {
    const uri = URL.parse(url);
    if (!uri || !/^https?:$/.test(uri.protocol))
      throw new TypeError('a proxy is an http:// or https:// address');
    this.agent = new ProxyAgent({ uri: uri.href, proxyTunnel: false, ...timeouts });
    this.bypass = bypass
      .map((host) =>
        host
          .trim()
          .toLowerCase()
          .replace(/^\*?\./, ''),
      )
      .filter(Boolean);
  }

  /**
   * @returns null for a host that is reached directly
   * @throws WebFetchError `ADDRESS_BLOCKED`, or the reason of `signal`
   */
  async dispatcherFor({ hostname }: URL, signal: AbortSignal): Promise<Dispatcher | null> {
    const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    if (this.bypass.some((rule) => rule === '*' || host === rule || host.endsWith(`.${rule}`))) return null;
    await this.checkUntil(signal, host);
    return this.agent;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  /** A look-up cannot be called off, only no longer waited for. */
  private async checkUntil(signal: AbortSignal, host: string): Promise<void> {
    signal.throwIfAborted();
    const done = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
    });
    await Promise.race([this.check(host), aborted]).finally(() => done.abort());
  }

  private async check(host: string): Promise<void> {
    if (isIP(host)) {
      if (!this.policy.permits(host)) throw addressBlocked();
      return;
    }
    try {
      await permittedAddresses(host, this.policy, this.resolve);
    } catch (error) {
      if (!(error instanceof WebFetchError) || error.code !== 'DNS_FAILED') throw error;
    }
  }
}
