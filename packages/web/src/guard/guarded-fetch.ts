import { globalAgent } from 'node:https';
import { isIP } from 'node:net';
import { Agent, EnvHttpProxyAgent } from 'undici';
import { isOffline } from '../offline.js';
import { type Fetch, fetchThrough } from '../remote-fetch.js';
import { AddressPolicy } from './address-policy.js';
import { parseFetchUrl } from './fetch-url.js';
import { addressBlocked, guardedConnector, permittedAddresses, systemResolver } from './guarded-connector.js';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * `remoteFetch` for addresses that were entered over HTTP. It connects to public addresses and to the allowed networks
 * only, and does not follow redirects, which could take a key elsewhere: they are errors, or with `redirect: 'manual'`
 * responses. If Node uses a proxy of the environment
 * (`NODE_USE_ENV_PROXY`), the proxy looks the names up, and decides what it connects to.
 *
 * @param allowPrivateNetworks in CIDR notation
 */
export function guardedFetch(allowPrivateNetworks: readonly string[]): Fetch {
  const policy = new AddressPolicy(allowPrivateNetworks);
  const connect = guardedConnector(policy, systemResolver, CONNECT_TIMEOUT_MS);
  const dispatcher = new (usesProxy() ? EnvHttpProxyAgent : Agent)({ allowH2: false, connect });
  return async (input, init) => {
    // Names that a proxy of the environment looks up.
    if (isOffline() && usesProxy())
      await requirePermittedAddress(
        input instanceof Request ? input.url : String(input),
        allowPrivateNetworks,
      );
    const redirect = init?.redirect === 'manual' ? 'manual' : 'error';
    return fetchThrough(dispatcher, input, { ...init, redirect });
  };
}

/**
 * Checks an address before it is stored. {@link guardedFetch} checks again whenever it connects.
 *
 * @throws WebFetchError `BAD_URL`, `PORT_BLOCKED`, `ADDRESS_BLOCKED`, `OFFLINE` or `DNS_FAILED`
 */
export async function requirePermittedAddress(
  address: string,
  allowPrivateNetworks: readonly string[],
): Promise<void> {
  const { hostname } = parseFetchUrl(address);
  const policy = new AddressPolicy(allowPrivateNetworks);
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) === 0) {
    if (!usesProxy() || isOffline()) await permittedAddresses(hostname, policy, systemResolver);
  } else if (!policy.permits(literal)) throw addressBlocked();
}

/**
 * An address of a host that may be connected to, for programs that connect by themselves. They get the address instead of
 * the name, so that the name cannot lead elsewhere the next time.
 *
 * @param host a name or an address
 * @param allowPrivateNetworks in CIDR notation
 * @returns one of its addresses, of IPv4 if it has one
 * @throws WebFetchError `ADDRESS_BLOCKED`, `OFFLINE` or `DNS_FAILED`
 */
export async function permittedAddress(
  host: string,
  allowPrivateNetworks: readonly string[],
): Promise<string> {
  const policy = new AddressPolicy(allowPrivateNetworks);
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) {
    if (!policy.permits(literal)) throw addressBlocked();
    return literal;
  }
  const addresses = await permittedAddresses(host, policy, systemResolver);
  const [first] = addresses.toSorted((one, other) => one.family - other.family);
  // `permittedAddresses` returns at least one.
  return (first as { address: string }).address;
}

function usesProxy(): boolean {
  return globalAgent.options.proxyEnv !== undefined;
}
