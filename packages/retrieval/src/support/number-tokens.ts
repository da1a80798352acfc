/** A piece of a text that may hold numbers. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'digits' | 'word' | 'sign';
  /** Follows the token before it without white space. */
  readonly isJoined: boolean;
}

const HAN_OR_KANA = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const TOKEN = new RegExp(
  String.raw`(\p{Nd}+)|([${HAN_OR_KANA}]|[[\p{L}\p{M}_²³]--[${HAN_OR_KANA}]][[\p{L}\p{M}\p{Nd}_²³]--[${HAN_OR_KANA}]]*)|\S`,
  'gv',
);
/** A character of a script without spaces between words. */
export const UNSPACED = new RegExp(`[${HAN_OR_KANA}]`, 'v');

/** Digits, words, signs. A Han or kana character is a word. Letters and digits that begin with a letter are one word. */
export function tokensOf(text: string): Token[] {
  let last = -1;
  return Array.from(text.matchAll(TOKEN), ({ 0: token, 1: digits, 2: word, index }) => {
    const isJoined = index === last;
    last = index + token.length;
    const kind = digits !== undefined ? 'digits' : word !== undefined ? 'word' : 'sign';
    return { text: token, start: index, end: last, kind, isJoined };
  });
}

/** What a chain of digits can mean: no value if it is a version. */
export function valuesOf(digits: readonly string[], separators: string): number[] {
  const groups = digits.map(decimal);
  const whole = groups.join('');
  const last = separators.at(-1) ?? '';
  const areGroups = groups.slice(1).every((group) => group.length === 3);
  const isUniform = [...separators].every((separator) => separator === last);
  const withDecimals = Number(`${groups.slice(0, -1).join('')}.${groups.at(-1) ?? ''}`);
  if (separators === '') return [Number(whole)];
  if (!isUniform) {
    const isDecimal = separators.indexOf(last) === separators.length - 1;
    return isDecimal && groups.slice(1, -1).every((group) => group.length === 3) ? [withDecimals] : [];
  }
  if (separators.length > 1) return areGroups ? [Number(whole)] : [];
  if (!areGroups || groups[0] === '0')
    return last === '.' || last === ',' || last === '٫' ? [withDecimals] : [Number(whole)];
  if (last === '.' || last === ',') return [Number(whole), withDecimals];
  return [Number(whole)];
}

/** The digits of any script as those of ASCII. */
function decimal(digits: string): string {
  return digits.replace(/[^0-9]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    // The digits of a script are ten adjacent characters, the first of which stands at a multiple of 16, or at one plus 6.
    return String((code & 0xf) >= 6 && (code & 0xf0) === 0xe0 ? (code & 0xf) - 6 : code & 0xf).slice(-1);
  });
}
