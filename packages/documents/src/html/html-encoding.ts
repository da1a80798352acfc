/** The HTML standard's prescan: bytes that are searched for an encoding declaration. */
const PRESCAN_BYTES = 1024;
const COMMENT = /<!--[^]*?(?:-->|$)/g;
const XML_DECLARATION = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']\s*([\w:.-]+)/i;
const META = /<meta\b(?:[^>"']|"[^"]*"|'[^']*')*/gi;
const CHARSET = /[\s"'/]charset\s*=\s*(?:["']\s*)?([\w:.-]+)/i;
const HTTP_EQUIV = /[\s"'/]http-equiv\s*=\s*(?:["']\s*)?content-type\b/i;
const CONTENT = /[\s"'/]content\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

/**
 * The declared character set, for bytes that are not valid UTF-8: the first of the server's `charset` and the
 * page's own declaration that is not UTF-8.
 *
 * @param transport the `charset` parameter of the `Content-Type` header
 */
export function declaredCharset(bytes: Uint8Array, transport?: string): string | undefined {
  return [transport, charsetOfPage(bytes)].find(
    (label) => label !== undefined && !/^utf-?8$/i.test(label.trim()),
  );
}

/**
 * The encoding declared by a `<meta>` in the first 1,024 bytes (HTML standard, 13.2.3.2) or by an XML
 * declaration.
 */
export function charsetOfPage(bytes: Uint8Array): string | undefined {
  const length = Math.min(bytes.byteLength, PRESCAN_BYTES);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1').replace(COMMENT, '');
  for (const [meta] of head.matchAll(META)) {
    const label = charsetOfMeta(meta);
    if (label !== undefined) return standardLabel(label);
  }
  const declared = XML_DECLARATION.exec(head)?.[1];
  return declared === undefined ? undefined : standardLabel(declared);
}

/** `<meta charset>`, or `<meta http-equiv="content-type" content="text/html; charset=…">`. */
function charsetOfMeta(meta: string): string | undefined {
  const content = CONTENT.exec(meta);
  const attributes = content === null ? meta : meta.replace(content[0], ' ');
  const own = CHARSET.exec(attributes)?.[1];
  if (own !== undefined || !HTTP_EQUIV.test(attributes)) return own;
  return /charset\s*=\s*(?:["']\s*)?([\w:.-]+)/i.exec(
    content?.[1] ?? content?.[2] ?? content?.[3] ?? '',
  )?.[1];
}

/** Replaces labels as the standard requires: a page whose declaration is readable as ASCII is not UTF-16. */
function standardLabel(label: string): string {
  if (/^utf-?16/i.test(label)) return 'utf-8';
  return /^x-user-defined$/i.test(label) ? 'windows-1252' : label;
}
