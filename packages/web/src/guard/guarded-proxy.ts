import { type Dispatcher, ProxyAgent } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import type { Resolver } from './guarded-connector.js';
import { parseProxyUrl, type ProxyOptions, ProxyRules } from './proxy-rules.js';

/**
 * Sends requests through the proxy of the deployment: http as plain requests, https through a tunnel
 * (CONNECT). See `ProxyRules` for the effect on the guard.
 */
export class GuardedProxy {
  private readonly agents: Readonly<Record<'http:' | 'https:', ProxyAgent>>;
  private readonly rules: ProxyRules;

  /** @throws TypeError for a proxy with anything but an http or https URL */
  constructor(
    { url, httpUrl = url, bypass = [] }: ProxyOptions,
    policy: AddressPolicy,
    resolve: Resolver,
    timeouts: { headersTimeout: number; bodyTimeout: number; connectTimeout: number },
  ) {
    const agentFor = (proxy: string): ProxyAgent =>
      new ProxyAgent({ uri: parseProxyUrl(proxy).href, proxyTunnel: false, allowH2: false, ...timeouts });
    const https = agentFor(url);
    this.agents = { 'https:': https, 'http:': httpUrl === url ? https : agentFor(httpUrl) };
    this.rules = new ProxyRules(bypass, policy, resolve);
  }

  /**
   * @returns null for a host with a direct connection
   * @throws WebFetchError `ADDRESS_BLOCKED`, or the reason of `signal`
   */
  async dispatcherFor(url: URL, signal: AbortSignal): Promise<Dispatcher | null> {
    if (this.rules.isDirect(url)) return null;
    await this.checkUntil(signal, url);
    return this.agents[url.protocol === 'http:' ? 'http:' : 'https:'];
  }

  async close(): Promise<void> {
    await Promise.all([...new Set(Object.values(this.agents))].map((agent) => agent.destroy()));
  }

  /** A lookup cannot be cancelled; the wait for it can. */
  private async checkUntil(signal: AbortSignal, url: URL): Promise<void> {
    signal.throwIfAborted();
    const done = new AbortController();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { signal: done.signal });
    });
    await Promise.race([this.rules.check(url), aborted]).finally(() => done.abort());
  }
}
