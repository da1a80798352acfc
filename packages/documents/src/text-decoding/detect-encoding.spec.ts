import { describe, expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { detectEncoding } from './detect-encoding.js';
import { LANGUAGE_SAMPLES } from './language-samples.fixtures.js';

/** The share of pieces of a size that must be read correctly, in all languages and encodings together. */
const ACCURACY: readonly (readonly [bytes: number, share: number])[] = [
  [20, 0.93],
  [60, 0.98],
  [150, 1],
];

/** windows-1258 has letters with a sign of their own, and tones as characters after them. */
function encoded(text: string, encoding: string): Buffer {
  const prepared =
    encoding !== 'windows-1258'
      ? text
      : text.replace(/[^\0-\u007f]/g, (letter) => {
          const tone = /[\u0300\u0301\u0303\u0309\u0323]/.exec(letter.normalize('NFD'))?.[0];
          return tone === undefined
            ? letter
            : letter.normalize('NFD').replace(tone, '').normalize('NFC') + tone;
        });
  return iconv.encode(prepared, encoding);
}

function* piecesOf(text: string, encoding: string, bytes: number): Generator<string> {
  const characters = [...text];
  for (let start = 0; start < characters.length; start += 11) {
    let end = start + Math.trunc(bytes / 2);
    while (end < characters.length && encoded(characters.slice(start, end).join(''), encoding).length < bytes)
      end += 1;
    if (end >= characters.length) return;
    const piece = characters.slice(start, end).join('');
    if (/[^\0-\u007f]/.test(piece)) yield piece;
  }
}

function isDetected(piece: string, encoding: string): boolean {
  const bytes = encoded(piece, encoding);
  return (
    iconv.decode(bytes, detectEncoding(bytes).encoding).normalize('NFC') ===
    iconv.decode(bytes, encoding).normalize('NFC')
  );
}

describe('detectEncoding', () => {
  for (const [language, encodings, text] of LANGUAGE_SAMPLES) {
    for (const encoding of encodings) {
      it(`detects ${encoding} of ${language}`, () => {
        const bytes = encoded(text, encoding);
        const guess = detectEncoding(bytes);
        expect(iconv.decode(bytes, guess.encoding)).toBe(iconv.decode(bytes, encoding));
        expect(guess.alternatives).toEqual([]);
      });
    }
  }

  it.each(ACCURACY)('detects pieces of %d bytes', (bytes, share) => {
    let [right, all] = [0, 0];
    for (const [, encodings, text] of LANGUAGE_SAMPLES) {
      for (const encoding of encodings) {
        for (const piece of piecesOf(text, encoding, bytes)) {
          all += 1;
          if (isDetected(piece, encoding)) right += 1;
        }
      }
    }
    expect(right / all).toBeGreaterThanOrEqual(share);
  });

  it.each([
    ['Größe', 'windows-1252', {}],
    ['Київ, вулиця', 'windows-1251', {}],
    ['order,product\n1001,ﾈｼﾞ\n1002,ﾎﾞﾙﾄ\n1003,ｽﾌﾟﾘﾝｸﾞﾜｯｼｬｰ\n', 'shift_jis', {}],
    ['id,name,city\n1,José,Málaga\n2,Peña,A Coruña\n', 'cp850', {}],
    ['demo,\n汉字(chinese),\n', 'gbk', {}],
    ['name;miasto\nŁukasz;Łódź\n', 'windows-1250', {}],
    ['Prix: 12 € – payé', 'windows-1252', {}],
    ['“quoted” – and ’s', 'windows-1252', {}],
    ['Łódź', 'iso-8859-2', { declared: 'latin2' }],
    ['Привет', 'windows-1251', { declared: 'iso-8859-1' }],
    ['naïve café', 'iso-8859-15', { declared: 'iso-8859-15' }],
    ['ООО "Ромашка"', 'cp866', {}],
  ])('detects the short text %s in %s', (text, encoding, hints) => {
    const bytes = iconv.encode(text, encoding);
    expect(iconv.decode(bytes, detectEncoding(bytes, hints).encoding)).toBe(text);
  });

  it.each([
    ['中文字符测试，', 'gb18030', '', ''],
    ['请把客户的编号写在订单上，', 'gb18030', 'Plain English before. ', ''],
    ['産品の番号は', 'shift_jis', 'a', ''],
    ['Größe ', 'windows-1252', '', ' and many words of plain English'],
  ])('detects a long text of %s in %s', (text, encoding, before, after) => {
    const long = before.repeat(3) + `${text}${after}`.repeat(20_000);
    expect(
      iconv.decode(iconv.encode(long, encoding), detectEncoding(iconv.encode(long, encoding)).encoding) ===
        long,
    ).toBe(true);
  });

  it('names the alternatives of an uncertain text', () => {
    const { encoding, alternatives } = detectEncoding(Buffer.from([0x41, 0xe6, 0xf8, 0x2e]));
    expect(alternatives).not.toContain(encoding);
    expect(alternatives.length).toBeGreaterThan(0);
  });
});
