/** How much of a page is searched for its declaration: the HTML standard's prescan. */
const PRESCAN_BYTES = 1024;

/** The character set that a page declares in a `<meta>` (HTML standard, 13.2.3.2). */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.byteLength, PRESCAN_BYTES),
  ).toString('latin1');
  return /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1];
}
