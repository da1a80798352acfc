const EXPONENT = /^[+−–-]?(?:\d{1,4}|[ijknxy])$/;
/** The end of a text that can have an exponent: a number, a variable, a unit or a closing bracket. */
const BASE_END = /[\p{L}\p{N})\]]$/u;

/**
 * Whether raised text is an exponent: without a sign for it, `10⁶` would read `106`. Ordinals (`1st`) and trademarks are not.
 *
 * @param before the text before it
 */
export function isExponent(raised: string, before: string): boolean {
  return EXPONENT.test(raised) && BASE_END.test(before);
}

/** Raised text as it is written on one line: `^6` for an exponent. */
export function raisedText(raised: string, before: string): string {
  const text = raised.trim();
  return isExponent(text, before) ? raised.replace(text, () => `^${text}`) : raised;
}
