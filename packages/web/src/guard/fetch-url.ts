import { WebFetchError } from './fetch-errors.js';

/** The system ports (RFC 6335, below 1024) of the web. All others belong to another service. */
const OPEN_SYSTEM_PORTS = new Set([80, 443]);
const FIRST_USER_PORT = 1024;

/**
 * Ports from 1024 on are open, because small sites and intranets use them freely, except those of well-known
 * services. The first lines are from the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking). The
 * others add databases, queues, caches, remote control and the control planes of containers: an attacker
 * could make a request speak the text protocols that they use.
 */
const BLOCKED_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
  //
  1433, 1434, 1521, 1883, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 4369, 5432, 5433, 5671, 5672, 5900,
  5984, 6333, 6334, 6379, 6380, 6443, 7000, 7001, 8086, 8125, 9042, 9092, 9200, 9300, 10250, 10255, 11211,
  15672, 16379, 26379, 27017, 27018, 50070,
]);
const MAX_URL_LENGTH = 8192;

/** `all` is for clients whose protocol has ports of its own, such as SFTP. */
export type AllowedPorts = 'web' | 'all';

/**
 * Parses and checks a URL before it is fetched.
 *
 * The WHATWG parser converts every notation of an IPv4 address (`0x7f.1`, `2130706433`, `017700000001`) to
 * the dotted one, so the address checks see one form only.
 *
 * @param base what a relative URL is relative to
 * @param ports which ports are allowed: those that the web uses, or all
 * @throws WebFetchError `BAD_URL` or `PORT_BLOCKED`
 */
export function parseFetchUrl(raw: string, base?: URL, ports: AllowedPorts = 'web'): URL {
  if (raw.length > MAX_URL_LENGTH) throw badUrl('The address is too long.');
  if (!URL.canParse(raw, base?.href)) throw badUrl('This is not a valid web address.');
  const url = new URL(raw, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw badUrl('Only http:// and https:// addresses can be read.');
  }
  if (url.username || url.password) {
    throw badUrl('The address contains a user name or a password. Remove it and try again.');
  }
  if (ports === 'web' && !isOpenPort(portOf(url))) {
    throw new WebFetchError('blocked', 'PORT_BLOCKED', `Port ${url.port} is not allowed for web pages.`);
  }
  return url;
}

function isOpenPort(port: number): boolean {
  return port < FIRST_USER_PORT ? OPEN_SYSTEM_PORTS.has(port) : !BLOCKED_PORTS.has(port);
}

function portOf(url: URL): number {
  if (url.port) return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function badUrl(sentence: string): WebFetchError {
  return new WebFetchError('blocked', 'BAD_URL', sentence);
}
