/** Encodings of text files that a reader can choose, the usual ones first. The server knows others. */
const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-9',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'macroman',
  'cp437',
  'cp850',
  'cp852',
  'cp866',
  'big5',
  'gb18030',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
  'utf-16le',
  'utf-16be',
] as const;

/**
 * The encodings to choose from, with those that a warning names at the top: they are the most likely ones.
 *
 * @param warning the sentence of the server; empty if there is none
 */
export function encodingsFor(warning: string): readonly string[] {
  const words = new Set(warning.toLowerCase().match(/[\w-]+/g));
  return ENCODINGS.toSorted((a, b) => Number(words.has(b)) - Number(words.has(a)));
}
