/** The limit of Unicode's Stream-Safe Text Format (UAX 15, section 13). No language writes as many. */
const MAX_MARKS = 30;
/** A shorter text takes little time even if it consists of marks. Chunks of documents are shorter. */
const MIN_LENGTH = 2_000;
const PILE = new RegExp(String.raw`(\p{M}{${MAX_MARKS}})\p{M}+`, 'gu');

/**
 * Drops the combining marks of a long text after the 30th in a row. Apply it before `normalize`, which sorts marks in
 * quadratic time. The result is for analysis only, not for output.
 */
export function boundMarks(text: string): string {
  return text.length < MIN_LENGTH ? text : text.replace(PILE, '$1');
}
