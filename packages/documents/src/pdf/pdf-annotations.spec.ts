import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { assertLinear, countSteps } from '../test-files/count-steps.js';
import { PdfAnnotations } from './pdf-annotations.js';

/** Bytes as they would stand in a file: nothing but its objects is looked at. */
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

/** An object stream of objects by number. */
function stream(
  objects: Readonly<Record<number, string>>,
  { entries = '', encode = (data: Buffer): Buffer => data, filter = '/FlateDecode' } = {},
): string {
  let at = 0;
  const header = Object.entries(objects).map(([number, object]) => {
    const place = `${number} ${at}`;
    at += object.length + 1;
    return place;
  });
  const first = `${header.join(' ')} `;
  const data = encode(Buffer.from(`${first}${Object.values(objects).join(' ')}`, 'latin1'));
  const written = filter === '' ? data : deflateSync(data);
  return (
    `90 0 obj << /Type /ObjStm /N ${header.length} /First ${first.length} ${filter === '' ? '' : `/Filter ${filter}`} ` +
    `/Length ${written.length} ${entries} >>\nstream\n${written.toString('latin1')}\nendstream endobj`
  );
}

/** Rows of five bytes, by PNG's filters in turn, padded with spaces (RFC 2083, 6). */
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
    ['in a list of its own', ['1 0 obj << /Annots 3 0 R >> endobj', LINK, '3 0 obj [2 0 R] endobj'], [A]],
    ['in a list that holds it', [`3 0 obj [${link(A)}] endobj`, '1 0 obj << /Annots 3 0 R >> endobj'], [A]],
    [
      'with an action of its own',
      [PAGE, '2 0 obj << /Subtype/Link/Rect[1 2 3 4]/A 4 0 R >> endobj', `4 0 obj ${ACTION} endobj`],
      [A],
    ],
    ['in hexadecimal figures', [PAGE, LINK.replace(`(${A})`, `<${Buffer.from(A).toString('hex')}>`)], [A]],
    ['in an object stream', [stream(PACKED)], [A]],
    ['in an object stream that is not compressed', [stream(PACKED, { filter: '' })], [A]],
    ['in one with a list of filters', [stream(PACKED, { filter: '[/FlateDecode]' })], [A]],
    ['in one with predictors', [stream(PACKED, { entries: PNG, encode: predicted })], [A]],
    ['in one of unknown length', [stream(PACKED).replace(/\/Length \d+/, '/Length 7 0 R')], [A]],
    ['as the file was changed last', [PAGE, LINK, `2 0 obj ${link(B)} endobj`], [B]],
    ['as a stream was changed', [stream(PACKED), `2 0 obj ${link(B)} endobj`], [B]],
    [
      'behind texts with keywords',
      ['5 0 obj << /Title (a >>\nstream, up or downstream\n) >> endobj', PAGE, LINK],
      [A],
    ],
    [
      'behind a stream that holds a file',
      [PAGE, LINK, `6 0 obj << /Length ${LOOKALIKE.length} >>\nstream\n${LOOKALIKE}\nendstream endobj`],
      [A],
    ],
    ['beside what is not encrypted', [PAGE, LINK, 'trailer << /EncryptMetadata true >>'], [A]],
  ];

const LEFT_OUT: readonly (readonly [what: string, objects: readonly string[]])[] = [
  ['a link that was removed', [PAGE, LINK, '2 0 obj << /Subtype /Link /Rect [1 2 3 4] /Dest /top >> endobj']],
  ['links of a page that was cleaned', [PAGE, LINK, '1 0 obj << /Type /Page >> endobj']],
  [
    'links to places of the file',
    [PAGE, '2 0 obj << /Subtype /Link /Rect [1 2 3 4] /A << /S /GoTo /D /a >> >> endobj'],
  ],
  ['buttons', [PAGE, LINK.replace('/Link', '/Widget')]],
  ['links without a place', [PAGE, LINK.replace('[1 2 3 4]', '[1 2 3]')]],
  ['scripts', [PAGE, LINK.replace(A, 'javascript:alert(1)')]],
  ['encrypted files', [PAGE, LINK, 'trailer << /Encrypt 9 0 R >>']],
  ['files whose encryption stands beside', [PAGE, LINK, 'trailer << /Encrypt<< /V 4 >> >>']],
  ['streams that are encoded otherwise', [stream(PACKED, { filter: '[/ASCII85Decode /FlateDecode]' })]],
  ['streams that are damaged', [stream(PACKED).replace(/stream\n..../, 'stream\nxxxx')]],
];

describe('PdfAnnotations', () => {
  for (const [where, objects, addresses] of FOUND) {
    it(`finds links ${where}`, () => assert.deepEqual(addressesOn(1, ...objects), addresses));
  }

  for (const [what, objects] of LEFT_OUT) {
    it(`leaves out ${what}`, () => assert.deepEqual(addressesOn(1, ...objects), []));
  }

  it('gives the place of a link, whichever corners its rectangle names', () => {
    const links = PdfAnnotations.read(bytesOf(PAGE, LINK.replace('[1 2 3 4]', '[30.5 4 10 -2]')));
    assert.deepEqual(links.linksOn(1), [{ address: A, left: 10, right: 30.5, bottom: -2, top: 4 }]);
    assert.deepEqual(links.linksOn(2), []);
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
      'a field in a list elsewhere',
      ['1 0 obj << /Annots 3 0 R >> endobj', FIELD, '3 0 obj [2 0 R] endobj'],
      true,
    ],
    ['packed objects', [stream({ 1: '<< /Annots [2 0 R] >>', 2: '<< /Subtype /Widget >>' })], true],
    [
      'a link and a remark',
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
    ['a field that a link has replaced', [PAGE, FIELD, LINK], false],
    ['a field again and again', [PAGE.replace('2 0 R', '2 0 R '.repeat(50)), FIELD], false],
    ['no key to the file', [PAGE, LINK, '<< /Encrypt 9 0 R >>'], true],
  ] as const) {
    it(`tells whether a page has more than links: ${what}`, () => {
      assert.equal(PdfAnnotations.read(bytesOf(...objects)).mayHaveNonLinksOn(1), expected);
    });
  }

  it('gives no more than 300 links of a page', () => {
    const list = Array.from({ length: 400 }, (_, n) => link(`${A}${n}`)).join(' ');
    assert.equal(addressesOn(1, `1 0 obj << /Annots [${list}] >> endobj`).length, 300);
  });

  it('leaves alone what inflates without measure', () => {
    const bomb = { 1: PACKED[1], 2: `${link(A)}${' '.repeat(40_000_000)}` };
    assert.deepEqual(addressesOn(1, stream(bomb)), []);
    assert.deepEqual(addressesOn(1, stream(bomb), PAGE, LINK), [A]);
  });

  it('reads whatever the bytes are', () => {
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
        for (const { address } of links.linksOn(1)) assert.match(address, /^https:/);
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
        return countSteps(() => assert.deepEqual(PdfAnnotations.read(bytes).linksOn(1), []));
      });
    });
  }
});
