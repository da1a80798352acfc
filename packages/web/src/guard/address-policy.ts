import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isOffline } from '../offline.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/**
 * IPv4 networks that are not the public Internet: IANA's special-purpose registry
 * (https://www.iana.org/assignments/iana-ipv4-special-registry), multicast, the reserved block, and a public
 * address at which a cloud serves metadata to its own machines.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this host
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's platform services
  '169.254.0.0/16', // link-local, and the metadata services of most clouds
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map((cidr) => ipaddr.parseCIDR(cidr));

/** The global unicast range of IPv6 … */
const GLOBAL_IPV6: Network = ipaddr.parseCIDR('2000::/3');

/** … without these networks (https://www.iana.org/assignments/iana-ipv6-special-registry). */
const SPECIAL_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: a tunnel to any IPv4 address
  '3fff::/20', // documentation
].map((cidr) => ipaddr.parseCIDR(cidr));

/** The prefix under which NAT64 maps the IPv4 Internet into an IPv6-only network (RFC 6052). */
const NAT64: Network = ipaddr.parseCIDR('64:ff9b::/96');

/** A deprecated notation of `::/96`, which has no public addresses (RFC 4291, section 2.5.5.1). */
const IPV4_COMPATIBLE = /^::\d+\./;

/** Which addresses a fetch may connect to. */
export class AddressPolicy {
  private readonly allowedNetworks: Network[];

  /**
   * @param allowPrivateNetworks networks in CIDR notation that are allowed although they are not public, for
   *   example `127.0.0.0/8`. An IPv4 network also allows the IPv6 notations of its addresses.
   * @throws TypeError for an entry that is not a network
   */
  constructor(allowPrivateNetworks: readonly string[] = []) {
    this.allowedNetworks = allowPrivateNetworks.map((cidr) => {
      if (!ipaddr.isValidCIDR(cidr)) throw new TypeError(`not a network in CIDR notation: ${cidr}`);
      return ipaddr.parseCIDR(cidr);
    });
  }

  /**
   * Whether a connection to an address is allowed: a public address, unless the process works
   * offline, or one of an allowed network. An IPv6
   * notation of an IPv4 address (v4-mapped, NAT64) counts as the IPv4 address. Anything that is not an
   * address is refused.
   *
   * @param address in the notations of `net.isIP`, with or without a zone
   */
  permits(address: string): boolean {
    const forms = formsOf(address);
    return forms !== null && (this.isInAllowedNetwork(forms) || (isPublic(forms.effective) && !isOffline()));
  }

  /** Whether no address can be permitted. Then names need not be looked up. */
  get permitsNone(): boolean {
    return isOffline() && this.allowedNetworks.length === 0;
  }

  /** Whether an address is in a private network that the deployment allows. */
  isAllowedPrivate(address: string): boolean {
    const forms = formsOf(address);
    return forms !== null && this.isInAllowedNetwork(forms);
  }

  private isInAllowedNetwork({ literal, effective }: AddressForms): boolean {
    return this.allowedNetworks.some((network) => isWithin(effective, network) || isWithin(literal, network));
  }
}

/** An address as written, and the IPv4 address that it maps; the same address if it maps none. */
interface AddressForms {
  literal: Address;
  effective: Address;
}

function formsOf(address: string): AddressForms | null {
  const [text = ''] = address.split('%');
  // ipaddr.js also accepts short forms such as `127.1`, and reads `::1.2.3.4` as v4-mapped, which is wrong.
  if (!isIP(text) || IPV4_COMPATIBLE.test(text)) return null;
  const literal = ipaddr.parse(text);
  return { literal, effective: embeddedIPv4(literal) ?? literal };
}

function isPublic(address: Address): boolean {
  if (address.kind() === 'ipv4') return !SPECIAL_IPV4.some((network) => isWithin(address, network));
  return isWithin(address, GLOBAL_IPV6) && !SPECIAL_IPV6.some((network) => isWithin(address, network));
}

function embeddedIPv4(address: Address): ipaddr.IPv4 | null {
  if (!(address instanceof ipaddr.IPv6)) return null;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (isWithin(address, NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return null;
}

function isWithin(address: Address, [network, prefixLength]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, prefixLength);
}
