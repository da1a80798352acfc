import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { parseRetryAfter } from './retry-after.js';

/** Facts about a page from the headers of its response. */
export interface ResponseFacts {
  /** For the next conditional request; null if absent. */
  etag: string | null;
  /** As the server wrote it, for the next conditional request; null if absent. */
  lastModified: string | null;
  /** The values of `X-Robots-Tag`, see `readRobotsDirectives`. */
  robotsTags: string[];
  /** The absolute target of `Link: <…>; rel="canonical"` (RFC 6596), on any host; null if absent. */
  canonicalUrl: string | null;
  /** `Retry-After` of a successful response; null if absent. */
  retryAfterMs: number | null;
}

/** @param url what relative URLs are relative to */
export function readResponseFacts(headers: IncomingHttpHeaders, url: URL, nowMs: number): ResponseFacts {
  return {
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    robotsTags: [headers['x-robots-tag'] ?? []].flat(),
    canonicalUrl: canonicalOf(readHeader([headers.link ?? []].flat().join(', ')), url),
    retryAfterMs: parseRetryAfter(headers['retry-after'], nowMs) ?? null,
  };
}

/**
 * Decodes UTF-8 in a header, whose octets Node returns as characters up to U+00FF. Servers use it in URLs.
 */
export function readHeader(octets: string): string {
  const bytes = Buffer.from(octets, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : octets;
}

function canonicalOf(link: string, base: URL): string | null {
  for (const [, target = '', parameters = ''] of link.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? bare ?? '').toLowerCase().split(/\s+/);
    const resolved = relations.includes('canonical') ? URL.parse(target, base.href) : null;
    if (resolved && /^https?:$/.test(resolved.protocol)) return resolved.href;
  }
  return null;
}
