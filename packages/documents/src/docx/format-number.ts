const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const MAX_ROMAN = 5000;
const MAX_LETTERS = 26 * 30;

/**
 * Formats a number as WordprocessingML does (ECMA-376 17.18.59). Formats of other scripts become decimals.
 */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'lowerRoman':
      return roman(value);
    case 'upperRoman':
      return roman(value).toUpperCase();
    case 'lowerLetter':
      return letters(value);
    case 'upperLetter':
      return letters(value).toUpperCase();
    case 'decimalZero':
      return String(value).padStart(2, '0');
    case 'none':
      return '';
    default:
      return String(value);
  }
}

function roman(value: number): string {
  if (value < 1 || value > MAX_ROMAN) return String(value);
  let text = '';
  let rest = value;
  for (const [step, letter] of ROMAN) {
    text += letter.repeat(Math.trunc(rest / step));
    rest %= step;
  }
  return text;
}

/** a to z, then aa, bb to zz: the letter is repeated, unlike spreadsheet columns. */
function letters(value: number): string {
  if (value < 1 || value > MAX_LETTERS) return String(value);
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}
