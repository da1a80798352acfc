import { MIMEType } from 'node:util';

export interface ContentType {
  /** For example `text/html`, lower case; null where the header is absent or malformed. */
  contentType: string | null;
  /** The header's `charset` in lower case, unchecked; null where there is none. */
  charset: string | null;
}

/** Reads a `Content-Type` header by the rules of the MIME Sniffing standard. */
export function parseContentType(header: string | undefined): ContentType {
  try {
    const parsed = new MIMEType(header ?? '');
    return { contentType: parsed.essence, charset: parsed.params.get('charset')?.toLowerCase() || null };
  } catch {
    return { contentType: null, charset: null };
  }
}
