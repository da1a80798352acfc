import {
  buildDocx,
  buildEpub,
  buildOds,
  buildOdt,
  buildPptx,
  buildXlsx,
  buildZip,
  slideShape,
  wordParagraph,
} from '@citewell/documents/test-files';
import { type HostileFile, MEGABYTE, noise, scramble, times } from './hostile-content.js';

const TEXT = 'The file of a hostile person tells of nothing.';
const sheet = (content: string): Uint8Array<ArrayBuffer> =>
  buildXlsx([{ name: 'A', rows: '' }], {
    parts: { 'xl/worksheets/sheet1.xml': `<worksheet>${content}</worksheet>` },
  });
/** Ten scrambled words in one. */
const ids = (n: number): string => times(10, (m) => scramble(n * 10 + m));
const listItem = (n: number): string =>
  `<w:p w:id="${scramble(n)}"><w:pPr><w:numPr><w:ilvl w:val="8"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`;
/** A list of nine levels, which begin with the highest number. */
const numbering = (format: string): string => {
  const text = '%1.%2.%3.%4.%5.%6.%7.%8.%9.'.repeat(10);
  const levels = times(
    9,
    (n) =>
      `<w:lvl w:ilvl="${n}"><w:start w:val="2147483647"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`,
  );
  return `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
};

/** Office files and books. */
export const HOSTILE_OFFICE_FILES: readonly HostileFile[] = [
  {
    name: 'dimension.xlsx',
    content: sheet(
      `<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row><row r="999999999999"><c r="ZZZZZZZZ99999999999"><v>3</v></c></row></sheetData>`,
    ),
    outcome: 'synched',
  },
  {
    name: 'merges.xlsx',
    content: sheet(
      `<sheetData>${times(2_000, (n) => `<row r="${n + 1}"><c r="A${n + 1}"><v>${n}</v></c></row>`)}</sheetData><mergeCells>${times(50_000, (n) => `<mergeCell ref="A${n + 1}:XFD1048576"/>`)}</mergeCells>`,
    ),
    outcome: 'synched',
  },
  {
    name: 'strings.xlsx',
    content: buildXlsx(
      [
        {
          name: 'A',
          rows: times(100_000, (n) => `<row r="${n + 1}"><c r="A${n + 1}" t="s"><v>0</v></c></row>`),
        },
      ],
      { strings: [noise(150_000)] },
    ),
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'string-numbers.xlsx',
    content: buildXlsx(
      [
        {
          name: 'A',
          rows: ['-1', '1e308', '99999999999', 'NaN', '0x10']
            .map((v) => `<row><c t="s"><v>${v}</v></c><c><v>1</v></c></row>`)
            .join(''),
        },
      ],
      { strings: ['x'] },
    ),
    outcome: 'synched',
  },
  {
    name: 'formats.xlsx',
    content: buildXlsx([{ name: 'A', rows: times(5_000, () => '<row><c s="0"><v>45000.5</v></c></row>') }], {
      styles: `<numFmts><numFmt numFmtId="200" formatCode="${'[Red]0,.0#;'.repeat(20_000)}${'yyyy-&quot;'.repeat(20_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`,
    }),
    outcome: 'synched',
  },
  {
    name: 'sheets.xlsx',
    content: buildXlsx(
      Array.from({ length: 2_000 }, (_, n) => ({ name: `S${n}`, rows: '<row><c><v>1</v></c></row>' })),
    ),
    outcome: 'synched',
  },
  {
    name: 'tables.docx',
    content: buildDocx(times(100_000, (n) => `<w:tbl><w:tr><w:tc w:id="${scramble(n)}">`)),
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'tables-in-tables.docx',
    content: buildDocx(
      times(
        3_000,
        (n) =>
          `${'<w:tbl><w:tr><w:tc>'.repeat(60)}${wordParagraph(ids(n))}${'</w:tc></w:tr></w:tbl>'.repeat(60)}`,
      ),
    ),
    outcome: 'synched',
  },
  {
    name: 'spans.docx',
    content: buildDocx(
      `<w:tbl>${times(20_000, (n) => `<w:tr w:id="${scramble(n)}"><w:tc><w:tcPr><w:gridSpan w:val="999999999"/><w:vMerge/></w:tcPr>${wordParagraph(TEXT)}</w:tc><w:tc>${wordParagraph('x')}</w:tc></w:tr>`)}</w:tbl>`,
    ),
    outcome: 'synched',
  },
  ...['lowerLetter', 'upperRoman', 'decimalZero'].map((format) => ({
    name: `numbers-${format}.docx`,
    content: buildDocx(times(20_000, listItem), {
      'word/numbering.xml': numbering(format),
    }),
    outcome: 'synched',
  })),
  {
    name: 'style-loop.docx',
    content: buildDocx(wordParagraph(TEXT, 'A'), {
      'word/styles.xml':
        '<w:styles xmlns:w="w"><w:style w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
    }),
    outcome: 'synched',
  },
  {
    name: 'attributes.docx',
    content: buildDocx(`<w:p ${times(200_000, (n) => `a${n}="x" `)}/>${wordParagraph(TEXT)}`),
    outcome: 'synched',
  },
  {
    name: 'name.docx',
    content: buildDocx(`<w:${noise(500_000).replaceAll(' ', '')}/>`),
    outcome: 'error EMPTY_DOCUMENT',
  },
  {
    name: 'paragraphs.docx',
    content: buildDocx(times(50_000, (n) => `<w:p><w:r><w:t>${n}</w:t></w:r></w:p>`)),
    outcome: 'synched',
  },
  {
    name: 'slides.pptx',
    content: buildPptx([slideShape([TEXT])], { order: Array.from({ length: 2_000 }, () => 1) }),
    outcome: 'synched',
  },
  {
    name: 'shapes.pptx',
    content: buildPptx([times(100_000, (n) => `<p:grpSp id="${scramble(n)}">`)]),
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'spaces.odt',
    content: buildOdt(
      `<text:p>a<text:s text:c="1000000000"/>${'<text:s text:c="99999"/>'.repeat(10_000)}b</text:p>`,
    ),
    outcome: 'synched',
  },
  {
    name: 'repeats.odt',
    content: buildOdt(
      `<table:table>${times(2_000, () => `<table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>${TEXT}</text:p></table:table-cell></table:table-row>`)}</table:table>`,
    ),
    outcome: 'synched',
  },
  {
    name: 'repeats.ods',
    content: buildOds(
      `<table:table>${times(2_000, () => `<table:table-row table:number-rows-repeated="1000000000"><table:table-cell table:number-columns-repeated="1000000000"><text:p>${TEXT}</text:p></table:table-cell></table:table-row>`)}</table:table>`,
    ),
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'spine.epub',
    content: buildZip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
      'book.opf': `<package><manifest><item id="p" href="p.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${times(100_000, (n) => `<itemref idref="p" n="${n}"/>`)}</spine></package>`,
      'p.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>${noise(50_000)}</p></body></html>`,
    }),
    outcome: 'error TOO_COMPLEX',
  },
  {
    name: 'deep.epub',
    content: buildEpub(times(100_000, (n) => `<div class="${n}">`) + TEXT),
    outcome: 'synched',
  },
  {
    name: 'outside.epub',
    content: buildZip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="../../../etc/passwd"/></rootfiles></container>',
    }),
    outcome: 'error CORRUPT_FILE',
  },
  {
    name: 'groups.rtf',
    content: `{\\rtf1 ${'{x}'.repeat(500_000)}${'{\\*\\x '.repeat(200)}${'}'.repeat(201)}`,
    outcome: 'synched',
  },
  {
    name: 'cells.rtf',
    content: `{\\rtf1 \\trowd${'\\cellx1'.repeat(100_000)} ${'x\\cell '.repeat(500_000)}\\row}`,
    outcome: 'synched',
  },
  {
    name: 'skips.rtf',
    content: `{\\rtf1 \\uc1000000000 \\u65 x${'\\u-1?\\u9999999 '.repeat(100_000)} ${TEXT}}`,
    outcome: 'synched',
  },
  {
    name: 'words.rtf',
    content: `{\\rtf1 \\${'a'.repeat(5 * MEGABYTE)}${'9'.repeat(MEGABYTE)} ${TEXT}}`,
    outcome: 'synched',
  },
];
