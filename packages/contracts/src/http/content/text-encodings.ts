/** The encodings that a user can choose for a file of text. The two usual ones come first. */
export const TEXT_ENCODINGS = [
  'utf-8',
  'windows-1252',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
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
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-9',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'koi8-r',
  'koi8-u',
  'macroman',
  'maccyrillic',
  'maccenteuro',
  'cp437',
  'cp737',
  'cp850',
  'cp852',
  'cp855',
  'cp857',
  'cp862',
  'cp866',
  'big5',
  'gb18030',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** Other names of these encodings, such as those of the encoding standard and of Python. */
const ALIASES: Readonly<Record<string, TextEncoding>> = {
  utf8: 'utf-8',
  'utf-16': 'utf-16le',
  'utf-32': 'utf-32le',
  ascii: 'windows-1252',
  latin1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'iso-8859-9',
  latin9: 'iso-8859-15',
  'tis-620': 'windows-874',
  'iso-8859-11': 'windows-874',
  macintosh: 'macroman',
  'x-mac-cyrillic': 'maccyrillic',
  ibm866: 'cp866',
  'big5-hkscs': 'big5',
  cp950: 'big5',
  gbk: 'gb18030',
  gb2312: 'gb18030',
  cp936: 'gb18030',
  sjis: 'shift_jis',
  'shift-jis': 'shift_jis',
  cp932: 'shift_jis',
  'windows-31j': 'shift_jis',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  cp949: 'euc-kr',
};

/** The encoding with this name, in any case and with the usual other names; undefined for an unknown name. */
export function textEncodingOf(name: string): TextEncoding | undefined {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/^(?:cp|windows)[-_]?(125\d|874)$/, 'windows-$1')
    .replace(/^iso_?8859/, 'iso-8859');
  return TEXT_ENCODINGS.find((encoding) => encoding === key) ?? ALIASES[key];
}
