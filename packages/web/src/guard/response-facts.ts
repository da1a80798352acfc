import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { parseRetryAfter } from './retry-after.js';

/** What an answer's headers say about its page. */
export interface ResponseFacts {
  /** For the next conditional request; null where the server gives none. */
  etag: string | null;
  /** As the server has written it, for the next conditional request. */
  lastModified: string | null;
  /** The values of `X-Robots-Tag`; `readRobotsDirectives` understands them. */
  robotsTags: string[];
  /** The target of `Link: <…>; rel="canonical"` (RFC 6596), absolute; null without one. It may be on another host. */
  canonicalUrl: string | null;
  /** How long the server asks us to wait, although it has answered; null if it does not. */
  retryAfterMs: number | null;
}

/** @param url what relative addresses are relative to */
export function readResponseFacts(headers: IncomingHttpHeaders, url: URL, nowMs: number): ResponseFacts {
  return {
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    robotsTags: [headers['x-robots-tag'] ?? []].flat(),
    canonicalUrl: canonicalOf(readHeader([headers.link ?? []].flat().join(', ')), url),
    retryAfterMs: parseRetryAfter(headers['retry-after'], nowMs) ?? null,
  };
}

/** A header's value, whose octets are characters up to U+00FF: servers write addresses in UTF-8 into it. */
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
