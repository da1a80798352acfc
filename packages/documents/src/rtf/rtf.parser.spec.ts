import { describe, expect, it } from '@jest/globals';
import { RTF } from '../file-type/file-type.js';
import { outline, parse } from '../test-files/parse.js';

const FONTS =
  '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204{\\*\\falt Other}Arial CYR;}{\\f2\\fcharset128 Mincho;}{\\f3\\fcharset2 Symbol;}{\\f4\\fcharset2 Wingdings;}}';
const file = (body: string): Buffer =>
  Buffer.from(`{\\rtf1\\ansi\\ansicpg1250\\deff0${FONTS}${body}}`, 'latin1');

const TEXTS: readonly (readonly [what: string, rtf: string, text: string])[] = [
  ['the code page of the file', "P\\'f8\\'edli\\'9a", 'Příliš'],
  ['the code page of a font', "\\f1\\'cf\\'f0\\'e8{\\f0\\'e9}\\'e2", 'Приéв'],
  ['characters of two bytes, also if the second is a letter', "\\f2\\'93\\'fa\\'96{\\b\\'7b}", '日本'],
  ['Unicode with a replacement', "\\u8364?5 \\u-3913\\'b7x", '€5 \uf0b7x'],
  ['Unicode with another number of replacements', "\\uc2\\u26085\\'93\\'fa{\\uc0\\u26412}!", '日本!'],
  ['surrogate pairs', '\\u-10179?\\u-8704?', '😀'],
  ['a paragraph mark after Unicode without a replacement', 'a\\u8364\\par b', 'a€\n\nb'],
  ['escapes and special characters', 'a\\{b\\}\\\\\\~\\emdash\\line c\\_d\\-e', 'a{b}\\\u00a0—\nc\u2011de'],
  ['line breaks in the file', 'one\r\ntwo\\\nthree', 'onetwo\n\nthree'],
  ['hidden and deleted text', 'a{\\v b}\\deleted c\\deleted0 d\\plain e', 'ade'],
  ['struck text', '{\\strike 95 }{\\strike0 82\\striked1 x\\striked0} EUR', '82 EUR'],
  ['the number of a struck item', '{\\strike{\\listtext 1.\\tab}95 }x', '1. x'],
  ['fields', '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt the link}}', 'the link'],
  ['pictures and binary data', 'a{\\pict\\pngblip 89504e47}{\\*\\blob\\bin3 }{{}b', 'ab'],
  ['headers and unknown destinations', '{\\header H}{\\*\\unknown U{\\footnote N}}a', 'a\n\nH'],
  [
    'footers once, without numbers',
    '{\\footer Acme\\tab Page \\chpgn}{\\footerf Acme\\tab Page \\chpgn}a',
    'a\n\nAcme',
  ],
  [
    'exponents',
    '10{\\super 6} m{\\super -}{\\super 2}\\super 3\\nosupersub x the 1{\\super st}',
    '10^6 m^-23x the 1st',
  ],
  ['symbol fonts', "{\\f3 \\'a3\\u-3919?}{\\f4 \\'fe}b", '≤±☑b'],
  [
    'comments',
    'a{\\*\\atnauthor Ada}\\chatn{\\*\\annotation\\pard Really?}\\par',
    'a\n\n[Comment by Ada] Really?',
  ],
  ['nothing after the last group', 'a}{\\rtf1 b', 'a'],
];

describe('rtfParser', () => {
  for (const [what, rtf, text] of TEXTS) {
    it(`reads ${what}`, async () => expect((await parse(file(rtf), RTF)).text).toBe(text));
  }

  it('reads headings, lists, tables, text boxes and notes', async () => {
    const document = await parse(
      file(
        '{\\stylesheet{\\s0 Normal;}{\\s1\\b heading 1;}{\\s7\\outlinelevel1 Mine;}{\\*\\cs9 heading 3 Char;}}' +
          '{\\info{\\title The {\\b manual}}{\\author Ada}{\\operator Bob}}' +
          '\\pard\\s1{\\listtext 1\\tab}Start\\par\\pard\\s7 Detail\\par\\pard\\outlinelevel9\\s1 Text{\\footnote\\pard A {\\b note}.\\par}.\\par' +
          "\\pard{\\listtext\\'b7\\tab}one\\par\\pard\\ilvl1{\\listtext a)\\tab}inner\\par" +
          '\\trowd\\cellx1\\cellx2\\pard\\intbl Name\\cell Town\\cell\\row' +
          '\\trowd\\cellx1\\cellx2\\pard\\intbl Ada\\par Bob\\cell London\\cell\\row' +
          '\\pard Around{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv value}}{\\shptxt\\pard In a box\\par}}{\\shprslt again}}\\par' +
          '\\trowd\\cellx1 Framed\\cell\\row',
      ),
      RTF,
    );
    expect(outline(document)).toEqual([
      ['heading1', '1 Start'],
      ['heading2', 'Detail'],
      ['paragraph', 'Text[1].'],
      ['list', '- one\n  a) inner'],
      ['table', 'Name | Town\nAda Bob | London'],
      ['paragraph', 'Around'],
      ['paragraph', 'In a box'],
      ['paragraph', 'Framed'],
      ['paragraph', '[1] A note.'],
    ]);
    expect([document.title, document.metadata['author']]).toEqual(['The manual', 'Ada']);
    expect(document.blocks[2]?.headingPath).toEqual(['1 Start', 'Detail']);
  });

  it('counts hidden and deleted text', async () => {
    const { leftOut } = await parse(
      file('{\\stylesheet{\\s1\\strike Old;}}a{\\v bc}\\deleted d\\deleted0{\\strike e}'),
      RTF,
    );
    expect(leftOut).toEqual({ hidden: 2, deleted: 2 });
  });

  it('reports why a file cannot be read', async () => {
    for (const [rtf, code] of [
      ['hello', 'CORRUPT_FILE'],
      ['{\\rtf1 hello', 'CORRUPT_FILE'],
      ['{\\rtf1}', 'EMPTY_DOCUMENT'],
    ])
      await expect(parse(rtf ?? '', RTF)).rejects.toMatchObject({ code });
    await expect(parse(`{\\rtf1${'{'.repeat(300)}`, RTF)).rejects.toMatchObject({
      code: 'TOO_COMPLEX',
      userMessage: expect.stringMatching(/deeper than 250 levels/),
    });
  });
});
