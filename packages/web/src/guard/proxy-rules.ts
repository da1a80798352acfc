import { isIP } from 'node:net';
import type { AddressPolicy } from './address-policy.js';
import { addressBlocked, permittedAddresses, type Resolver } from './guarded-connector.js';
import { WebFetchError } from './web-fetch.error.js';

export interface ProxyOptions {
  /** `http://` or `https://`, with user name and password if the proxy wants them. */
  url: string;
  /** The proxy for http, where it is another one. Default: `url`. */
  httpUrl?: string;
  /** Hosts that are reached directly, as in `NO_PROXY`: `example.org` and `.example.org` mean the host and all below
   * it, `*` all. Default: none. */
  bypass?: readonly string[];
}

/** @throws TypeError for what is no address of a proxy */
export function parseProxyUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new TypeError('a proxy is an http:// or https:// address');
  return parsed;
}

/**
 * Which hosts are asked for through a proxy, and which may be.
 *
 * With a proxy nobody here sees the address that is connected to: the proxy looks names up by itself, perhaps in a DNS
 * that we do not have. So the guard does what it can beforehand. Address literals are judged as ever. Names are looked
 * up here too, and one that leads to a private network, which is how a split DNS answers for internal hosts, is
 * refused; one that cannot be looked up here goes to the proxy. Against a name that answers us and the proxy
 * differently only the proxy's own rules help: it must not let this service into networks that are closed to it.
 *
 * The proxy's own address is not judged: whoever configures the deployment has named it.
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

  /** Whether a host is reached directly, where everything is judged while connecting. */
  isDirect({ hostname }: URL): boolean {
    const host = bare(hostname);
    return this.bypass.some((rule) => rule === '*' || host === rule || host.endsWith(`.${rule}`));
  }

  /** @throws WebFetchError `ADDRESS_BLOCKED` */
  async check({ hostname }: URL): Promise<void> {
    const host = bare(hostname);
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

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
