import { describe, expect, it } from '@jest/globals';
import { tiffPage, tiffPages } from './tiff-pages.js';

/** A file with one empty directory for each page. @param last the offset after the last page; 0 ends the file */
function tiff(pages: number, { isLittle = true, last = 0 } = {}): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 + pages * 6));
  view.setUint32(0, isLittle ? 0x49_49_2a_00 : 0x4d_4d_00_2a);
  view.setUint32(4, 8, isLittle);
  for (let page = 0; page < pages; page += 1)
    view.setUint32(8 + page * 6 + 2, page === pages - 1 ? last : 8 + (page + 1) * 6, isLittle);
  return new Uint8Array(view.buffer);
}

describe('tiffPages', () => {
  it.each([true, false])('finds the pages of both byte orders (little: %s)', (isLittle) => {
    expect(tiffPages(tiff(3, { isLittle }))).toEqual([8, 14, 20]);
    expect(tiffPages(tiffPage(tiff(3, { isLittle }), 2))).toEqual([14, 20]);
  });

  it('ends at a page that repeats, is outside of the file or is no TIFF', () => {
    expect(tiffPages(tiff(2, { last: 8 }))).toEqual([8, 14]);
    expect(tiffPages(tiff(2, { last: 9_999 }))).toEqual([8, 14]);
    expect(tiffPages(tiff(2).subarray(0, 9))).toEqual([]);
    expect(tiffPages(new TextEncoder().encode('%PDF-1.7'))).toEqual([]);
  });
});
