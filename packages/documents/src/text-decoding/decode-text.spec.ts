import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { decodeText } from './decode-text.js';

const RUSSIAN =
  'Широкая электрификация южных губерний даст мощный толчок подъёму сельского хозяйства. '.repeat(3);
const CHINESE =
  '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。'.repeat(3);
const TRADITIONAL =
  '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。'.repeat(3);
const JAPANESE =
  'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。'.repeat(3);
const KOREAN = '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. '.repeat(3);
const FRENCH =
  "Tous les êtres humains naissent libres et égaux en dignité et en droits — c'est “évident”. ".repeat(3);
const POLISH =
  'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw, są obdarzeni rozumem. '.repeat(
    3,
  );

const ROWS: readonly (readonly [encoding: string, text: string])[] = [
  ['utf-8', CHINESE],
  ['utf-16le', RUSSIAN],
  ['utf-16be', FRENCH],
  ['gb18030', CHINESE],
  ['big5', TRADITIONAL],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['iso-2022-jp', JAPANESE],
  ['euc-kr', KOREAN],
  ['windows-1251', RUSSIAN],
  ['windows-1252', FRENCH],
  ['iso-8859-2', POLISH],
];

describe('decodeText', () => {
  for (const [encoding, text] of ROWS.filter(([name]) => name !== 'iso-2022-jp')) {
    it(`reads undeclared ${encoding}`, async () => {
      expect((await decodeText(iconv.encode(text, encoding))).text).toBe(text);
    });
  }

  it('reads ISO-2022-JP by its escapes', async () => {
    const bytes = Buffer.from('\u001b$B$3$s$K$A$O\u001b(B world', 'latin1');
    expect(await decodeText(bytes)).toEqual({
      text: 'こんにちは world',
      encoding: 'iso-2022-jp',
      alternatives: [],
    });
  });

  it('removes byte order marks and reports the encoding', async () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      const bytes = iconv.encode('héllo', encoding, { addBOM: true });
      expect(await decodeText(bytes)).toEqual({ text: 'héllo', encoding, alternatives: [] });
    }
  });

  it('keeps UTF-8 with U+0000, even at regular distances', async () => {
    const records = (...lengths: number[]): string =>
      Array.from({ length: 200 }, (_, row) =>
        lengths.map((length) => 'name value other'.repeat(2).slice(row % 7, (row % 7) + length)).join('\0'),
      ).join('\0');
    for (const text of [
      records(3),
      records(5, 3, 7),
      records(1, 3),
      records(2),
      'ab\0cd\0',
      `${'x'.repeat(5_000)}\0${'y'.repeat(5_001)}\0`,
      'é\0à\0'.repeat(50),
    ]) {
      for (const shifted of [text, `x${text}`, `\n${text}\0`])
        expect(await decodeText(Buffer.from(shifted))).toEqual({
          text: shifted,
          encoding: 'utf-8',
          alternatives: [],
        });
    }
  });

  it('reads UTF-16 that is also valid UTF-8, in scripts with small high bytes', async () => {
    for (const text of [
      'plain ASCII, line\n'.repeat(3),
      'no',
      'id\tname\r\n1\tx\r\n',
      RUSSIAN,
      'स्वागत है, यह हिन्दी है 1 2 3\n',
      'ภาษาไทย 123 ทดสอบ\n',
      'Привет — «мир», №5\n'.repeat(4),
    ]) {
      for (const encoding of ['utf-16le', 'utf-16be'] as const)
        expect(await decodeText(iconv.encode(text, encoding))).toEqual({ text, encoding, alternatives: [] });
    }
  });

  it('reads UTF-16 of ideographs, which is not valid UTF-8', async () => {
    for (const text of [JAPANESE, KOREAN].map((sample) => `1. ${sample}\n2 ${sample}\n`)) {
      for (const encoding of ['utf-16le', 'utf-16be'] as const)
        expect(await decodeText(iconv.encode(text, encoding))).toEqual({ text, encoding, alternatives: [] });
    }
  });

  it('reads UTF-16 of Chinese by rejecting the wrong byte order', async () => {
    const text = '一九三二年春天，一个人从北京来。第二年他又回去了，一共走了一个月。';
    for (const encoding of ['utf-16le', 'utf-16be'] as const) {
      for (const sample of [text, `${text}\n${text} 2026`])
        expect(await decodeText(iconv.encode(sample, encoding))).toEqual({
          text: sample,
          encoding,
          alternatives: [],
        });
    }
  });

  it('distinguishes UTF-8 with U+0000 from UTF-16 for any words', async () => {
    const word = fc.stringMatching(/^[a-zа-яё ]{2,12}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 3, maxLength: 60 }), async (words) => {
        const separated = words.join('\0');
        expect((await decodeText(Buffer.from(separated))).text).toBe(separated);
        const lines = words.join('\n');
        for (const encoding of ['utf-16le', 'utf-16be'])
          expect((await decodeText(iconv.encode(lines, encoding))).text).toBe(lines);
      }),
    );
  });

  it('detects the encoding by non-ASCII characters late in the file', async () => {
    const text = `${'plain english words '.repeat(30_000)}${RUSSIAN.repeat(5)}`;
    expect((await decodeText(iconv.encode(text, 'windows-1251'))).text).toBe(text);
  });

  it('uses a declared encoding if the text is not valid UTF-8', async () => {
    expect((await decodeText(Buffer.from([0xe4]), { declared: 'koi8-r' })).text).toBe('Д');
    expect((await decodeText(Buffer.from('Д'), { declared: 'iso-8859-1' })).text).toBe('Д');
    expect((await decodeText(Buffer.from('x'), { declared: 'no-such-encoding' })).text).toBe('x');
  });

  it('uses the encoding that the user has chosen, except for a file with a byte order mark', async () => {
    const bytes = iconv.encode('Größe', 'utf-8');
    expect((await decodeText(bytes, { encoding: 'windows-1252', declared: 'utf-8' })).text).toBe('GrÃ¶ÃŸe');
    expect((await decodeText(iconv.encode('né', 'utf-16be'), { encoding: 'UTF-16' })).text).toBe('né');
    const marked = iconv.encode('Größe', 'utf-8', { addBOM: true });
    expect((await decodeText(marked, { encoding: 'windows-1252' })).text).toBe('Größe');
    expect((await decodeText(bytes, { encoding: 'no-such-encoding' })).text).toBe('Größe');
  });

  it.each([
    ['UTF-8 chosen to be GBK', '名称;价格 €', 'utf-8', 'gb18030', ['utf-8']],
    ['windows-1252 chosen to be UTF-8', 'Größe: 5 Stück', 'windows-1252', 'utf-8', ['windows-1252']],
    ['GBK chosen to be GBK', '名称;价格', 'gb18030', 'gb18030', []],
    ['ASCII chosen to be GBK', 'name;price', 'utf-8', 'gb18030', []],
    ['UTF-8 chosen to be UTF-8', 'Größe', 'utf-8', 'utf-8', []],
    ['UTF-16 chosen to be UTF-16', 'Größe', 'utf-16le', 'utf-16le', []],
  ])('doubts the choice of the user: %s', async (_what, text, actual, encoding, alternatives) => {
    const decoded = await decodeText(iconv.encode(text, actual), { encoding });
    expect([decoded.encoding, decoded.alternatives]).toEqual([encoding, alternatives]);
  });

  it('reads UTF-32 with a byte order mark', async () => {
    for (const encoding of ['utf-32le', 'utf-32be'])
      for (const text of ['Größe 5\n', CHINESE, '😀 ok'])
        expect(await decodeText(iconv.encode(text, encoding, { addBOM: true }))).toEqual({
          text,
          encoding,
          alternatives: [],
        });
  });

  it('reads UTF-8 text with an invalid character', async () => {
    const bytes = Buffer.concat([Buffer.from(CHINESE), Buffer.from([0xff]), Buffer.from(CHINESE)]);
    expect((await decodeText(bytes)).text).toBe(`${CHINESE}\ufffd${CHINESE}`);
  });

  it.each([
    ['Größe: 5 ', '€', 1],
    ['Größe: 5 ', '€', 2],
    ['Größe und Ma', 'ß', 1],
    ['Привет, ми', 'р', 1],
    ['价格', '表', 1],
    ['ok 😀 ', '😀', 3],
  ])('reads UTF-8 that is cut inside its last character: %s%s by %d bytes', async (text, last, cut) => {
    const bytes = Buffer.from(text + last).subarray(0, -cut);
    expect(await decodeText(bytes)).toEqual({ text: `${text}\ufffd`, encoding: 'utf-8', alternatives: [] });
  });

  it.each([
    ['café', 'windows-1252'],
    ['Größe', 'windows-1252'],
    ['Ünal é', 'windows-1252'],
    ['Рік', 'windows-1251'],
    ['VÝŠKA STOLŮ', 'windows-1250'],
  ])('distinguishes %s in %s from truncated UTF-8', async (text, encoding) => {
    expect((await decodeText(iconv.encode(text, encoding))).encoding).not.toBe('utf-8');
  });
});
