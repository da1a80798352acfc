import { describe, expect, it } from '@jest/globals';
import type { Glyph } from './glyph.js';
import { legibleGlyphs } from './legible-glyphs.js';
import type { PageFont } from './page-fonts.js';

/** Glyphs whose characters the file does not say: their text is their code. */
function unknownGlyphs(text: string): Glyph[] {
  const font = { isComposite: true } as PageFont;
  return Array.from(text, (character, index) => ({
    text: character,
    x: index * 5,
    y: 0,
    width: 5,
    fontSize: 10,
    font,
    quarterTurns: 0,
    letterSpacing: 0,
    visibility: 'visible',
    isUnknown: true,
  }));
}

describe('legibleGlyphs', () => {
  it.each([
    ['Latin', 'The pump stops at 25 bar'],
    ['Cyrillic', 'Насос останавливается при 25 бар'],
    ['Greek', 'Η αντλία σταματά στα 25 bar'],
    ['Arabic', 'تتوقف المضخة عند 25 بار'],
    ['Japanese', 'ポンプは二十五バールで止まる'],
    ['figures', '1,234.50 1,500.00'],
  ])('keeps codes that are text: %s', (_, text) => {
    const { glyphs, garbled } = legibleGlyphs(unknownGlyphs(text));
    expect([glyphs.length, garbled]).toEqual([text.length, 'no']);
  });

  it.each([
    ['letters that are shifted', 'WKH SXPS VWRSV DW 25 EDU'],
    ['numbers of glyphs', String.fromCharCode(3, 36, 40, 44, 50, 56, 68, 3, 72, 76, 5, 6, 7, 8)],
    ['letters of many scripts', 'ħДبαĦжתγĩЗثδ'],
  ])('removes codes that are not: %s', (_, text) => {
    expect(legibleGlyphs(unknownGlyphs(text)).garbled).toBe('mostly');
  });
});
