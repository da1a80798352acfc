/** Exponents are short, as in HTML. */
const EXPONENT = /^[+−-]?(?:\d{1,4}|[ijknxy])$/;
const SIGNED = /^[+−-]/;
/** A number, a bracket, or a unit or variable of at most three letters: `10`, `km`, `x`. */
const BASE = /(?:[\d)\]]|(?:^|[^\p{L}])\p{L}{1,3})$/u;
const WORD_END = /[\p{L}\p{N}.,;:!?)\]"”’»]$/u;

/**
 * The text of a raised number: `10` and a raised `6` are `10^6`, not `106`. After a word it is the mark of a note: `[1]`.
 *
 * @returns null for other text, which is added without a mark
 */
export function raisedMark(before: string, { text, shift }: { text: string; shift: number }): string | null {
  const mark = text.trim();
  if (shift <= 0 || !EXPONENT.test(mark) || !WORD_END.test(before)) return null;
  if (BASE.test(before) || (SIGNED.test(mark) && /\p{L}$/u.test(before))) return `^${mark}`;
  return /^\d+$/.test(mark) ? `[${mark}]` : null;
}
