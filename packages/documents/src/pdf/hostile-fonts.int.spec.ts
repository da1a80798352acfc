import { describe, expect, it } from '@jest/globals';
import { assemble } from '../test-files/pdf-file.js';
import { parse } from '../test-files/parse.js';

const stream = (text: string): string => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
const TO_UNICODE =
  'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0001> <0100> <0041> endbfrange endcmap';

function fileWithFont(entries: string): Uint8Array<ArrayBuffer> {
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    stream('BT /F1 12 Tf 50 700 Td <00010002000300040005> Tj ET'),
    '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-V /DescendantFonts [7 0 R] /ToUnicode 8 0 R >>',
    '<< >>',
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ${entries} >>`,
    stream(TO_UNICODE),
  ]);
}

describe('fonts that take gigabytes if they are read as they say', () => {
  it.each([
    ['a range of widths', '/W [0 4000000000 500]'],
    ['widths far above the last character', '/W [3999999999 [1 2 3] 0 9 500]'],
    ['a range of vertical widths', '/W2 [0 4000000000 500 500 500]'],
    ['millions of widths', `/W [1 [${'5 '.repeat(3_000_000)}]]`],
    ['millions of arrays of widths', `/W [${'1[5]'.repeat(1_500_000)}]`],
  ])('are read with %s', async (_what, entries) => {
    expect((await parse(fileWithFont(entries), 'application/pdf')).text.replace(/\s/g, '')).toBe('ABCDE');
  });
});
