import { isSymbolFont } from '../office/symbol-fonts.js';

/** Encodings by the value of `\fcharset` (RTF 1.9.1, "Font Table"). Others use the code page of the file. */
const FONT_CHARSETS: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macroman',
  128: 'cp932',
  129: 'cp949',
  134: 'cp936',
  136: 'cp950',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
  254: 'cp437',
  255: 'cp850',
};

/** The encodings of a file and its fonts. */
export class RtfEncodings {
  defaultFont = 0;
  private file = 'windows-1252';
  private readonly fonts = new Map<number, string>();
  private readonly symbolFonts = new Map<number, string>();

  /** @param font undefined before the first font is selected */
  of(font: number | undefined): string {
    return (font === undefined ? undefined : this.fonts.get(font)) ?? this.file;
  }

  /** The name of a font whose characters are symbols. */
  symbolFontOf(font: number | undefined): string | undefined {
    return font === undefined ? undefined : this.symbolFonts.get(font);
  }

  nameFont(font: number, text: string): void {
    const name = text.replace(/;\s*$/, '').trim();
    if (isSymbolFont(name)) this.symbolFonts.set(font, name);
  }

  /** @param word a control word of the header, outside of the font table */
  declareFile(word: string, value: number): void {
    if (word === 'ansicpg' && value !== 0) this.file = encodingOfCodePage(value);
    else if (word === 'mac') this.file = 'macroman';
    else if (word === 'pc') this.file = 'cp437';
    else if (word === 'pca') this.file = 'cp850';
  }

  /** @param word a control word of the font table */
  declareFont(font: number, word: string, value: number): void {
    const encoding = word === 'cpg' ? encodingOfCodePage(value) : FONT_CHARSETS[value];
    if ((word === 'cpg' || word === 'fcharset') && encoding !== undefined) this.fonts.set(font, encoding);
  }
}

/** The encoding of a code page, as iconv-lite names it. */
function encodingOfCodePage(codePage: number): string {
  if (codePage === 65_001) return 'utf-8';
  return codePage === 10_000 ? 'macroman' : `cp${codePage}`;
}
