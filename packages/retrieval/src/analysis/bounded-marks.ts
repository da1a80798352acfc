/** The limit of Unicode's Stream-Safe Text Format (UAX 15, section 13). No language writes as many. */
const MAX_MARKS = 30;
const PILE = new RegExp(String.raw`(\p{M}{${MAX_MARKS}})\p{M}+`, 'gu');

/**
 * Drops the combining marks after the 30th in a row. Apply it before `normalize`, which sorts marks in quadratic time. The
 * result is for analysis only, not for output.
 */
export function boundMarks(text: string): string {
  return text.replace(PILE, '$1');
}
