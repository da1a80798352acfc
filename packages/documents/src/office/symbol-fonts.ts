import { codePoint } from 'dingbat-to-unicode';

/** Fonts whose characters are not letters: they show symbols at the codes of letters, or from U+F020. */
const SYMBOL_FONTS: ReadonlySet<string> = new Set([
  'symbol',
  'webdings',
  'wingdings',
  'wingdings 2',
  'wingdings 3',
]);
/** The private characters that stand for the codes of a symbol font. */
const FIRST_PRIVATE = 0xf000;

/** Characters that few programs show, each before the common one with the same meaning: check boxes, marks and arrows. */
const COMMON: ReadonlyMap<string, string> = new Map(
  '⚫● ⌧☒ ⮽☒ 🗷☒ 🗹☑ 🗸✓ 🗴✗ 🗶✗ 🗙✗ □☐ ⬜☐ ❏☐ ❐☐ ❑☐ ❒☐ 🞎☐ 🞏☐ 🞐☐ 🡨← 🡪→ 🡩↑ 🡫↓ 🡸← 🡺→ 🡹↑ 🡻↓'
    .split(' ')
    .map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
);

export function isSymbolFont(font: string | undefined): font is string {
  return font !== undefined && SYMBOL_FONTS.has(fontKey(font));
}

/**
 * The symbol font that a PostScript name means, such as `ABCDEF+ZapfDingbatsITC` or `Wingdings2-Regular`; null for other
 * fonts.
 */
export function symbolFontOf(name: string): string | null {
  const [, base = '', number = ''] =
    /^(?:.{6}\+)?(?:itc)?(?:zapf)?(dingbats|wingdings|webdings|symbol(?=mt|$))[- ]?([23]?)/i.exec(name) ?? [];
  return base === '' ? null : `${base} ${number}`.trim().toLowerCase();
}

/** The text that a symbol font shows, in Unicode. Characters that the font does not have are kept. */
export function symbolText(text: string, font: string): string {
  const key = fontKey(font);
  return Array.from(text, (character) => {
    const point = character.codePointAt(0) ?? 0;
    const code = point >= FIRST_PRIVATE && point <= FIRST_PRIVATE + 0xff ? point - FIRST_PRIVATE : point;
    if (code === 0x20) return ' ';
    const isOwn = code >= 0x20 && code <= 0xff;
    const known = key === 'dingbats' ? dingbat(code) : codePoint(key, code)?.string;
    const shown = (isOwn ? known : undefined) ?? character;
    return COMMON.get(shown) ?? shown;
  }).join('');
}

function fontKey(font: string): string {
  return font.trim().toLowerCase();
}

/** Each code of Zapf Dingbats whose character is not in the block Dingbats of Unicode, followed by the character. */
const DINGBATS_ELSEWHERE = '%☎*☛+☞H★l●n■s▲t▼u◆w◗Õ→Ö↔×↕¨♣©♦ª♥«♠¬①\u00ad②®③¯④°⑤±⑥²⑦³⑧´⑨µ⑩';

/** The other characters are in that block in their order. */
function dingbat(code: number): string | undefined {
  const elsewhere = DINGBATS_ELSEWHERE.indexOf(String.fromCodePoint(code));
  if (elsewhere >= 0) return DINGBATS_ELSEWHERE.charAt(elsewhere + 1);
  if (code > 0x7e && code < 0xa1) return undefined;
  return String.fromCodePoint(code - (code < 0x80 ? 0x20 : 0x40) + 0x2700);
}
