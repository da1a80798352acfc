import { describe, expect, it } from '@jest/globals';
import { isSymbolFont, symbolText } from './symbol-fonts.js';

describe('symbolText', () => {
  it.each([
    ['Symbol', '\uf0a3 \uf0b3 \uf0b1 \uf06d', '≤ ≥ ± μ'],
    ['symbol', 'abW', 'αβΩ'],
    ['Wingdings', '\uf0fe \uf0fd \uf0a8 \uf0fc', '☑ ☒ ☐ ✓'],
    ['Wingdings', 'ü à J', '✓ → ☺'],
    ['Wingdings 2', 'P\uf052', '✓☑'],
    ['Wingdings 3', '\uf070', '▲'],
    ['Webdings', 'a', '✔'],
    ['Symbol', '語\uf8ff', '語\uf8ff'],
  ])('%s shows %j as %s', (font, text, shown) => {
    expect(isSymbolFont(font)).toBe(true);
    expect(symbolText(text, font)).toBe(shown);
  });

  it('does not take other fonts for symbol fonts', () => {
    for (const font of ['Segoe UI Symbol', 'Arial', '', undefined]) expect(isSymbolFont(font)).toBe(false);
  });
});
