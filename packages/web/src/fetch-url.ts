import { WebFetchError } from './web-fetch.error.js';

/**
 * Ports on which something other than a web server is at home. The first line is the Fetch standard's list
 * (https://fetch.spec.whatwg.org/#port-blocking); the second adds databases, queues, caches, remote control and the
 * control planes of containers, which answer HTTP or text protocols that a request could be made to speak.
 */
const BLOCKED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  //
  445, 873, 1433, 1434, 1521, 1883, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 4369, 5432, 5433, 5671,
  5672, 5900, 5984, 6333, 6334, 6379, 6380, 6443, 7000, 7001, 8086, 8125, 9042, 9092, 9200, 9300, 10250,
  10255, 11211, 15672, 16379, 26379, 27017, 27018, 50070,
]);
const MAX_URL_LENGTH = 8192;

/**
 * Reads a URL that is about to be fetched.
 *
 * The WHATWG parser settles every notation of an IPv4 address (`0x7f.1`, `2130706433`, `017700000001`) into the
 * dotted one, so that what follows has one form to judge.
 *
 * @param base what a relative URL is relative to
 * @throws WebFetchError `BAD_URL` or `PORT_BLOCKED`
 */
export function parseFetchUrl(raw: string, base?: URL): URL {
  if (raw.length > MAX_URL_LENGTH) throw badUrl('The address is too long.');
  if (!URL.canParse(raw, base?.href)) throw badUrl('This is not a valid web address.');
  const url = new URL(raw, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw badUrl('Only http:// and https:// addresses can be read.');
  }
  if (url.username || url.password) {
    throw badUrl('The address contains a user name or a password. Remove it and try again.');
  }
  if (BLOCKED_PORTS.has(portOf(url))) {
    throw new WebFetchError('blocked', 'PORT_BLOCKED', `Port ${url.port} is not open to web pages here.`);
  }
  return url;
}

function portOf(url: URL): number {
  if (url.port) return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function badUrl(sentence: string): WebFetchError {
  return new WebFetchError('blocked', 'BAD_URL', sentence);
}
