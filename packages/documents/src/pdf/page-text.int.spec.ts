import { describe, expect, it } from '@jest/globals';
import type { Document } from '../document/document.js';
import { buildPdfPage, FIRST_EXTRA, type PdfPageOptions, streamObject } from '../test-files/index.js';
import { parse } from '../test-files/parse.js';

const read = (content: string, options?: PdfPageOptions): Promise<Document> =>
  parse(buildPdfPage(content, options), 'application/pdf');
const show = (text: string, x: number, y: number, { font = 'F1', size = 12 } = {}): string =>
  `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`;
const IMAGE = 'BI /W 1 /H 1 /CS /G /BPC 8 /F /AHx ID 00> EI';
const SEEN = show('A visible paragraph.', 72, 700);

describe('glyphs that are variants', () => {
  it.each([
    ['digits with ascenders', '/one.os /nine.os /two.os', '192'],
    ['digits of other kinds', '/seven.tnum /zero.lf /three.sups', '703'],
    ['small capitals', '/a.sc /B.alt /c.ss01', 'aBc'],
    ['names in full', '/one /A /nine', '1A9'],
  ])('are read as the characters that they show: %s', async (_, names, text) => {
    const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [129 ${names}] >> >>`;
    const { text: all } = await read(`${SEEN} BT /G1 gs 1 0 0 1 72 600 Tm (No. \\201\\202\\203) Tj ET`, {
      resources: `/ExtGState << /G1 << /Font [${FIRST_EXTRA} 0 R 12] >> >>`,
      objects: [font],
    });
    expect(all).toBe(`A visible paragraph.\n\nNo. ${text}`);
  });
});

describe('text that is drawn twice', () => {
  const line = 'Maximum pressure 25 bar';
  it.each<[kind: string, content: string]>([
    ['a shifted line', show(line, 72, 700) + show(line, 72.4, 700)],
    ['at the same place', show(line, 72, 700) + show(line, 72, 700)],
    ['three times', show(line, 72, 700) + show(line, 72.3, 700) + show(line, 72.3, 700.3)],
    ['a shadow', show(line, 73, 699, { size: 24 }) + show(line, 72, 700, { size: 24 })],
    [
      'words',
      ['Maximum', 'pressure', '25', 'bar']
        .map((word, n) => show(word, 72 + n * 60, 700) + show(word, 72.3 + n * 60, 700))
        .join(' '),
    ],
    [
      'letters',
      [...'25 bar']
        .map((letter, n) => show(letter, 72 + n * 6.6, 700) + show(letter, 72.4 + n * 6.6, 700))
        .join(' '),
    ],
  ])('is read once: %s', async (_, content) => {
    const { text, leftOut } = await read(content);
    expect(text.replace(/[\s|]+/g, ' ')).toBe(content.includes('M') ? line : '25 bar');
    expect(leftOut).toEqual({});
  });

  it('keeps double letters, and equal words side by side', async () => {
    expect((await read(show('All little balloons will roll, ill ill ill.', 72, 700))).text).toBe(
      'All little balloons will roll, ill ill ill.',
    );
  });
});

describe('spaces', () => {
  it.each<[content: string, text: string]>([
    [show('This ', 72, 700) + show('word', 95.2, 700), 'This word'],
    [show('Hyp', 72, 700) + show('hen', 93.2, 700), 'Hyphen'],
    [show('A word ', 72, 700) + show(', then', 108.5, 700), 'A word, then'],
  ])('%s', async (content, text) => {
    expect((await read(content)).text).toBe(text);
  });
});

describe('letters that are spaced out', () => {
  it.each<[content: string, text: string]>([
    [show('W A R R A N T Y', 72, 700), 'WARRANTY'],
    [show('N O T E   O F   R E C E I P T', 72, 700), 'NOTE OF RECEIPT'],
    ['BT /F1 12 Tf 6 Tc 72 700 Td (WARRANTY CLAIM) Tj ET', 'WARRANTY CLAIM'],
    [
      'BT /F1 12 Tf 72 700 Td [(W) -400 (A) -400 (R) -400 (R) -400 (A) -400 (N) -400 (T) -400 (Y)] TJ ET',
      'WARRANTY',
    ],
    [show('see T O T A L: 12', 72, 700), 'see TOTAL: 12'],
    [show('A B C D E F', 72, 700), 'A B C D E F'],
    [show('Plan B or C, as I said', 72, 700), 'Plan B or C, as I said'],
    [show('1 2 3 4 5 6', 72, 700), '1 2 3 4 5 6'],
  ])('%s', async (content, text) => {
    expect((await read(content)).text).toBe(text);
  });
});

describe('raised and lowered text', () => {
  const script = (base: string, small: string, rise: number, after = ''): string =>
    `BT /F1 12 Tf 72 700 Td (${base}) Tj /F1 7 Tf ${rise} Ts (${small}) Tj /F1 12 Tf 0 Ts (${after}) Tj ET`;
  it.each<[content: string, text: string]>([
    [script('about 10', '6', 5, ' cells'), 'about 10^6 cells'],
    [script('10', '-12', 5), '10^-12'],
    [script('an area of 25 m', '2', 4, ' or more'), 'an area of 25 m^2 or more'],
    [script('H', '2', -3, 'O'), 'H2O'],
    [script('on the 5', 'th', 4, ' of May'), 'on the 5th of May'],
    [script('as the survey says', '3', 4, ' today'), 'as the survey says[3] today'],
    [script('It ends.', '12', 4), 'It ends.[12]'],
    ['BT /F1 12 Tf 72 700 Td (10) Tj 5 Ts (6) Tj 0 Ts ( cells) Tj ET', '10^6 cells'],
    [show('cells', 100, 700) + show('10', 72, 700) + show('6', 85.5, 705, { size: 7 }), '10^6 cells'],
  ])('%s', async (content, text) => {
    expect((await read(content)).text).toBe(text);
  });
});

describe('text that no reader sees', () => {
  const LAYERS: PdfPageOptions = {
    resources: `/Properties << /On ${FIRST_EXTRA} 0 R /Off ${FIRST_EXTRA + 1} 0 R /All ${FIRST_EXTRA + 2} 0 R /Any ${FIRST_EXTRA + 3} 0 R /Viewed ${FIRST_EXTRA + 5} 0 R >> /XObject << /Form ${FIRST_EXTRA + 4} 0 R >>`,
    catalog: `/OCProperties << /OCGs [${FIRST_EXTRA} 0 R ${FIRST_EXTRA + 1} 0 R ${FIRST_EXTRA + 5} 0 R] /D << /OFF [${FIRST_EXTRA + 1} 0 R] >> >>`,
    objects: [
      '<< /Type /OCG /Name (on) >>',
      '<< /Type /OCG /Name (off) >>',
      `<< /Type /OCMD /OCGs [${FIRST_EXTRA} 0 R ${FIRST_EXTRA + 1} 0 R] /P /AllOn >>`,
      `<< /Type /OCMD /OCGs [${FIRST_EXTRA} 0 R ${FIRST_EXTRA + 1} 0 R] /P /AnyOn >>`,
      streamObject(
        show('Unseen.', 72, 600),
        `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /OC ${FIRST_EXTRA + 1} 0 R /Resources << /Font << /F1 5 0 R >> >>`,
      ),
      '<< /Type /OCG /Name (viewed) /Usage << /View << /ViewState /OFF >> >> >>',
    ],
  };
  const within = (name: string, content: string): string => `/OC /${name} BDC ${content} EMC`;
  const unseen = show('Unseen.', 72, 600);
  it.each<[kind: string, content: string, options: PdfPageOptions]>([
    ['in a hidden layer', within('Off', unseen), LAYERS],
    ['in a visible layer within a hidden one', within('Off', within('On', unseen)), LAYERS],
    ['in a hidden layer within a visible one', within('On', within('Off', unseen)), LAYERS],
    ['in a hidden combination of layers', within('All', unseen), LAYERS],
    ['in a layer that is not for viewing', within('Viewed', unseen), LAYERS],
    ['in a form of a hidden layer', '/Form Do', LAYERS],
    ['outside of the page', show('Unseen.', 72, 900), {}],
    ['beside the clipped area', `q 0 0 50 50 re W n ${unseen} Q`, {}],
    ['white on white', `1 g ${unseen} 0 g`, {}],
    ['without size', show('Unseen.', 72, 600, { size: 0.01 }), {}],
  ])('%s is counted as hidden', async (_, content, options) => {
    const { text, leftOut } = await read(`${SEEN} ${content}`, options);
    expect(text).toBe('A visible paragraph.');
    expect(leftOut).toEqual({ hidden: 'Unseen.'.length });
  });

  const seen = show('Seen as well.', 72, 600);
  it.each<[kind: string, content: string, options: PdfPageOptions]>([
    ['in a visible layer', within('On', seen), LAYERS],
    ['in a visible combination of layers', within('Any', seen), LAYERS],
    ['white on a dark bar', `0 g 60 590 200 30 re f 1 g ${seen} 0 g`, {}],
    ['white on an image', `q 200 0 0 30 60 590 cm ${IMAGE} Q 1 g ${seen} 0 g`, {}],
    [
      'white on a shading',
      `/S sh 1 g ${seen} 0 g`,
      {
        resources:
          '/Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 1] /Function << /FunctionType 2 /Domain [0 1] /N 1 >> >> >>',
      },
    ],
    ['reaching into the clipped area', `q 0 0 125 700 re W n ${seen} Q`, {}],
    ['not painted, as text over a scan', `3 Tr ${seen} 0 Tr`, {}],
  ])('does not apply to text %s', async (_, content, options) => {
    const { text, leftOut } = await read(`${SEEN} ${content}`, options);
    expect(text.replace(/\s+/g, ' ')).toBe('A visible paragraph. Seen as well.');
    expect(leftOut).toEqual({});
  });

  it('counts a text layer over the same text', async () => {
    const { text, leftOut } = await read(
      `${SEEN} 3 Tr ${show('A visible paragraph.', 74, 701, { size: 11 })} 0 Tr`,
    );
    expect(text).toBe('A visible paragraph.');
    expect(leftOut).toEqual({ hidden: 20 });
  });
});

describe('text from right to left', () => {
  // The letters A to H of the font, whose letters are 7.2 points wide at 12 points.
  const letters = ['م', 'ل', 'ا', 'لا', 'س', 'ﻼ', 'ﺎ', '5'];
  const arabic = (content: string): Promise<Document> => read(content, { letters });
  it.each<[kind: string, content: string, text: string]>([
    ['a ligature of two letters', show('ADEBC', 72, 700, { font: 'F2' }), 'السلام'],
    ['a ligature that is a presentation form', show('AFEBC', 72, 700, { font: 'F2' }), 'السلام'],
    ['presentation forms', show('AG', 72, 700, { font: 'F2' }), 'ام'],
    [
      'letters that are drawn from the right',
      [...'CBEDA'].map((letter, n) => show(letter, 108 - n * 7.2, 700, { font: 'F2' })).join(' '),
      'السلام',
    ],
    [
      'a number',
      show('H H', 72, 700, { font: 'F2' }) + show('ADEBC', 104, 700, { font: 'F2' }),
      'السلام 5 5',
    ],
    [
      'Latin words',
      show('ADEBC ADEBC', 200, 700, { font: 'F2' }) + show('Citewell 2024', 120, 700),
      'السلام السلام Citewell 2024',
    ],
  ])('reads %s', async (_, content, text) => {
    expect((await arabic(content)).text).toBe(text);
  });
});

describe('attachments', () => {
  const file = (name: string): string =>
    `<< /Type /Filespec /F (${name}) /UF (${name}) /EF << /F ${FIRST_EXTRA} 0 R >> >>`;
  const objects = [
    streamObject('1,2', '/Type /EmbeddedFile'),
    `<< /Names [(b) ${FIRST_EXTRA + 2} 0 R (a) ${file('folder/prices 2024.xlsx')}] >>`,
    file('factur-x.xml'),
    `<< /Type /Annot /Subtype /FileAttachment /Rect [72 650 90 668] /Contents (The plan) /FS ${file('plan.dwg')} >>`,
  ];

  it('are named, on the page or at the end', async () => {
    const { text } = await read(SEEN, {
      objects,
      catalog: `/Names << /EmbeddedFiles ${FIRST_EXTRA + 1} 0 R >>`,
      page: `/Annots [${FIRST_EXTRA + 3} 0 R]`,
    });
    expect(text).toMatch(/^A visible paragraph\.\n\nAttachment: plan\.dwg\n.*The plan/);
    expect(text).toMatch(/Attachment: factur-x\.xml/);
    expect(text).toMatch(/Attachment: prices 2024\.xlsx$/m);
  });

  it('do not fail a file whose list is damaged', async () => {
    const { text } = await read(SEEN, { catalog: '/Names << /EmbeddedFiles 4 0 R >>' });
    expect(text).toBe('A visible paragraph.');
  });
});
