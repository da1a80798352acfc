import { deflateSync } from 'node:zlib';
import { buildRawPdf } from '@citewell/documents/test-files';
import { type HostileFile, MEGABYTE } from './hostile-content.js';

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const SENTENCE = 'BT /F1 12 Tf 72 700 Td (This page tells of nothing.) Tj ET';

function stream(content: string | Uint8Array, dictionary = '', filters = 1): string {
  let data = Buffer.from(content);
  for (let n = 0; n < filters; n += 1) data = deflateSync(data);
  const names = '/FlateDecode '.repeat(filters);
  return `<< ${dictionary} /Filter [${names}] /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`;
}

/** A page with a font `F1`, whose content is object 5. Further objects begin with 6. */
function pdfOf(
  content: string,
  more: readonly string[] = [],
  fields = '',
  mediaBox = '0 0 612 792',
): Uint8Array<ArrayBuffer> {
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox}] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> ${fields} >> >>`;
  return buildRawPdf([CATALOG, PAGES, page, FONT, content, ...more]);
}

const form = (content: string, resources: string): string =>
  stream(content, `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << ${resources} >>`);
const rewrite = (file: Uint8Array, change: (text: string) => string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(change(Buffer.from(file).toString('latin1')), 'latin1'));

const ONE_PAGE = pdfOf(stream(SENTENCE));
const XREF = /startxref\n(\d+)/;

/** PDF files that send a parser in circles, or promise more than they contain. */
export const HOSTILE_PDFS: readonly HostileFile[] = [
  {
    name: 'page-cycle.pdf',
    content: buildRawPdf([
      CATALOG,
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2000000000 /Parent 3 0 R >>',
      '<< /Type /Pages /Kids [2 0 R 4 0 R] /Count 2000000000 /Parent 4 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2000000000 /Parent 2 0 R >>',
    ]),
    outcome: 'error CORRUPT_FILE',
  },
  {
    name: 'page-chain.pdf',
    content: buildRawPdf([
      CATALOG,
      ...Array.from({ length: 50_000 }, (_, n) => `<< /Type /Pages /Kids [${n + 3} 0 R] /Count 1 >>`),
      '<< /Type /Page /MediaBox [0 0 612 792] >>',
    ]),
    outcome: 'error EMPTY_DOCUMENT',
  },
  {
    name: 'page-count.pdf',
    content: rewrite(ONE_PAGE, (text) => text.replace('/Count 1 ', '/Count 2147483647 ')),
    outcome: 'synched',
  },
  {
    name: 'xref-loop.pdf',
    content: rewrite(ONE_PAGE, (text) =>
      text.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${XREF.exec(text)?.[1] ?? 0}`),
    ),
    outcome: 'synched',
  },
  {
    name: 'xref-nowhere.pdf',
    content: rewrite(ONE_PAGE, (text) => text.replace(XREF, 'startxref\n99999999999')),
    outcome: 'synched',
  },
  {
    name: 'xref-many.pdf',
    content: rewrite(ONE_PAGE, (text) => text.replace(/xref\n0 \d+/, 'xref\n0 2000000000')),
    outcome: 'synched',
  },
  {
    name: 'giant-page.pdf',
    content: pdfOf(stream(SENTENCE), [], '', '-1e30 -1e30 1e30 1e30'),
    outcome: 'synched',
  },
  {
    name: 'odd-page.pdf',
    content: pdfOf(stream(SENTENCE), [], '', 'null (x) 3 0 R 3 0 R'),
    outcome: 'synched',
  },
  {
    name: 'form-loop.pdf',
    content: pdfOf(
      stream(`${SENTENCE} /X Do`),
      [form('/X Do', '/XObject << /X 6 0 R >>')],
      '/XObject << /X 6 0 R >>',
    ),
    outcome: 'synched',
  },
  {
    name: 'form-laughs.pdf',
    content: pdfOf(
      stream(`${SENTENCE} /X Do`),
      Array.from({ length: 12 }, (_, n) =>
        form(
          n === 11 ? SENTENCE : '/X Do '.repeat(10),
          `/Font << /F1 4 0 R >> /XObject << /X ${n + 7} 0 R >>`,
        ),
      ),
      '/XObject << /X 6 0 R >>',
    ),
    outcome: 'error PARSE_TIMEOUT',
  },
  {
    name: 'stream-bomb.pdf',
    content: pdfOf(stream(Buffer.alloc(400 * MEGABYTE, ' '))),
    outcome: 'error PARSE_(MEMORY|TIMEOUT)',
  },
  {
    name: 'stream-bomb-2.pdf',
    content: pdfOf(stream(Buffer.alloc(400 * MEGABYTE, ' '), '', 3)),
    outcome: 'error PARSE_(MEMORY|TIMEOUT)',
  },
  {
    name: 'operators.pdf',
    content: pdfOf(stream('q '.repeat(5_000_000))),
    outcome: 'error PARSE_(MEMORY|TIMEOUT)',
  },
  {
    name: 'texts.pdf',
    content: pdfOf(stream(`BT /F1 12 Tf ${'(x) Tj 1 0 Td '.repeat(500_000)} ET`)),
    outcome: 'synched',
  },
  { name: 'arrays.pdf', content: pdfOf(stream(`${SENTENCE} ${'['.repeat(1_000_000)}`)), outcome: 'synched' },
  {
    name: 'cmap.pdf',
    content: buildRawPdf([
      CATALOG,
      PAGES,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>',
      stream(SENTENCE),
      stream(
        `begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange ${'1 beginbfrange <00000000> <ffffffff> <0041> endbfrange '.repeat(100)} endcmap`,
      ),
    ]),
    outcome: 'synched',
  },
  {
    name: 'picture.pdf',
    content: pdfOf(
      stream(`${SENTENCE} q 600 0 0 700 0 0 cm /P Do Q`),
      [
        stream(
          'x',
          '/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 16',
        ),
      ],
      '/XObject << /P 6 0 R >>',
    ),
    outcome: 'synched',
  },
  {
    name: 'outline-loop.pdf',
    content: rewrite(
      pdfOf(stream(SENTENCE), [
        '<< /First 7 0 R /Last 7 0 R /Count 100000000 >>',
        '<< /Title (Again) /Parent 6 0 R /Next 7 0 R /First 7 0 R >>',
      ]),
      (text) => text.replace('/Type /Catalog', '/Type /Catalog /Outlines 6 0 R '),
    ),
    outcome: 'synched',
  },
  {
    name: 'nested-objects.pdf',
    content: buildRawPdf([`${'['.repeat(2_000_000)}`]),
    outcome: 'error CORRUPT_FILE',
  },
  {
    name: 'objects.pdf',
    content: buildRawPdf([CATALOG, PAGES, ...Array.from({ length: 300_000 }, () => '<<>>')]),
    outcome: 'error EMPTY_DOCUMENT',
  },
];
