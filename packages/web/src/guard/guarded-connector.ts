import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressPolicy } from './address-policy.js';
import { WebFetchError } from './web-fetch.error.js';

/** All addresses of a host name. */
export type Resolver = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** The resolver of the operating system, `/etc/hosts` included. */
export const systemResolver: Resolver = (hostname) => systemLookup(hostname, { all: true });

/** What `localhost` and every name below it means, whatever a resolver makes of it (RFC 6761, section 6.3). */
const LOOPBACK = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
];
const LOCALHOST = /^(.*\.)?localhost\.?$/i;

/**
 * Opens connections to permitted addresses only.
 *
 * The check is part of connecting: the addresses that were judged are the very ones that the socket gets, so a name
 * that answers differently the next time (DNS rebinding) gains nothing. A name with any forbidden address is refused
 * whole, unless the deployment has opened another of its addresses: then that one is used. Address literals never
 * reach a lookup and are judged by themselves.
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
      // `LookupFunction` asks for a system error, but passes any on.
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
      // What counts in the end is where the socket has arrived.
      if (!error && !policy.permits(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(addressBlocked(), null);
        return;
      }
      callback(...result);
    });
  };
}

/** The refusal of a private address. It does not say which address it was: the answer would map the network. */
export function addressBlocked(): WebFetchError {
  return new WebFetchError(
    'blocked',
    'ADDRESS_BLOCKED',
    'The address leads to a private network. An administrator can allow it with ALLOW_PRIVATE_NETWORKS.',
  );
}

/**
 * The addresses of a name that may be connected to.
 *
 * @throws WebFetchError `ADDRESS_BLOCKED` or `DNS_FAILED`
 */
export async function permittedAddresses(
  hostname: string,
  policy: AddressPolicy,
  resolve: Resolver,
): Promise<{ address: string; family: number }[]> {
  const addresses = await (LOCALHOST.test(hostname) ? Promise.resolve(LOOPBACK) : resolve(hostname)).catch(
    (error: unknown) => {
      throw dnsFailed(error);
    },
  );
  if (addresses.length === 0) throw dnsFailed(null);
  const permitted = addresses.filter(({ address }) => policy.permits(address));
  if (permitted.length === addresses.length) return addresses;
  // `localhost` is ::1 too where only 127.0.0.0/8 was opened.
  if (permitted.some(({ address }) => policy.opens(address))) return permitted;
  throw addressBlocked();
}

function dnsFailed(cause: unknown): WebFetchError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const unknownName = cause === null || code === 'ENOTFOUND' || code === 'ENODATA';
  return new WebFetchError(
    unknownName ? 'permanent' : 'transient',
    'DNS_FAILED',
    unknownName ? 'There is no host of this name.' : 'The name of the host could not be looked up.',
    { cause },
  );
}
