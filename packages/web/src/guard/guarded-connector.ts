import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import { isOffline, offlineRefusal } from '../offline.js';
import { WebFetchError } from './fetch-errors.js';

/** All addresses of a host name. */
export type Resolver = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** The resolver of the operating system, `/etc/hosts` included. */
export const systemResolver: Resolver = (hostname) => systemLookup(hostname, { all: true });

/**
 * The addresses of `localhost` and every name below it, whatever the resolver returns (RFC 6761, section
 * 6.3).
 */
const LOOPBACK = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
];
const LOCALHOST = /^(.*\.)?localhost\.?$/i;

/**
 * Opens connections to permitted addresses only.
 *
 * The check is part of connecting: the socket gets exactly the addresses that were checked, so DNS rebinding
 * (a name that resolves differently the next time) has no effect. A name with any forbidden address is
 * refused, unless the deployment allows the private network of another of its addresses. Then only its
 * permitted addresses are used. Address literals are not looked up and are checked separately.
 */
export function guardedConnector(
  policy: AddressPolicy,
  resolve: Resolver,
  timeoutMs: number,
): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    void permittedAddresses(hostname, policy, resolve).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      // The type asks for a system error; any error is passed on.
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
  const connect = buildConnector({ lookup, timeout: timeoutMs, allowH2: false, autoSelectFamily: true });

  return (options, callback) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) && !policy.permits(literal)) {
      callback(addressBlocked(), null);
      return;
    }
    connect({ ...options, hostname: literal }, (...result) => {
      const [error, socket] = result;
      // The address that the socket is connected to decides.
      if (!error && !policy.permits(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(addressBlocked(), null);
        return;
      }
      callback(...result);
    });
  };
}

/** The error for an address that is not permitted. It does not name the address, which would reveal the network. */
export function addressBlocked(): WebFetchError {
  if (isOffline()) return offlineRefusal();
  return new WebFetchError(
    'blocked',
    'ADDRESS_BLOCKED',
    'The address leads to a private network. An administrator can allow it with ALLOW_PRIVATE_NETWORKS.',
  );
}

/**
 * The permitted addresses of a name.
 *
 * @throws WebFetchError `ADDRESS_BLOCKED`, `OFFLINE` or `DNS_FAILED`
 */
export async function permittedAddresses(
  hostname: string,
  policy: AddressPolicy,
  resolve: Resolver,
): Promise<{ address: string; family: number }[]> {
  if (policy.permitsNone) throw offlineRefusal();
  const addresses = await (LOCALHOST.test(hostname) ? Promise.resolve(LOOPBACK) : resolve(hostname)).catch(
    (error: unknown) => {
      // Without access to the Internet, its names are unknown.
      throw isOffline() ? offlineRefusal() : dnsFailed(error);
    },
  );
  if (addresses.length === 0) throw dnsFailed(null);
  const permitted = addresses.filter(({ address }) => policy.permits(address));
  if (permitted.length === addresses.length) return addresses;
  // `localhost` is also ::1 if only 127.0.0.0/8 is allowed.
  if (permitted.some(({ address }) => policy.isAllowedPrivate(address))) return permitted;
  throw addressBlocked();
}

function dnsFailed(cause: unknown): WebFetchError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const isUnknownName = cause === null || code === 'ENOTFOUND' || code === 'ENODATA';
  return new WebFetchError(
    isUnknownName ? 'permanent' : 'transient',
    'DNS_FAILED',
    isUnknownName ? 'There is no host of this name.' : 'The name of the host could not be looked up.',
    { cause },
  );
}
