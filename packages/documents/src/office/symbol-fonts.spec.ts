import { describe, expect, it } from '@jest/globals';
import { isSymbolFont, symbolFontOf, symbolText } from './symbol-fonts.js';

describe('symbolText', () => {
  it.each([
    ['Symbol', '\uf0a3 \uf0b3 \uf0b1 \uf06d', '≤ ≥ ± μ'],
    ['symbol', 'abW', 'αβΩ'],
    ['Wingdings', '\uf0fe \uf0fd \uf0a8 \uf0fc', '☑ ☒ ☐ ✓'],
    ['Wingdings', 'ü à J', '✓ → ☺'],
    ['Wingdings 2', 'P\uf052', '✓☑'],
    ['Wingdings 3', '\uf070', '▲'],
    ['Wingdings', 'oqx', '☐☐☒'],
    ['Webdings', 'a', '✔'],
    ['Symbol', '語\uf8ff', '語\uf8ff'],
  ])('%s shows %j as %s', (font, text, shown) => {
    expect(isSymbolFont(font)).toBe(true);
    expect(symbolText(text, font)).toBe(shown);
  });

  it.each([
    ['ZapfDingbats', '48oqHn\u00ac\u00b6\u0084\u2714\u274f', '✔✘☐☐★■①❶\u0084✔☐'],
    ['ABCDEF+ITCZapfDingbatsStd', '4', '✔'],
    ['XYZABC+Wingdings-Regular', '\u00fe\uf0a8', '☑☐'],
    ['Wingdings2', 'PO', '✓✗'],
    ['SymbolMT', '\uf0b7', '•'],
  ])('reads the font %s of a PDF file: %j is %s', (name, text, shown) => {
    expect(symbolText(text, symbolFontOf(name) ?? '')).toBe(shown);
  });

  it.each(['AppleSymbols', 'SegoeUISymbol', 'ABCDEF+SymbolicaNeu-Bold', 'Helvetica', ''])(
    'does not take the font %s of a PDF file for a symbol font',
    (name) => {
      expect(symbolFontOf(name)).toBeNull();
    },
  );

  it('does not take other fonts for symbol fonts', () => {
    for (const font of ['Segoe UI Symbol', 'Arial', '', undefined]) expect(isSymbolFont(font)).toBe(false);
  });
});
