import iconv from 'iconv-lite';

/** Names of the encoding standard that differ from those that the product shows. */
const SHOWN_NAMES: Readonly<Record<string, string>> = {
  gbk: 'gb18030',
  macintosh: 'macroman',
  'x-mac-cyrillic': 'maccyrillic',
  ibm866: 'cp866',
  'iso-8859-8-i': 'iso-8859-8',
};

/**
 * The name of an encoding by one of its labels, such as `windows-1252` for `latin1`.
 *
 * @returns undefined for an unknown label, and for ASCII, which says nothing about other bytes
 */
export function canonicalEncoding(label: string | undefined): string | undefined {
  const name = label?.trim().toLowerCase() ?? '';
  if (name === '' || /^(?:us-)?ascii$/.test(name)) return undefined;
  try {
    const { encoding } = new TextDecoder(name);
    return SHOWN_NAMES[encoding] ?? encoding;
  } catch {
    return iconv.encodingExists(name) ? name : undefined;
  }
}
