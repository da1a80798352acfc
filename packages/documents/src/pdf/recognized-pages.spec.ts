import { describe, expect, it } from '@jest/globals';
import { DocumentBuilder } from '../document/document-builder.js';
import { PageFonts } from './page-fonts.js';
import { PdfLayout } from './pdf-layout.js';
import { PdfOutline } from './pdf-outline.js';
import { RecognizedPages } from './recognized-pages.js';

const LEFT = [
  'The ferry leaves the old',
  'harbour at nine and waits',
  'for the mail boat until',
  'the tide has turned.',
];
const RIGHT = [
  'Dogs travel free of charge',
  'but stay on the lower deck',
  'with their owners, who pay',
  'for a seat on the bridge.',
];

/** Tesseract's tab-separated values of lines over the whole page, with letters of 14 pixels, 23 pixels high. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const page = ['1', '1', '0', '0', '0', '0', '0', '0', '1000', '1400', '-1', ''];
  const words = rows.flatMap((columns, row) =>
    columns.flatMap((text, column) => {
      let left = 100 + column * 450;
      return text.split(' ').map((word) => {
        const box = [left, 100 + row * 46, word.length * 14, 23];
        left += (word.length + 1) * 14;
        return [5, 1, 1, 1, row + 1, 1, ...box, 95, word].map(String);
      });
    }),
  );
  return [page, ...words].map((row) => row.join('\t')).join('\n');
}

describe('RecognizedPages', () => {
  it('reads columns one after the other, and the lines of a paragraph together', () => {
    const pages = new RecognizedPages(
      new Map([[1, tableOf(LEFT.map((text, row) => [text, RIGHT[row] ?? '']))]]),
    );
    const builder = new DocumentBuilder();
    const layout = new PdfLayout(builder, PdfOutline.EMPTY, new PageFonts());
    const lines = pages.lines(1, 842, 0);
    layout.addToStatistics(lines);
    layout.addPage({ number: 1, lines, first: { top: [], bottom: [] } });
    layout.finish();
    expect(builder.build().text.split('\n\n')).toEqual([LEFT.join(' '), RIGHT.join(' ')]);
  });
});
