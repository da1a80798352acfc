/** An encoding that XML or HTML declares in its first bytes. */
const DECLARED =
  /<\?xml[^>]{0,200}?encoding=["']([\w.:-]{1,40})|<meta[^>]{0,200}?charset=["']?([\w.:-]{1,40})/i;
const DECLARATION_BYTES = 2_048;

/**
 * Decodes text: by its byte order mark, else as the server says, as the text itself says, or as UTF-8. An encoding in which
 * the bytes are not valid is not used; the last is Windows-1252, in which all are.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  const [, xml, html] =
    DECLARED.exec(Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1')) ?? [];
  for (const label of [markOf(bytes), charset, xml ?? html, 'utf-8']) {
    if (!label) continue;
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // Not an encoding, or not that of these bytes.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

function markOf([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb ? 'utf-8' : null;
}
