import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { assertLinear, countSteps } from '../test-files/count-steps.js';
import { anyLines } from './line.fixtures.js';
import type { Line } from './pdf-lines.js';
import { inReadingOrder, labelRanges, PdfAnnotations } from './pdf.parser.js';
import { pageRanges } from './unread-pages.js';

const cellsOf = (lines: readonly Line[]): string[] =>
  lines.flatMap((line) => line.cells.map(({ text, left }) => `${line.y} ${left} ${text}`)).sort();

describe('inReadingOrder', () => {
  it('keeps each line once, wherever lines are', () => {
    fc.assert(
      fc.property(anyLines, (lines) => expect(cellsOf(inReadingOrder(lines))).toEqual(cellsOf(lines))),
    );
  });
});

/** The bytes of objects; nothing else of a file is read. */
const bytesOf = (...objects: readonly string[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(objects.join('\n'), 'latin1'));

const addressesOn = (page: number, ...objects: readonly string[]): string[] =>
  PdfAnnotations.read(bytesOf(...objects))
    .linksOn(page)
    .map(({ address }) => address);

const link = (address: string): string =>
  `<< /Type /Annot /Subtype /Link /Rect [1 2 3 4] /A << /S /URI /URI (${address}) >> >>`;
const A = 'https://example.org/a';
const B = 'https://example.org/b';
const PAGE = '1 0 obj << /Type /Page /Annots [2 0 R] >> endobj';
const LINK = `2 0 obj ${link(A)} endobj`;

/** An object stream with objects by number. */
function stream(
  objects: Readonly<Record<number, string>>,
  { entries = '', encode = (data: Buffer): Buffer => data, filter = '/FlateDecode' } = {},
): string {
  let at = 0;
  const header = Object.entries(objects).map(([number, object]) => {
    const entry = `${number} ${at}`;
    at += object.length + 1;
    return entry;
  });
  const first = `${header.join(' ')} `;
  const data = encode(Buffer.from(`${first}${Object.values(objects).join(' ')}`, 'latin1'));
  const written = filter === '' ? data : deflateSync(data);
  return (
    `90 0 obj << /Type /ObjStm /N ${header.length} /First ${first.length} ${filter === '' ? '' : `/Filter ${filter}`} ` +
    `/Length ${written.length} ${entries} >>\nstream\n${written.toString('latin1')}\nendstream endobj`
  );
}

/** Encodes rows of five bytes with each PNG filter in turn, padded with spaces (RFC 2083, 6). */
function predicted(data: Buffer): Buffer {
  const columns = 5;
  const padded = Buffer.from(
    data.toString('latin1').padEnd(Math.ceil(data.length / columns) * columns),
    'latin1',
  );
  const byteAt = (row: number, column: number): number =>
    row < 0 || column < 0 ? 0 : (padded[row * columns + column] ?? 0);
  const out: number[] = [];
  for (let row = 0; row * columns < padded.length; row += 1) {
    out.push(row % 5);
    for (let column = 0; column < columns; column += 1) {
      const [left, above, both] = [
        byteAt(row, column - 1),
        byteAt(row - 1, column),
        byteAt(row - 1, column - 1),
      ];
      const nearest = [left, above, both].sort(
        (one, other) => Math.abs(left + above - both - one) - Math.abs(left + above - both - other),
      );
      const guess = [0, left, above, Math.floor((left + above) / 2), nearest[0] ?? 0][row % 5] ?? 0;
      out.push((byteAt(row, column) - guess) & 0xff);
    }
  }
  return Buffer.from(out);
}

const ACTION = `<< /S /URI /URI (${A}) >>`;
const PACKED = { 1: '<< /Type /Page /Annots [2 0 R] >>', 2: link(A) };
const PNG = '/DecodeParms << /Predictor 12 /Columns 5 >>';
const LOOKALIKE = `2 0 obj ${link(B)} endobj\nendstream\n`;

const FOUND: readonly (readonly [where: string, objects: readonly string[], addresses: readonly string[]])[] =
  [
    ['in the list of the page', [`1 0 obj << /Annots [${link(A)} ${link(B)}] >> endobj`], [A, B]],
    ['in an indirect list', ['1 0 obj << /Annots 3 0 R >> endobj', LINK, '3 0 obj [2 0 R] endobj'], [A]],
    [
      'in an indirect list that contains the link',
      [`3 0 obj [${link(A)}] endobj`, '1 0 obj << /Annots 3 0 R >> endobj'],
      [A],
    ],
    [
      'with an indirect action',
      [PAGE, '2 0 obj << /Subtype/Link/Rect[1 2 3 4]/A 4 0 R >> endobj', `4 0 obj ${ACTION} endobj`],
      [A],
    ],
    ['in a hexadecimal string', [PAGE, LINK.replace(`(${A})`, `<${Buffer.from(A).toString('hex')}>`)], [A]],
    ['in an object stream', [stream(PACKED)], [A]],
    ['in an uncompressed object stream', [stream(PACKED, { filter: '' })], [A]],
    ['in an object stream with an array of filters', [stream(PACKED, { filter: '[/FlateDecode]' })], [A]],
    ['in an object stream with predictors', [stream(PACKED, { entries: PNG, encode: predicted })], [A]],
    [
      'in an object stream with indirect length',
      [stream(PACKED).replace(/\/Length \d+/, '/Length 7 0 R')],
      [A],
    ],
    ['as last replaced in the file', [PAGE, LINK, `2 0 obj ${link(B)} endobj`], [B]],
    ['as replaced after an object stream', [stream(PACKED), `2 0 obj ${link(B)} endobj`], [B]],
    [
      'after strings with keywords',
      ['5 0 obj << /Title (a >>\nstream, up or downstream\n) >> endobj', PAGE, LINK],
      [A],
    ],
    [
      'before a stream that contains a similar object',
      [PAGE, LINK, `6 0 obj << /Length ${LOOKALIKE.length} >>\nstream\n${LOOKALIKE}\nendstream endobj`],
      [A],
    ],
    [
      'in a file with EncryptMetadata but no encryption',
      [PAGE, LINK, 'trailer << /EncryptMetadata true >>'],
      [A],
    ],
  ];

const IGNORED: readonly (readonly [what: string, objects: readonly string[]])[] = [
  ['a link that was removed', [PAGE, LINK, '2 0 obj << /Subtype /Link /Rect [1 2 3 4] /Dest /top >> endobj']],
  ['links of a page whose annotations were removed', [PAGE, LINK, '1 0 obj << /Type /Page >> endobj']],
  [
    'links within the file',
    [PAGE, '2 0 obj << /Subtype /Link /Rect [1 2 3 4] /A << /S /GoTo /D /a >> >> endobj'],
  ],
  ['form fields', [PAGE, LINK.replace('/Link', '/Widget')]],
  ['links without a rectangle', [PAGE, LINK.replace('[1 2 3 4]', '[1 2 3]')]],
  ['scripts', [PAGE, LINK.replace(A, 'javascript:alert(1)')]],
  ['encrypted files', [PAGE, LINK, 'trailer << /Encrypt 9 0 R >>']],
  ['files with an inline encryption dictionary', [PAGE, LINK, 'trailer << /Encrypt<< /V 4 >> >>']],
  ['streams with other filters', [stream(PACKED, { filter: '[/ASCII85Decode /FlateDecode]' })]],
  ['damaged streams', [stream(PACKED).replace(/stream\n..../, 'stream\nxxxx')]],
];

describe('PdfAnnotations', () => {
  for (const [where, objects, addresses] of FOUND) {
    it(`finds links ${where}`, () => expect(addressesOn(1, ...objects)).toEqual(addresses));
  }

  for (const [what, objects] of IGNORED) {
    it(`ignores ${what}`, () => expect(addressesOn(1, ...objects)).toEqual([]));
  }

  it('returns the rectangle of a link given by any two corners', () => {
    const links = PdfAnnotations.read(bytesOf(PAGE, LINK.replace('[1 2 3 4]', '[30.5 4 10 -2]')));
    expect(links.linksOn(1)).toEqual([{ address: A, left: 10, right: 30.5, bottom: -2, top: 4 }]);
    expect(links.linksOn(2)).toEqual([]);
  });

  const FIELD = '2 0 obj << /Type /Annot /Subtype /Widget /FT /Tx /V (Ada) >> endobj';
  for (const [what, objects, expected] of [
    ['a field', [PAGE, FIELD], true],
    [
      'a field whose value looks like a link',
      [PAGE, FIELD.replace('(Ada)', '(https://x.example/LinkedIn)')],
      true,
    ],
    ['a field before its page', [FIELD, PAGE], true],
    ['a field in the page itself', ['1 0 obj << /Annots [<< /Subtype /Widget >>] >> endobj'], true],
    [
      'a field in an indirect list',
      ['1 0 obj << /Annots 3 0 R >> endobj', FIELD, '3 0 obj [2 0 R] endobj'],
      true,
    ],
    ['packed objects', [stream({ 1: '<< /Annots [2 0 R] >>', 2: '<< /Subtype /Widget >>' })], true],
    [
      'a link and a comment',
      ['1 0 obj << /Annots [2 0 R 3 0 R] >> endobj', LINK, '3 0 obj << /Subtype /Text >> endobj'],
      true,
    ],
    ['a link to an address', [PAGE, LINK], false],
    ['a link to a page', [PAGE, '2 0 obj << /Subtype /Link /Dest [1 0 R /Fit] >> endobj'], false],
    ['a link in the page itself', ['1 0 obj << /Annots [<< /Subtype /Link >>] >> endobj'], false],
    [
      'a field of another page',
      [FIELD, '1 0 obj << /Type /Page >> endobj', '4 0 obj << /Annots [2 0 R] >> endobj'],
      false,
    ],
    ['a field replaced by a link', [PAGE, FIELD, LINK], false],
    ['a field listed many times', [PAGE.replace('2 0 R', '2 0 R '.repeat(50)), FIELD], false],
    ['an encrypted file', [PAGE, LINK, '<< /Encrypt 9 0 R >>'], true],
  ] as const) {
    it(`reports whether a page has annotations other than links: ${what}`, () => {
      expect(PdfAnnotations.read(bytesOf(...objects)).mayHaveNonLinksOn(1)).toBe(expected);
    });
  }

  it('returns at most 300 links of a page', () => {
    const list = Array.from({ length: 400 }, (_, n) => link(`${A}${n}`)).join(' ');
    expect(addressesOn(1, `1 0 obj << /Annots [${list}] >> endobj`)).toHaveLength(300);
  });

  it('ignores object streams that inflate to more than the limit', () => {
    const bomb = { 1: PACKED[1], 2: `${link(A)}${' '.repeat(40_000_000)}` };
    expect(addressesOn(1, stream(bomb))).toEqual([]);
    expect(addressesOn(1, stream(bomb), PAGE, LINK)).toEqual([A]);
  });

  it('accepts any bytes', () => {
    const syntax =
      '1 0 obj|2 0 obj|endobj|stream\n|endstream|/Annots|/URI|/Link|/A|/Rect|/ObjStm|/Type|/N 2|/First|/Length|' +
      '/Filter /FlateDecode|/DecodeParms << /Predictor 12 /Columns|<<|>>|[|]|(|)|2 0 R|3|-1|0.5|' +
      '9'.repeat(400);
    const words = fc.constantFrom(
      ...syntax.split('|'),
      PAGE,
      LINK,
      stream(PACKED),
      stream(PACKED, { filter: '' }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 4 }))), (pieces) => {
        const links = PdfAnnotations.read(bytesOf(pieces.join(' ')));
        for (const { address } of links.linksOn(1)) expect(address).toMatch(/^https:/);
      }),
      { numRuns: 500 },
    );
  });

  // Inputs for which a naive search would read parts of the file again for every other part.
  for (const piece of [
    '1 0 obj ',
    '1 0 obj [',
    '1 0 obj (/URI',
    '1 0 obj << /URI ',
    '1 0 obj << /Link /A 1 0 R endobj ',
    '1 0 obj << /Annots 2 0 R /URI endobj ',
    '1 0 obj << >>\nstream\n',
    '1 0 obj << /Length 9 >>\nstream\n',
    '1 0 obj << /ObjStm >>\nstream\nendstream ',
    '<< /Annots [ ',
    'stream\n',
    '/Encrypt ',
  ]) {
    it(`takes a number of steps linear in the file for repetitions of ${JSON.stringify(piece)}`, () => {
      assertLinear((size) => {
        const bytes = bytesOf(piece.repeat(size), '/URI /ObjStm');
        return countSteps(() => expect(PdfAnnotations.read(bytes).linksOn(1)).toEqual([]));
      });
    });
  }
});

describe('labelRanges', () => {
  it('returns the labels at which counting restarts', () => {
    expect(labelRanges(['Cover', 'i', 'ii', 'iii', '1', '2', 'A-1', 'A-2'])).toBe('1=Cover 2=i 5=1 7=A-1');
  });

  it('returns null for labels that equal the page numbers', () => {
    expect(labelRanges(['1', '2', '3'])).toBeNull();
    expect(labelRanges([])).toBeNull();
  });
});

describe('pageRanges', () => {
  it('joins consecutive pages', () => expect(pageRanges([1, 2, 3, 7, 9, 10])).toBe('1-3, 7, 9-10'));
});
