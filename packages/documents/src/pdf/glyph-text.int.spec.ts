import { describe, expect, it } from '@jest/globals';
import { buildPdfPage, FIRST_EXTRA } from '../test-files/index.js';
import { parse } from '../test-files/parse.js';

const IMAGE = 'BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 00> EI';

/** A page with the fonts F1 (Helvetica) and N (with names of glyphs from code 128). */
async function textOf(content: string, { names = '', resources = '' } = {}): Promise<string> {
  const font =
    '<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Serif ' +
    `/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [128 ${names}] >> >>`;
  const file = buildPdfPage(`BT /N 10 Tf 72 700 Td ${content} ET`, {
    resources: `/Font << /F1 5 0 R /N ${FIRST_EXTRA} 0 R /Z ${FIRST_EXTRA + 1} 0 R >> ${resources}`,
    objects: [font, '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>'],
  });
  return (await parse(file, 'application/pdf')).text;
}

describe('the characters of PDF glyphs', () => {
  it.each<[kind: string, content: string, text: string, resources?: string]>([
    ['a ligature', '(o) Tj /Span << /ActualText (ff) >> BDC (\\200) Tj EMC (er) Tj', 'offer'],
    [
      'a word of two lines',
      '/Span << /ActualText (typesetting) >> BDC (type-) Tj 0 -14 Td (setting) Tj EMC',
      'typesetting',
    ],
    [
      'a property list by name',
      '/Span /P BDC (x) Tj EMC',
      'ünit',
      '/Properties << /P << /ActualText <FEFF00FC006E00690074> >> >>',
    ],
    [
      'an outer and an inner text',
      '/Span << /ActualText (one) >> BDC /Span << /ActualText (two) >> BDC (3) Tj EMC EMC',
      'one',
    ],
    [
      'a soft hyphen for a printed one',
      '(co) Tj /Span << /ActualText <FEFF00AD> >> BDC (-) Tj EMC (op) Tj',
      'co-op',
    ],
    [
      'more text than glyphs can show',
      `/Span << /ActualText (${'long '.repeat(99)}) >> BDC (ab) Tj EMC`,
      'ab',
    ],
    [
      'a text whose first glyph is clipped',
      '1 0 0 1 -10 700 Tm /Span << /ActualText (ff) >> BDC (\\200) Tj 1 0 0 1 72 700 Tm (er) Tj EMC',
      'ff',
    ],
    ['a drawing', '(See ) Tj /Span << /ActualText (x + 1) >> BDC 95 700 20 8 re f EMC', 'See x + 1'],
    [
      'a picture',
      `(See ) Tj /Span << /ActualText (x + 1) >> BDC q 20 0 0 8 95 700 cm ${IMAGE} Q EMC`,
      'See x + 1',
    ],
    ['nothing that is seen', '(See ) Tj /Span << /ActualText (x + 1) >> BDC EMC', 'See'],
    [
      'no text',
      '/Span << /ActualText () >> BDC (ab) Tj EMC /Span << /ActualText 7 >> BDC (cd) Tj EMC',
      'abcd',
    ],
  ])('are those of ActualText: %s', async (_, content, text, resources = '') => {
    expect(await textOf(content, { names: '/g1', resources })).toBe(text);
  });

  it('are those of ActualText in linear time', async () => {
    const many = 20_000;
    const nested = ['/Span << /ActualText (a) >> BDC ', '( ) Tj ', 'EMC '].map((part) => part.repeat(many));
    const properties = `/Properties << /P << /ActualText (${'long '.repeat(many)}) >> >>`;
    const started = process.cpuUsage();
    await textOf(`(a) Tj ${nested.join('')}`);
    await textOf('/Span /P BDC (ab) Tj EMC '.repeat(many), { resources: properties });
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(8_000);
  });

  it.each([
    ['/t_t /f_f_i', '(bu\\200er, o\\201ce)', 'butter, office'],
    ['/uni0066006C /u1F600', '(\\200oor \\201)', 'floor 😀'],
    ['/one.oldstyle /A.sc /eacute.alt /f_i.liga', '(\\200 \\201 caf\\202 \\203nd)', '1 A café find'],
  ])('are those of the names %s', async (names, text, read) => {
    expect(await textOf(`${text} Tj`, { names })).toBe(read);
  });

  it.each([
    ['before the letter', '[(Schr)-83(\\200)417(odinger)] TJ', 'Schrödinger'],
    ['after the letter', '[(caf) (e)388(\\201)] TJ', 'café'],
    ['over a capital letter', '(Ecole) Tj 2 Ts [2334(\\201)] TJ', 'École'],
    ['over a dotless letter', '[(na)(\\200)306(\\202ve)] TJ', 'naïve'],
    ['under the letter', '[(fran)(\\203)389(cais)] TJ', 'français'],
    ['beside letters', '[(a \\200 b)] TJ', 'a ¨ b'],
  ])('join accents: %s', async (_, content, text) => {
    expect(await textOf(content, { names: '/dieresis /acute /dotlessi /cedilla' })).toBe(text);
  });

  it('are the signs of a symbol font', async () => {
    const content = '/Z 10 Tf (4) Tj /F1 10 Tf ( yes ) Tj /Z 10 Tf (o) Tj /F1 10 Tf ( no) Tj';
    expect(await textOf(content)).toBe('✔ yes ☐ no');
  });
});
