import { isIPv6 } from 'node:net';

/** One client usually has a whole network of this many IPv6 groups, a `/64`. */
const NETWORK_GROUPS = 4;

/** Some proxies append the port of the client, which differs in each connection. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/** What identifies a client for rate limits: its IPv4 address, or the network of its IPv6 address. */
export function clientNetwork(forwarded: string): string {
  const [, bracketed, ipv4] = WITH_PORT.exec(forwarded) ?? [];
  const address = bracketed ?? ipv4 ?? forwarded;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  // The URL parser writes an address in one form, without its zone.
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':');
}
