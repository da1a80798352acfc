import { describe, expect, it } from '@jest/globals';
import { buildPdf, buildPdfPage, FIRST_EXTRA, type PdfOptions } from '../test-files/index.js';
import { outline, parse } from '../test-files/parse.js';

const FORM = [
  { text: 'Application', y: 740, size: 20 },
  { text: 'Name:', y: 700 },
  { text: 'Country:', y: 680 },
  { text: 'Married', x: 90, y: 660 },
  { text: 'Please write clearly, since nobody here can read what is written otherwise.', y: 620 },
];

const field = (y: number, entries: string, left = 140): string =>
  `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${left} ${y - 3} ${left + 150} ${y + 12}] ${entries} >>`;
const FIELDS = [
  field(700, '/FT /Tx /T (name) /V (Ada \\(Countess\\) Lovelace)'),
  field(680, '/FT /Ch /Ff 131072 /T (country) /Opt [[(de) (Germany)] [(gb) (Great Britain)]] /V (gb)'),
  '<< /Type /Annot /Subtype /Widget /F 4 /Rect [74 658 84 668] /FT /Btn /T (married) /V /Yes /AS /Yes ' +
    '/AP << /N << /Yes 3 0 R /Off 3 0 R >> >> >>',
  '<< /Type /Annot /Subtype /Text /F 4 /Rect [500 700 520 720] /T (Babbage) /Contents (Has she paid?) >>',
];

/** Free text on the only page of a file, and the object of its appearance. */
const TYPED = [
  '<< /Type /Annot /Subtype /FreeText /F 4 /Rect [100 600 300 615] /Contents (Paid in May) /DA (/F1 11 Tf) ' +
    '/AP << /N 10 0 R >> >>',
  '<< /Type /XObject /Subtype /Form /BBox [0 0 200 15] /Length 20 >>\nstream\nq 1 0 0 1 2 2 cm Q \nendstream',
];

const annotations = (...dictionaries: readonly string[]): NonNullable<PdfOptions['annotations']> =>
  dictionaries.map((dictionary) => ({ page: 0, dictionary }));

const READ = [
  ['heading1', 'Application'],
  ['paragraph', 'Name: Ada (Countess) Lovelace'],
  ['paragraph', 'Country: Great Britain'],
  ['paragraph', '☒ Married'],
  ['paragraph', 'Please write clearly, since nobody here can read what is written otherwise.'],
  ['paragraph', '[Comment by Babbage] Has she paid?'],
];

describe('notes on the pages of PDF files', () => {
  for (const options of [{}, { packed: true }]) {
    it(`are read in place, ${JSON.stringify(options)}`, async () => {
      const file = buildPdf([FORM], { ...options, annotations: annotations(...FIELDS) });
      expect(outline(await parse(file, 'application/pdf'))).toEqual(READ);
    });
  }

  it('are the text of an otherwise empty page', async () => {
    const file = buildPdf([[]], { annotations: annotations(field(700, '/FT /Tx /T (name) /V (Ada)')) });
    const document = await parse(file, 'application/pdf');
    expect(document.text).toBe('Ada');
    expect(document.pages.map(({ content }) => content)).not.toContain('empty');
  });

  it.each([
    ['a stamp', '/Subtype /Stamp'],
    ['a signature', '/Subtype /Widget /FT /Sig /T (s)'],
  ])('are the drawn text of %s', async (_, kind) => {
    const drawing = 'BT /F1 10 Tf 2 2 Td (Signed by Ada on 4 May 2025) Tj ET';
    const file = buildPdf(
      [
        [
          { text: 'Contract', y: 700 },
          { text: 'The end.', y: 500 },
        ],
      ],
      {
        annotations: annotations(
          `<< /Type /Annot ${kind} /F 4 /Rect [100 600 400 620] /AP << /N 10 0 R >> >>`,
          '<< /Type /XObject /Subtype /Form /BBox [0 0 300 20] /Resources << /Font << /F1 3 0 R >> >> ' +
            `/Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
        ),
      },
    );
    expect((await parse(file, 'application/pdf')).text.split('\n\n')).toEqual([
      'Contract',
      'Signed by Ada on 4 May 2025',
      'The end.',
    ]);
  });

  it('do not make a page a scan', async () => {
    const document = await parse(buildPdf([[]], { annotations: annotations(...TYPED) }), 'application/pdf');
    expect(document.text).toBe('Paid in May');
  });

  it('do not make a scanned page a page with text', async () => {
    const picture = { width: 8, height: 8, grey: new Uint8Array(64).fill(200) };
    const file = buildPdf([picture], { annotations: annotations(field(700, '/FT /Tx /T (name) /V (Ada)')) });
    await expect(parse(file, 'application/pdf')).rejects.toMatchObject({ code: 'OCR_REQUIRED' });
  });

  it('are read once, however often a page lists them', async () => {
    const file = buildPdfPage('', {
      page: `/Annots [${`${FIRST_EXTRA} 0 R `.repeat(100_000)}]`,
      objects: [field(700, '/FT /Tx /T (name) /V (Ada)')],
    });
    expect((await parse(file, 'application/pdf')).text).toBe('Ada');
  });

  it('are ignored when broken, without affecting others', async () => {
    const broken = [
      '<< /Subtype /Widget /FT 17 /Rect (x) /Parent 1 0 R >>',
      '17',
      '<< /Subtype /Text /Contents 3 0 R >>',
    ];
    const file = buildPdf([FORM], { annotations: annotations(...broken, ...FIELDS) });
    expect(outline(await parse(file, 'application/pdf'))).toEqual(READ);
  });
});
