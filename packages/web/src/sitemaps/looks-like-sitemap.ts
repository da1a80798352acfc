import { constants, gunzipSync } from 'node:zlib';
import { isGzip } from './read-sitemap.js';
import { type SitemapKind, SitemapReport } from './sitemap-summary.js';
import { decoderFor } from './xml-encoding.js';
import { XmlSitemapReader } from './xml-sitemap.reader.js';

const HEAD_BYTES = 4096;
const FEED_TYPES = new Set(['application/rss+xml', 'application/atom+xml', 'application/rdf+xml']);

/**
 * `sitemap` or `feed` if a file that was fetched as a page is one, compressed or not, else null. Its user can
 * then be told to add it as a web site. A text file with URLs is not recognized.
 *
 * @param head the first bytes of the body; only the first 4 KiB are read
 * @param contentType without parameters; used only if the root element is not a known one
 */
export function looksLikeSitemapOrFeed(
  head: Uint8Array,
  contentType: string | null,
): 'sitemap' | 'feed' | null {
  switch (kindOf(head)) {
    case 'urlset':
    case 'index':
      return 'sitemap';
    case 'feed':
      return 'feed';
    case 'text':
    case 'html':
      return null;
    case 'unknown':
      return FEED_TYPES.has(contentType ?? '') ? 'feed' : null;
  }
}

function kindOf(head: Uint8Array): SitemapKind {
  const bytes = decompressedHead(head.subarray(0, HEAD_BYTES));
  const text = decoderFor(bytes, null).decode(bytes).trimStart();
  const report = new SitemapReport();
  if (text.startsWith('<')) new XmlSitemapReader(report, 'about:blank').write(text);
  return report.kind;
}

function decompressedHead(head: Uint8Array): Uint8Array {
  if (!isGzip(head)) return head;
  try {
    // The flush mode accepts an incomplete file. 4 KiB become 4 MiB at most.
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch {
    return head;
  }
}
