import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.js';
import { addressBlocked, permittedAddresses, type Resolver } from './guarded-connector.js';
import { WebFetchError } from './fetch-errors.js';

export interface ProxyOptions {
  /** `http://` or `https://`, with user name and password if the proxy needs them. */
  url: string;
  /** The proxy for http, if it is another one. Default: `url`. */
  httpUrl?: string;
  /**
   * Hosts to which connections are direct, as in `NO_PROXY`: `example.org` and `.example.org` mean the host
   * and all its subdomains, `*` means all hosts. Default: none.
   */
  bypass?: readonly string[];
}

/** @throws TypeError for anything but an http or https URL */
export function parseProxyUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new TypeError('a proxy must have an http:// or https:// URL');
  return parsed;
}

/**
 * Decides which hosts are requested through the proxy, and which of them are allowed.
 *
 * Behind a proxy the guard cannot see the address of a connection: the proxy resolves names itself, perhaps
 * with another DNS. So the guard checks what it can in advance. Address literals are checked as usual. Names
 * are resolved here, too, and refused if they lead to a private network, as internal hosts do in a split DNS.
 * A name that cannot be resolved here is left to the proxy. If a name resolves differently for the proxy,
 * only the rules of the proxy help: it must not let this service into networks that are closed to it.
 *
 * The address of the proxy itself is not checked, because the operator has configured it.
 */
export class ProxyRules {
  private readonly bypass: readonly string[];

  constructor(
    bypass: readonly string[],
    private readonly policy: AddressPolicy,
    private readonly resolve: Resolver,
  ) {
    this.bypass = bypass
      .map((host) =>
        host
          .trim()
          .toLowerCase()
          .replace(/^\*?\./, ''),
      )
      .filter(Boolean);
  }

  /** Whether the connection to a host is direct. Then the guard checks it while connecting. */
  isDirect({ hostname }: URL): boolean {
    const host = bareHost(hostname);
    return this.bypass.some((rule) => rule === '*' || host === rule || host.endsWith(`.${rule}`));
  }

  /** @throws WebFetchError `ADDRESS_BLOCKED` */
  async check({ hostname }: URL): Promise<void> {
    const host = bareHost(hostname);
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

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
