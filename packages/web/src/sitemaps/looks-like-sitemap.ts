import { constants, gunzipSync } from 'node:zlib';
import { isGzip } from './gunzip-if-needed.js';
import { decoderFor } from './xml-encoding.js';

const HEAD_BYTES = 4096;
const SITEMAP_ROOTS = new Set(['urlset', 'sitemapindex']);
const FEED_ROOTS = new Set(['rss', 'feed', 'rdf']);
const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/rdf+xml']);
/** What may come before a root element. */
const PROLOG =
  /^(?:\s+|<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE(?:"[^"]*"|'[^']*'|[^>"'[])*(?:\[[^\]]*\]\s*)?>)/i;

/**
 * Whether what was fetched as a page is a sitemap or a feed, packed or not, so that its user can be told to add it as
 * a web site. A list of addresses in plain text is not recognised: it is a text file like others.
 *
 * @param head the first bytes of the body; 4 KiB are enough
 * @param contentType without parameters; it decides only where the content does not tell
 */
export function looksLikeSitemapOrFeed(
  head: Uint8Array,
  contentType: string | null,
): 'sitemap' | 'feed' | null {
  const root = rootElementOf(head);
  if (root !== null && SITEMAP_ROOTS.has(root)) return 'sitemap';
  if (root !== null && FEED_ROOTS.has(root)) return 'feed';
  return root === null && FEED_TYPES.has(contentType ?? '') ? 'feed' : null;
}

/** The local name in lower case. */
function rootElementOf(head: Uint8Array): string | null {
  const bytes = unpackedHead(head.subarray(0, HEAD_BYTES));
  let text = decoderFor(bytes, null).decode(bytes);
  for (let prolog = PROLOG.exec(text); prolog; prolog = PROLOG.exec(text))
    text = text.slice(prolog[0].length);
  return /^<(?:[\w.-]+:)?([a-z]+)[\s/>]/i.exec(text)?.[1]?.toLowerCase() ?? null;
}

function unpackedHead(head: Uint8Array): Uint8Array {
  if (!isGzip(head)) return head;
  try {
    // Whatever the end of the head cuts off is no error. 4 KiB become 4 MiB at the most.
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch {
    return head;
  }
}
