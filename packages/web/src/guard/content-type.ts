import { MIMEType } from 'node:util';

export interface ContentType {
  /** For example `text/html`, in lower case; null if the header is absent or malformed. */
  contentType: string | null;
  /** The `charset` parameter in lower case, not validated; null if absent. */
  charset: string | null;
}

/** Parses a `Content-Type` header by the rules of the MIME Sniffing standard. */
export function parseContentType(header: string | undefined): ContentType {
  try {
    const parsed = new MIMEType(header ?? '');
    return { contentType: parsed.essence, charset: parsed.params.get('charset')?.toLowerCase() || null };
  } catch {
    return { contentType: null, charset: null };
  }
}
